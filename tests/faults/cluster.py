"""The Postgres of the harness: killed like a machine that loses its power, started again, databases copied and dropped."""

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

_SUPERVISE: Final = Path(__file__).parents[1] / "support" / "supervise.py"
_QUIET_S: Final = 30
_numbers = itertools.count(1)


class Cluster:
    """One server on a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self._pid = 0
        self.conninfo = ""

    def start(self) -> None:
        """Start the server, after a kill with the recovery of what it had committed."""
        command = [sys.executable, str(_SUPERVISE), str(self._folder)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        started = json.loads(self._process.stdout.readline())
        assert "pid" in started, started
        self._pid, self.conninfo = started["pid"], started["conninfo"]

    def kill(self) -> None:
        """Kill the postmaster; its sessions end with it."""
        os.kill(self._pid, signal.SIGKILL)
        self.stop()

    def stop(self) -> None:
        """Have the supervisor end, and the server with it."""
        assert self._process is not None
        self._process.communicate(timeout=60)

    def of(self, database: str) -> str:
        """The conninfo of a database."""
        return make_conninfo(self.conninfo, dbname=database)

    def create(self, template: str | None = None) -> str:
        """A new database, empty or like another to which nobody is connected."""
        name = f"faults_{next(_numbers)}"
        words = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
        if template is not None:
            # With the other strategy, a sequence of the copy may go back when Postgres recovers: up to 32 values of the
            # original are in its log already, and those that the copy takes of them are not logged again.
            words += sql.SQL(" TEMPLATE {} STRATEGY file_copy").format(sql.Identifier(template))
        self._run(words)
        return name

    def drop(self, database: str) -> None:
        """Drop a database."""
        self._run(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(database)))

    def wait_quiet(self, database: str) -> None:
        """Wait until the sessions of a killed process have ended: what they had begun to commit is then committed."""
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
        deadline = time.monotonic() + _QUIET_S
        with psycopg.connect(self.conninfo, dbname="postgres", autocommit=True) as connection:
            while (row := connection.execute(query, [database]).fetchone()) is not None and row[0]:
                assert time.monotonic() < deadline, "a session of a killed process does not end"
                time.sleep(0.005)

    def _run(self, words: sql.Composed) -> None:
        with psycopg.connect(self.conninfo, dbname="postgres", autocommit=True) as connection:
            connection.execute(words)


@contextmanager
def clustered() -> Generator[tuple[Cluster, Path]]:
    """A running cluster and a folder for the data directories of memd; both go at the end of the block."""
    base = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a socket's path must be short
    folder = Path(tempfile.mkdtemp(prefix="memd-faults-", dir=base))
    folder.chmod(0o711)  # the Postgres of root runs as another user
    cluster = Cluster(folder / "server")
    cluster.start()
    try:
        yield cluster, folder
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
