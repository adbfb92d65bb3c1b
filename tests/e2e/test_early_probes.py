"""A memd that cannot serve yet answers probes and says why: it looked like one that hangs, and was ended in the middle."""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from memd.db.advisory_locks import Fixed
from memd.db.embedded.cluster import SUPERUSER
from memd.db.embedded.server import DATABASE, PORT, EmbeddedPostgres
from memd.db.schema.migrate import migrate
from tests.support.daemon import Daemon
from tests.support.loopback import free_port
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.rule("9.5 GET /healthz, /readyz")]


@pytest.fixture
def url(daemon: Daemon) -> str:
    """The address that the daemon will listen on, which probes have to know before."""
    port = free_port()
    daemon.arguments = ("--workers-off", "--port", str(port))
    return f"http://127.0.0.1:{port}"


@pytest.fixture
def late(daemon: Daemon, enterable_folder: Path, migrated: Path) -> Iterator[EmbeddedPostgres]:
    """The Postgres of the daemon, which does not run yet."""
    folder = enterable_folder / "late-server"
    subprocess.run(["cp", "-a", migrated, folder], check=True)
    server = EmbeddedPostgres(folder)
    daemon.environment["MEMD_DATABASE_URL"] = make_conninfo(
        host=str(folder / "socket"), port=PORT, user=SUPERUSER, dbname=DATABASE
    )
    yield server
    server.stop()
    shutil.rmtree(folder)


def is_alive(url: str) -> bool:
    try:
        return bool(httpx.get(f"{url}/healthz").json() == {"ok": True})
    except httpx.TransportError:
        return False


def assert_it_says_why(url: str, checks: dict[str, str]) -> None:
    ready = httpx.get(f"{url}/readyz?verbose")
    assert (ready.status_code, ready.json()) == (503, {"ok": False, "checks": checks})
    assert ready.headers["Retry-After"] == "1"
    assert ready.headers["Content-Type"] == "application/json; charset=utf-8"
    assert httpx.head(f"{url}/healthz").status_code == 200
    other = httpx.post(f"{url}/api/mcp/capture", content=b"x" * 3_000_000)
    assert (other.status_code, other.json()) == (503, {"error": "Server busy", "retryAfterMs": 1000})
    assert other.headers["X-Request-Id"].startswith("req_")


def test_while_postgres_is_awaited(daemon: Daemon, url: str, late: EmbeddedPostgres) -> None:
    with ThreadPoolExecutor(1) as starts:
        start = starts.submit(daemon.start)
        wait_until(lambda: is_alive(url) or start.done())
        assert_it_says_why(url, {"database": "not reachable"})
        late.start()
        assert start.result().url == url
    assert httpx.get(f"{url}/readyz").status_code == 200


def test_while_the_tables_are_upgraded(daemon: Daemon, url: str, new_database: str) -> None:
    migrate(new_database, "20261124_past_rows")
    daemon.environment["MEMD_DATABASE_URL"] = new_database
    with ThreadPoolExecutor(1) as starts, psycopg.connect(new_database, autocommit=True) as other_replica:
        other_replica.execute("SELECT pg_advisory_lock(%s)", (Fixed.MIGRATION.value,))
        start = starts.submit(daemon.start)
        wait_until(lambda: is_alive(url) or start.done())
        assert_it_says_why(url, {"migrations": "not at the newest revision"})
        other_replica.execute("SELECT pg_advisory_unlock(%s)", (Fixed.MIGRATION.value,))
        assert start.result().url == url
    assert httpx.get(f"{url}/readyz").status_code == 200


def test_a_client_that_says_nothing_holds_nothing_up(daemon: Daemon, url: str, late: EmbeddedPostgres) -> None:
    with ThreadPoolExecutor(1) as starts:
        start = starts.submit(daemon.start)
        wait_until(lambda: is_alive(url) or start.done())
        address = ("127.0.0.1", int(url.rpartition(":")[2]))
        with socket.create_connection(address), socket.create_connection(address) as half:
            half.sendall(b"GET /heal")
            assert is_alive(url)
            late.start()
            assert start.result().url == url
