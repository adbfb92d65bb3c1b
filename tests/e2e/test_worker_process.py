"""The worker process of `memd serve`: restarted when it dies, gone when memd is, finished in good order on SIGTERM."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg
import pytest

from memd.db.embedded.server import running_conninfo
from tests.support.daemon import Daemon, fast_daemon
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e
PATIENCE_S = 60
CAPTURES = 30
DOUBLED = """graph_relation
WHERE cardinality(evidence_memory_ids) <> (SELECT count(DISTINCT proof) FROM unnest(evidence_memory_ids) proof)"""


def workers(daemon: Daemon) -> list[psutil.Process]:
    """The worker processes that this memd has started."""
    assert daemon.process is not None
    children = psutil.Process(daemon.process.pid).children()
    return [child for child in children if child.name() == "memd worker"]


@pytest.fixture(scope="module")
def own_daemon(enterable_folder: Path, started_once: Path) -> Iterator[Daemon]:
    with fast_daemon(enterable_folder / "workers", started_once) as daemon:
        daemon.arguments = ("--workers", "2")
        yield daemon


@pytest.fixture
def served(own_daemon: Daemon) -> Daemon:
    """A running memd with two workers, or with one after a restart."""
    return own_daemon if own_daemon.runs else own_daemon.start()


def details(http: httpx.Client) -> dict[str, Any]:
    """The details about the worker processes in `/readyz`."""
    reply = http.get("/readyz")
    assert reply.status_code == 200
    return reply.json()["details"]["workers"]


def count(daemon: Daemon, table_and_condition: str) -> int:
    with psycopg.connect(running_conninfo(daemon.data_dir)) as connection:
        row = connection.execute(f"SELECT count(*) FROM {table_and_condition}").fetchone()  # pyrefly: ignore[no-matching-overload]
        assert row is not None
        return row[0]


def capture(http: httpx.Client, number: int) -> None:
    fields = {"title": f"Budget {number}", "content": f"Ada decided to give project number {number} to Team {number}."}
    reply = http.post("/api/mcp/capture", json=fields | {"store": "semantic", "category": "decision"})
    assert reply.status_code == 200, reply.text


def test_a_worker_that_is_killed_under_load_is_restarted_and_loses_nothing(served: Daemon) -> None:
    with served.http() as http:
        wait_until(lambda: len(workers(served)) == 2)
        killed = workers(served)[0]
        before = count(served, "memory")
        for number in range(CAPTURES):
            capture(http, number)
            if number == CAPTURES // 2:
                killed.kill()
        wait_until(lambda: details(http)["running"] == 2 and details(http)["restarts"] >= 1)
        assert details(http) == {"running": 2, "wanted": 2, "restarts": 1, "lastExitCode": -9}
        assert any("process.died" in line for line in served.said)
        wait_until(lambda: count(served, "memory WHERE NOT graph_enriched OR embedding_pending") == 0)
        wait_until(lambda: count(served, "procrastinate_jobs WHERE status IN ('todo', 'doing')") == 0)
    assert count(served, "procrastinate_jobs WHERE status = 'failed'") == 0
    assert count(served, "memory") == before + CAPTURES
    assert count(served, DOUBLED) == 0


def test_a_memd_that_is_stopped_ends_its_workers_gracefully_and_the_next_one_goes_on(served: Daemon) -> None:
    with served.http() as http:
        wait_until(lambda: len(workers(served)) == 2)
        before = count(served, "memory")
        already = len(served.said)
        for number in range(100, 100 + CAPTURES):
            capture(http, number)
    both = workers(served)
    assert served.stop() == 0
    assert not any(worker.is_running() for worker in both)
    assert [line for line in served.said if "memd.stopping" in line and "SIGTERM" in line]
    assert not any("process.died" in line or "process.parent_ended" in line for line in served.said[already:])
    served.arguments = ()
    served.start()
    assert count(served, "procrastinate_jobs WHERE status = 'doing' AND attempts > 0") == 0
    wait_until(lambda: count(served, "memory WHERE NOT graph_enriched") == 0)
    assert count(served, "memory") == before + CAPTURES


def test_a_memd_that_is_killed_takes_its_worker_along(served: Daemon) -> None:
    wait_until(lambda: workers(served))
    started = workers(served)
    served.kill()
    for worker in started:
        worker.wait(PATIENCE_S)
