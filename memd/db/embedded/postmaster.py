"""One running Postgres: starts it as a child process, waits until it is ready, stops it, cleans up after an earlier one."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

import psutil

from memd.db.embedded import launcher
from memd.db.embedded.account import ServerAccount
from memd.db.errors import PostgresFailedError

POLL_S = 0.005
RECOVERY_S = 60.0
"""How long a living Postgres may take to become ready; replaying the log after a crash takes seconds."""
FAST_STOP_S, IMMEDIATE_STOP_S = 30.0, 10.0
LOG_BYTES = 2_000_000
_OCCUPIED = ("lock file", "shared memory block")


class PrivateLog(RotatingFileHandler):
    """A log that only its owner can read, regardless of the umask and of the mode of an existing file."""

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
        descriptor = os.open(self.baseFilename, flags, 0o600)
        os.fchmod(descriptor, 0o600)
        return TextIOWrapper(
            BufferedWriter(FileIO(descriptor, "a")), encoding=self.encoding, errors=self.errors, line_buffering=True
        )

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Drop a line that cannot be written: Postgres must not block because its log is not read."""


class Postmaster(threading.Thread):
    """Starts Postgres, keeps its log and ends with it.

    A thread of its own, because the kernel ties the child's life to the thread that forked it: this one lives exactly
    as long as Postgres, so `start` may be called from any thread. The log is `log` plus one older file of LOG_BYTES.
    """

    def __init__(self, command: Sequence[str | Path], account: ServerAccount, cluster: Path, log: Path) -> None:
        super().__init__(name="postgres", daemon=True)
        self._command = command
        self._account = account
        self._cluster = cluster
        self._log = log
        self._spawned = threading.Event()
        self._process: subprocess.Popen[str] | None = None
        self._failure: list[str] = []
        self._last_lines: deque[str] = deque(maxlen=12)

    def run(self) -> None:
        """Start Postgres in a new session, so that Ctrl+C reaches memd only, and copy its log until it ends."""
        account = self._account
        start = [sys.executable, "-I", "-S", launcher.__file__, str(os.getpid()), str(account.uid), str(account.gid)]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the command is ours
                [*start, *self._command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                start_new_session=True,
                cwd="/",
            )
        except OSError as failure:
            self._failure = [str(failure)]
            return
        finally:
            self._spawned.set()
        with self._process:
            self._keep_log(self._process)

    def _keep_log(self, process: subprocess.Popen[str]) -> None:
        handler = PrivateLog(self._log, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8", delay=True)
        for line in process.stderr or ():
            self._last_lines.append(line.rstrip())
            handler.handle(logging.makeLogRecord({"msg": self._last_lines[-1]}))
        with suppress(OSError):
            handler.close()

    @property
    def pid(self) -> int | None:
        """The process id of the running Postgres, None before and after."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    @property
    def was_refused(self) -> bool:
        """Whether Postgres exited because it believed the cluster to be in use: a retry may succeed."""
        return any(text in line for line in self._last_lines for text in _OCCUPIED)

    @property
    def last_log_line(self) -> str:
        """The last line of the log, or why there is none."""
        return next(iter([*reversed(self._last_lines), *self._failure]), "")

    def wait_ready(self, patience_s: float = RECOVERY_S) -> None:
        """Return when Postgres accepts connections; PostgresFailedError when it exits or takes more than `patience_s`.

        Postgres has ended when this raises.
        """
        ready = False
        try:
            ready = self._becomes_ready(patience_s)
        finally:
            if not ready:
                self.stop()
        if not ready:
            log_lines = [*self._failure, *self._last_lines]
            raise PostgresFailedError(f"Postgres exited or was not ready in time; see its log {self._log}", log_lines)

    def _becomes_ready(self, patience_s: float) -> bool:
        self._spawned.wait()
        deadline = time.monotonic() + patience_s
        while (pid := self.pid) is not None and time.monotonic() < deadline:
            if _is_ready(self._cluster, pid):
                return True
            time.sleep(POLL_S)
        return False

    def stop(self) -> None:
        """Fast shutdown, then immediate, then SIGKILL; returns when Postgres has ended."""
        for number, patience in ((signal.SIGINT, FAST_STOP_S), (signal.SIGQUIT, IMMEDIATE_STOP_S)):
            if self._process is not None and self.is_alive():
                self._process.send_signal(number)
                self.join(patience)
        if self._process is not None and self.is_alive():
            self._process.kill()
            self.join()


def clear_leftovers(cluster: Path, patience_s: float = RECOVERY_S) -> None:
    """Wait until no Postgres of an earlier memd serves `cluster`, then remove its `postmaster.pid`.

    Call it with the data directory's lock held: a postmaster that still runs then has lost its memd. The number in the
    file alone proves nothing (it may be a zombie's or belong to another program by now); a Postgres process is known
    by its working directory, which is the cluster.
    """
    pid_file = cluster / "postmaster.pid"
    if not pid_file.exists():
        return
    recorded = _lines(pid_file)[:1]
    for process in _serving(cluster):
        if [str(process.pid)] == recorded:
            with suppress(psutil.Error):
                process.send_signal(signal.SIGINT)
    deadline = time.monotonic() + patience_s
    while running := [process.pid for process in _serving(cluster)]:
        if time.monotonic() > deadline:
            numbers = ", ".join(map(str, running))
            raise PostgresFailedError(
                f"A Postgres that an earlier memd started still serves {cluster}: stop process {numbers}"
            )
        time.sleep(POLL_S * 10)
    pid_file.unlink(missing_ok=True)


def _is_ready(cluster: Path, pid: int) -> bool:
    """Line 8 of postmaster.pid is the status, and line 1 shows that the file is not an earlier server's."""
    lines = _lines(cluster / "postmaster.pid")
    return len(lines) >= 8 and lines[0] == str(pid) and lines[7] == "ready"


def _lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in path.read_text("utf-8").splitlines()]
    except FileNotFoundError:
        return []


def _serving(cluster: Path) -> Iterator[psutil.Process]:
    for process in psutil.process_iter(["name", "cwd"]):
        if process.info["name"] == "postgres" and process.info["cwd"] == str(cluster):
            yield process
