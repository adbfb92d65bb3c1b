"""A database that goes away under a running memd: clear answers at once, nothing lost, back by itself."""

import logging
import shutil
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import psycopg
import pytest

from memd.db.embedded import EmbeddedPostgres
from memd.db.pool import CONNECTION_WAIT_S
from tests.support.daemon import Daemon
from tests.support.outages import PATIENCE_S, capture, failing_checks, recall, titles, wait_ready, wait_until

pytestmark = pytest.mark.e2e
log = logging.getLogger(__name__)
TERMINATE = (
    "SELECT count(pg_terminate_backend(pid, 30000)) FROM pg_stat_activity"
    " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND datname = 'memd'"
)


@pytest.fixture
def postgres(enterable_folder: Path) -> Iterator[EmbeddedPostgres]:
    folder = enterable_folder / "outage"
    server = EmbeddedPostgres(folder)
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def served(postgres: EmbeddedPostgres, daemon: Daemon) -> Daemon:
    """A memd on a server that the test stops and starts."""
    daemon.environment["MEMD_DATABASE_URL"] = postgres.conninfo
    return daemon.start()


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
        assert capture(http, 0).status_code == 200
        postgres.stop()
        replies: list[httpx.Response] = []
        begun = time.monotonic()
        while time.monotonic() - begun < seconds:
            replies += pool.map(lambda n: capture(http, n) if n % 2 else recall(http, "mill"), range(1, 9))
        assert {reply.status_code for reply in replies} == {503}
        assert {reply.json()["error"] for reply in replies} == {"Server busy"}
        assert all(int(reply.headers["Retry-After"]) >= 1 for reply in replies)
        assert failing_checks(http) == {"database": "not reachable"}
        assert http.get("/healthz").status_code == 200
        postgres.start()
        recovered = wait_ready(http)
        kept = {f"Mill {n}" for n in range(20, 40) if capture(http, n).status_code == 200}
        assert len(kept) == 20
        assert titles(http) == kept | {"Mill 0"}
        worked_off = wait_until(lambda: queue_depth(http) == 0, "the queue is worked off")
    slowest = max(reply.elapsed.total_seconds() for reply in replies)
    assert slowest < CONNECTION_WAIT_S / 2, "a refusal waited for a connection"
    figures = (len(replies), slowest, recovered, worked_off, stop(served))
    log.info(
        "%d refusals, the slowest after %.1f s; ready after %.1f s; queue empty %.1f s later; stop %.1f s", *figures
    )


def test_a_memd_whose_database_hangs_can_be_stopped(served: Daemon, postgres: EmbeddedPostgres) -> None:
    """The server stays reachable, and answers nothing: no error ends what waits for it."""
    with served.http(PATIENCE_S) as http:
        assert capture(http, 0).status_code == 200
        with hanging(postgres), ThreadPoolExecutor(2) as pool:
            waiting = [pool.submit(capture, http, number) for number in (1, 2)]
            log.info("stopped in %.1f s", stop(served))
            assert all(isinstance(call.exception(), httpx.TransportError) for call in waiting)
        served.start()
    with served.http(PATIENCE_S) as http:
        assert {"Mill 0"} <= titles(http) <= {"Mill 0", "Mill 1", "Mill 2"}


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
        assert capture(http, 0).status_code == 200
        postgres.stop()
        assert recall(http, "mill").status_code == 503
    log.info("stopped in %.1f s", stop(served))
