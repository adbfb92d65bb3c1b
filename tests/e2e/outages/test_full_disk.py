"""A full disk under a running memd: writes are refused clearly, reads go on, and all works again once there is room."""

import asyncio
import logging
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import psycopg
import pytest

from memctl.client import MemdClient
from memctl.doctor_checks import Finding, State, run_checks
from memctl.settings import Connection
from memd.db.embedded.server import running_conninfo
from memd.db.errors import DataDirectoryNotUsableError
from tests.support.daemon import Daemon, fast_daemon
from tests.support.outages import capture, failing_checks, recall, titles, wait_ready
from tests.support.waiting import PATIENCE_S, wait_until

pytestmark = pytest.mark.e2e
log = logging.getLogger(__name__)
DISK_MB = 300
BALLAST = "ballast"


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A file system of DISK_MB in memory, which every user may enter."""
    folder = Path(tempfile.mkdtemp(prefix="memd-disk-", dir="/tmp"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=711", "tmpfs", str(folder)],
        check=False,
        capture_output=True,
        text=True,
    )
    if mounted.returncode != 0:
        folder.rmdir()
        pytest.skip(f"mounting a small tmpfs needs root and the right to mount: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
    folder.rmdir()


@pytest.fixture
def cramped(small_disk: Path) -> Iterator[Daemon]:
    """A memd whose data directory is the small disk."""
    with fast_daemon(small_disk / "data") as daemon:
        yield daemon.start()


def fill(disk: Path) -> None:
    """Take all that is free."""
    with suppress(OSError), (disk / BALLAST).open("ab", buffering=0) as ballast:
        while True:
            ballast.write(bytes(64 * 1024))


def refused(http: httpx.Client, disk: Path, number: int, kept: set[str]) -> bool:
    """Write until a write is refused, with what memd frees meanwhile taken again."""
    fill(disk)
    reply = capture(http, number)
    if reply.status_code == 200:
        kept.add(f"Mill {number}")
        return False
    assert (reply.status_code, reply.json()["error"]) == (503, "Server busy"), reply.text
    assert int(reply.headers["Retry-After"]) >= 1
    return True


def stored(http: httpx.Client, number: int) -> bool:
    """Whether a write succeeds."""
    return capture(http, number).status_code == 200


def superuser(daemon: Daemon) -> psycopg.Connection:
    return psycopg.connect(running_conninfo(daemon.data_dir), autocommit=True)


def ended_by_its_wal(daemon: Daemon, disk: Path, http: httpx.Client) -> bool:
    """Write to the write-ahead log until there is no room; whether that has ended Postgres."""
    fill(disk)
    try:
        with superuser(daemon) as connection:
            connection.execute("SELECT pg_logical_emit_message(false, 'ballast', repeat('x', 4000000), true)")
    except (psycopg.OperationalError, DataDirectoryNotUsableError):
        return failing_checks(http) == {"database": "not reachable"}
    return False


def disk_of_a_doctor_elsewhere(daemon: Daemon) -> str:
    """The finding about the disk of `memctl doctor` on a machine without a data directory."""

    async def examined() -> list[Finding]:
        async with MemdClient(daemon.url, daemon.key) as client:
            return await run_checks(client, Connection(daemon.url, daemon.key, "--url", "--api-key"), daemon.data_dir)

    (disk,) = [each for each in asyncio.run(examined()) if each.check == "disk"]
    assert disk.state is State.FAILED
    return disk.found


def test_a_full_disk_refuses_writes_loses_nothing_and_recovers(cramped: Daemon, small_disk: Path) -> None:
    ballast = small_disk / BALLAST
    with cramped.http(PATIENCE_S) as http:
        with superuser(cramped) as connection:
            connection.execute("SELECT pg_switch_wal()")  # room for the writes that follow
        kept = {f"Mill {n}" for n in range(5) if capture(http, n).status_code == 200}
        assert len(kept) == 5
        numbers = iter(range(5, 190))
        wait_until(lambda: refused(http, small_disk, next(numbers), kept))
        assert recall(http, "mill").status_code == 200
        ready = http.get("/readyz")
        assert ready.status_code == 200
        assert "MB free" in ready.json()["degraded"]["disk"]
        assert "on the server: " in disk_of_a_doctor_elsewhere(cramped)
        ballast.unlink()
        log.info("writes again %.1f s after there was room", wait_until(lambda: stored(http, 200)))
        kept.add("Mill 200")
        assert titles(http) == kept
        wait_until(lambda: ended_by_its_wal(cramped, small_disk, http))
        reply = capture(http, 201)
        assert reply.status_code in {200, 503}, reply.text
        kept |= {"Mill 201"} if reply.status_code == 200 else set()
        ballast.unlink()
        log.info("ready %.1f s after there was room for Postgres's own log", wait_ready(http))
        assert titles(http) == kept
        assert stored(http, 202)
        assert titles(http) == kept | {"Mill 202"}
    assert cramped.stop() == 0
    text = "".join(cramped.said)
    log.info("Postgres ended %d times and was started again", text.count("postgres.ended"))
