"""The worker process of `memd serve`: restarted when it dies, gone when memd is, finished in good order on SIGTERM."""

import time
from collections.abc import Callable
from typing import Any

import httpx
import psutil
import psycopg
import pytest

from memd.db.embedded import running_conninfo
from tests.support.daemon import Daemon

pytestmark = pytest.mark.e2e
PATIENCE_S = 60
CAPTURES = 60
DOUBLED = """graph_relation
WHERE cardinality(evidence_memory_ids) <> (SELECT count(DISTINCT proof) FROM unnest(evidence_memory_ids) proof)"""


def wait_until(condition: Callable[[], object]) -> None:
    """Wait for a condition that is bound to hold soon."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"not within {PATIENCE_S} seconds"
        time.sleep(0.05)


def workers(daemon: Daemon) -> list[psutil.Process]:
    """The worker processes that this memd has started."""
    assert daemon.process is not None
    children = psutil.Process(daemon.process.pid).children()
    return [child for child in children if "memd.processes.worker" in " ".join(child.cmdline())]


def details(http: httpx.Client) -> dict[str, Any]:
    """What `/readyz` says about the worker processes."""
    reply = http.get("/readyz")
    assert reply.status_code == 200
    return reply.json()["details"]["workers"]


def count(daemon: Daemon, table_and_condition: str) -> int:
    with psycopg.connect(running_conninfo(daemon.data_dir)) as connection:
        row = connection.execute(f"SELECT count(*) FROM {table_and_condition}").fetchone()  # pyright: ignore[reportArgumentType, reportCallIssue]
        assert row is not None
        return row[0]


def capture(http: httpx.Client, number: int) -> None:
    fields = {"title": f"Budget {number}", "content": f"Ada decided to give project number {number} to Team {number}."}
    reply = http.post("/api/mcp/capture", json=fields | {"store": "semantic", "category": "decision"})
    assert reply.status_code == 200, reply.text


def test_a_worker_that_is_killed_under_load_is_restarted_and_loses_nothing(daemon: Daemon) -> None:
    daemon.start()
    with daemon.http() as http:
        wait_until(lambda: len(workers(daemon)) == 1)
        killed = workers(daemon)[0]
        for number in range(CAPTURES):
            capture(http, number)
            if number == CAPTURES // 2:
                killed.kill()
        wait_until(lambda: details(http)["running"] == 1 and details(http)["restarts"] >= 1)
        assert details(http) == {"running": 1, "wanted": 1, "restarts": 1, "lastExitCode": -9}
        assert any("process.died" in line for line in daemon.said)
        wait_until(lambda: count(daemon, "memory WHERE NOT graph_enriched OR embedding_pending") == 0)
        wait_until(lambda: count(daemon, "procrastinate_jobs WHERE status IN ('todo', 'doing')") == 0)
    assert count(daemon, "procrastinate_jobs WHERE status = 'failed'") == 0
    assert count(daemon, "memory") == CAPTURES
    assert count(daemon, DOUBLED) == 0


def test_a_memd_that_is_killed_takes_its_worker_along(daemon: Daemon) -> None:
    daemon.start()
    wait_until(lambda: len(workers(daemon)) == 1)
    (worker,) = workers(daemon)
    daemon.kill()
    worker.wait(PATIENCE_S)


def test_a_memd_that_is_stopped_ends_its_workers_gracefully_and_the_next_one_goes_on(daemon: Daemon) -> None:
    daemon.arguments = ("--workers", "2")
    daemon.start()
    with daemon.http() as http:
        wait_until(lambda: len(workers(daemon)) == 2)
        for number in range(CAPTURES):
            capture(http, number)
    both = workers(daemon)
    assert daemon.stop() == 0
    assert not any(worker.is_running() for worker in both)
    assert not any("process.died" in line or "process.parent_ended" in line for line in daemon.said)
    daemon.start()
    assert count(daemon, "procrastinate_jobs WHERE status = 'doing' AND attempts > 0") == 0
    wait_until(lambda: count(daemon, "memory WHERE NOT graph_enriched") == 0)
    assert count(daemon, "memory") == CAPTURES


def test_without_workers_no_process_is_started(daemon: Daemon) -> None:
    daemon.arguments = ("--workers-off",)
    daemon.start()
    with daemon.http() as http:
        ready = http.get("/readyz").json()
        assert ready["ok"]
        assert "workers" not in ready["details"]
    assert workers(daemon) == []
