"""After a kill nothing runs, nothing blocks the next start, and every acknowledged row is there."""

import ctypes
import os
import subprocess
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg
import pytest

from memd.db.embedded.postmaster import clear_leftovers
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.errors import PostgresFailedError
from tests.memd.db.conftest import Supervise, Supervisor

GONE_S = 30
linux = pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="needs Linux, which ends orphans itself")


def _all_processes(supervisor: Supervisor) -> list[psutil.Process]:
    postmaster = psutil.Process(supervisor.said["pid"])
    return [postmaster, *postmaster.children(recursive=True)]


def _kill(supervisor: Supervisor) -> None:
    supervisor.process.kill()
    supervisor.process.wait()


def _kill_everything(supervisor: Supervisor) -> None:
    for process in _all_processes(supervisor):
        with suppress(psutil.NoSuchProcess):
            process.kill()
    _kill(supervisor)


def _shared_memory(cluster: Path) -> int:
    return int((cluster / "postmaster.pid").read_text().splitlines()[6].split()[1])


@linux
def test_killing_memd_ends_postgres(data_dir: Path, supervise: Supervise):
    supervisor = supervise(data_dir)
    processes = _all_processes(supervisor)
    _kill(supervisor)
    assert psutil.wait_procs(processes, GONE_S)[1] == []
    assert not (data_dir / "postgres" / "postmaster.pid").exists()


class Writer(threading.Thread):
    """Commits numbers one by one until the server is gone; `acknowledged` is the last one that was confirmed."""

    def __init__(self, conninfo: str) -> None:
        super().__init__()
        self._conninfo = conninfo
        self.acknowledged = 0
        self.under_way = threading.Event()

    def run(self) -> None:
        with suppress(psycopg.OperationalError), psycopg.connect(self._conninfo, autocommit=True) as connection:
            connection.execute("CREATE TABLE number (n bigint PRIMARY KEY, padding text)")
            while True:
                connection.execute("INSERT INTO number VALUES (%s, repeat('x', 500))", [self.acknowledged + 1])
                self.acknowledged += 1
                if self.acknowledged == 50:
                    self.under_way.set()


def test_killing_both_loses_no_acknowledged_row(data_dir: Path, supervise: Supervise):
    supervisor = supervise(data_dir)
    writer = Writer(supervisor.said["conninfo"])
    writer.start()
    assert writer.under_way.wait(60)
    _kill_everything(supervisor)
    writer.join()
    with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.conninfo) as connection:
        row = connection.execute("SELECT count(*), max(n) FROM number").fetchone()
    assert row in {(writer.acknowledged, writer.acknowledged), (writer.acknowledged + 1, writer.acknowledged + 1)}


@linux
def test_start_waits_for_a_postgres_that_is_still_ending(data_dir: Path, supervise: Supervise):
    supervisor = supervise(data_dir)
    left = psutil.Process(supervisor.said["pid"])
    left.suspend()
    _kill(supervisor)
    threading.Timer(0.5, left.resume).start()
    with EmbeddedPostgres(data_dir) as server:
        assert not left.is_running() or left.status() == psutil.STATUS_ZOMBIE
        assert server.pid != left.pid


@linux
def test_postgres_that_never_ends_is_named(data_dir: Path, supervise: Supervise):
    supervisor = supervise(data_dir)
    left = psutil.Process(supervisor.said["pid"])
    left.suspend()
    _kill(supervisor)
    with pytest.raises(PostgresFailedError, match=rf"process .*\b{left.pid}\b"):
        clear_leftovers(data_dir / "postgres", patience_s=0.1)
    left.resume()
    assert psutil.wait_procs([left], GONE_S)[1] == []


@contextmanager
def _zombie() -> Generator[int]:
    process = subprocess.Popen(["/bin/true"])
    while psutil.Process(process.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    yield process.pid
    process.wait()


@contextmanager
def _stranger() -> Generator[int]:
    with subprocess.Popen(["/bin/sleep", "300"]) as process:
        yield process.pid
        process.kill()


@pytest.mark.parametrize("holder", [_zombie, _stranger], ids=["a zombie", "another program"])
def test_stale_files_that_name_somebody_else_do_not_block_the_start(data_dir: Path, holder):
    cluster, socket = data_dir / "postgres", data_dir / "socket"
    socket.mkdir(mode=0o700)
    with holder() as pid:
        stale = f"{pid}\n{cluster}\n1700000000\n5432\n{socket}\n\n  5432001         0\nready   \n"
        for name in (cluster / "postmaster.pid", socket / ".s.PGSQL.5432.lock"):
            name.write_text(stale)
        with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.conninfo) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert psutil.pid_exists(pid)


@linux
def test_start_is_repeated_while_shared_memory_of_a_killed_postgres_is_in_use(data_dir: Path, supervise: Supervise):
    supervisor = supervise(data_dir)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype, libc.shmat.argtypes = ctypes.c_void_p, [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
    libc.shmdt.argtypes = [ctypes.c_void_p]
    address = libc.shmat(_shared_memory(data_dir / "postgres"), None, 0)
    assert address != ctypes.c_void_p(-1).value, os.strerror(ctypes.get_errno())
    _kill_everything(supervisor)
    threading.Timer(1.0, libc.shmdt, [address]).start()
    with EmbeddedPostgres(data_dir) as server:
        assert server.pid is not None
    assert "shared memory block" in (data_dir / "postgres.log").read_text()


def test_postgres_that_is_killed_alone_is_noticed(data_dir: Path):
    with EmbeddedPostgres(data_dir) as server:
        psutil.Process(server.pid).kill()
        deadline = time.monotonic() + GONE_S
        while server.pid and time.monotonic() < deadline:
            time.sleep(0.01)
        assert server.pid is None
