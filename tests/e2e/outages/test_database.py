"""A database that goes away under a running memd: clear answers at once, nothing lost, back by itself.

All tests use one server and one memd; each starts what the one before it has stopped.
"""

import logging
import shutil
import subprocess
import time
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import psycopg
import pytest

from memd.db.connections.pool import CONNECTION_WAIT_S
from memd.db.embedded.server import EmbeddedPostgres
from tests.support.daemon import Daemon, fast_daemon
from tests.support.outages import capture, failing_checks, recall, titles, wait_ready
from tests.support.waiting import PATIENCE_S, wait_until

pytestmark = pytest.mark.e2e
log = logging.getLogger(__name__)
PROBE_PATIENCE_S = 8
PAUSE_S = 0.2
TERMINATE = (
    "SELECT count(pg_terminate_backend(pid, 30000)) FROM pg_stat_activity"
    " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND datname = 'memd'"
)


@pytest.fixture(scope="module")
def own_server(enterable_folder: Path, migrated: Path) -> Iterator[EmbeddedPostgres]:
    folder = enterable_folder / "outage"
    subprocess.run(["cp", "-a", migrated, folder], check=True)
    server = EmbeddedPostgres(folder)
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def own_daemon(enterable_folder: Path) -> Iterator[Daemon]:
    with fast_daemon(enterable_folder / "outage-memd") as daemon:
        yield daemon


@pytest.fixture
def postgres(own_server: EmbeddedPostgres) -> EmbeddedPostgres:
    """A running server."""
    if own_server.pid is None:
        own_server.start()
    return own_server


@pytest.fixture
def served(postgres: EmbeddedPostgres, own_daemon: Daemon) -> Daemon:
    """A running memd on a server that the test stops and starts."""
    own_daemon.environment["MEMD_DATABASE_URL"] = postgres.conninfo
    return own_daemon if own_daemon.runs else own_daemon.start()


def queue_depth(http: httpx.Client) -> int:
    return http.get("/api/jobs").json()["queue"]["depth"]


def stop(daemon: Daemon) -> float:
    """Stop in good order; the seconds that it took."""
    begun = time.monotonic()
    assert daemon.stop() == 0
    return time.monotonic() - begun


def test_connections_closed_by_the_server_cost_no_request(served: Daemon, postgres: EmbeddedPostgres) -> None:
    with served.http(PATIENCE_S) as http, ThreadPoolExecutor(12) as pool:
        number = 0
        for _ in range(3):
            assert {reply.status_code for reply in pool.map(lambda n: recall(http, f"mill {n}"), range(24))} == {200}
            with psycopg.connect(postgres.conninfo, autocommit=True) as connection:
                row = connection.execute(TERMINATE).fetchone()
            assert row is not None
            assert row[0] > 0
            numbers = range(number, number := number + 12)
            writes = [pool.submit(capture, http, n) for n in numbers]
            reads = [pool.submit(recall, http, f"mill {n}") for n in numbers]
            assert {done.result().status_code for done in (*writes, *reads)} == {200}
        assert titles(http) == {f"Mill {n}" for n in range(number)}


def test_an_outage_is_reported_and_ends_by_itself(
    served: Daemon, postgres: EmbeddedPostgres, request: pytest.FixtureRequest
) -> None:
    seconds = float(request.config.getoption("--outage-seconds"))
    with served.http(PATIENCE_S) as http, ThreadPoolExecutor(8) as pool:
        assert capture(http, 100).status_code == 200
        before = titles(http)
        postgres.stop()
        replies: list[httpx.Response] = []
        begun = time.monotonic()
        while time.monotonic() - begun < seconds:
            replies += pool.map(lambda n: capture(http, n) if n % 2 else recall(http, "mill"), range(101, 109))
            time.sleep(PAUSE_S)
        assert {reply.status_code for reply in replies} == {503}
        assert {reply.json()["error"] for reply in replies} == {"Server busy"}
        assert all(int(reply.headers["Retry-After"]) >= 1 for reply in replies)
        assert failing_checks(http) == {"database": "not reachable"}
        assert http.get("/healthz").status_code == 200
        postgres.start()
        recovered = wait_ready(http)
        kept = {f"Mill {n}" for n in range(120, 140) if capture(http, n).status_code == 200}
        assert len(kept) == 20
        assert titles(http) == kept | before
        worked_off = wait_until(lambda: queue_depth(http) == 0)
    slowest = max(reply.elapsed.total_seconds() for reply in replies)
    assert slowest < CONNECTION_WAIT_S / 2, "a refusal waited for a connection"
    log.info("%d refusals, the slowest after %.1f s", len(replies), slowest)
    log.info("ready after %.1f s; queue empty %.1f s later", recovered, worked_off)


def test_a_database_that_hangs_is_reported_before_a_probe_gives_up(served: Daemon, postgres: EmbeddedPostgres) -> None:
    """Cancelling a statement takes psycopg 10 s on such a server; the answer does not wait for that."""
    with served.http(PROBE_PATIENCE_S) as http:
        wait_ready(http)
        with hanging(postgres):
            assert failing_checks(http) == {"database": "not reachable"}
        wait_ready(http)


def test_requests_to_a_database_that_hangs_end_together_and_work_again_when_it_answers(
    served: Daemon, postgres: EmbeddedPostgres
) -> None:
    """Before, each waited for its own timeout, or for the 10 s in which psycopg cancels a statement, several times."""
    with served.http(CONNECTION_WAIT_S / 2) as http, ThreadPoolExecutor(40) as pool:
        assert capture(http, 140).status_code == 200
        before = titles(http)
        with hanging(postgres):
            numbers = range(141, 150)
            replies = [pool.submit(capture, http, number) for number in numbers]
            replies += [pool.submit(recall, http, f"mill {number}") for number in range(20)]
            replies += [pool.submit(http.get, "/api/memories/list") for _ in range(5)]
            assert {reply.result().status_code for reply in replies} == {503}
            assert recall(http, "mill").status_code == 503
            assert failing_checks(http) == {"database": "not reachable"}
        wait_ready(http)
        assert recall(http, "mill").status_code == 200
        assert capture(http, 150).status_code == 200
        assert before <= titles(http) <= before | {f"Mill {number}" for number in (*numbers, 150)}
    said = "".join(served.said)
    assert "database.silent" in said
    assert "database.answers_again" in said


def test_a_memd_whose_database_hangs_can_be_stopped(served: Daemon, postgres: EmbeddedPostgres) -> None:
    """The server stays reachable, and answers nothing: no error ends what waits for it."""
    with served.http(PATIENCE_S) as http:
        assert capture(http, 155).status_code == 200
        before = titles(http)
        assert "Mill 155" in before
        with hanging(postgres), ThreadPoolExecutor(2) as pool:
            waiting = [pool.submit(capture, http, number) for number in (156, 157)]
            log.info("stopped in %.1f s", stop(served))
            assert all(is_lost(call) for call in waiting)
        served.start()
    with served.http(PATIENCE_S) as http:
        assert before <= titles(http) <= before | {"Mill 156", "Mill 157"}


def is_lost(call: Future[httpx.Response]) -> bool:
    """Whether a call ended with 503, or with its connection."""
    if isinstance(call.exception(), httpx.TransportError):
        return True
    return call.result().status_code == 503


@contextmanager
def hanging(postgres: EmbeddedPostgres) -> Generator[None]:
    """Stop every process of the server, until the end of the block."""
    server = psutil.Process(postgres.pid)
    server.suspend()  # first: from now on no child is started, and none that ends is removed
    stopped = [server]
    try:
        for child in server.children(recursive=True):
            child.suspend()
            stopped.append(child)
        yield
    finally:
        for process in stopped:
            process.resume()


def test_a_memd_without_its_database_can_be_stopped(served: Daemon, postgres: EmbeddedPostgres) -> None:
    with served.http(PATIENCE_S) as http:
        assert capture(http, 160).status_code == 200
        postgres.stop()
        assert recall(http, "mill").status_code == 503
    log.info("stopped in %.1f s", stop(served))
