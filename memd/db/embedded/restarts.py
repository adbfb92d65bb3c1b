"""Keeps the embedded Postgres running: a postmaster that exits unexpectedly is restarted, with a growing delay.

After a crash of one server process Postgres restarts without help; this module acts when the postmaster itself has
ended: killed, or unable to recover because its disk is full.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

from memd.db.embedded.postmaster import Postmaster
from memd.db.errors import PostgresFailedError
from memd.logs import log

START_S: Final = 10.0
"""How long a start is repeated while Postgres believes the cluster to be in use."""
RESTART_S: Final = 600.0
"""How long a restarted Postgres may take to recover; stopping it earlier would make it begin again."""
BACKOFF_S: Final = 0.25
MAX_BACKOFF_S: Final = 15.0
STABLE_S: Final = 10.0
"""The backoff starts over when the postmaster has lived at least this long."""


class RestartedPostmaster:
    """The postmaster of a cluster, replaced by another whenever it ends before `stop`."""

    def __init__(self, launch: Callable[[], Postmaster], clear: Callable[[], None]) -> None:
        """`launch` starts a postmaster; `clear` removes the files that a dead one left behind."""
        self._launch = launch
        self._clear = clear
        self._stopping = threading.Event()
        self._changing = threading.Lock()
        self._postmaster: Postmaster | None = None
        self._watching = threading.Thread(target=self._watch, name="postgres-watch", daemon=True)

    @property
    def pid(self) -> int | None:
        """The process id of the running postmaster, None while none runs."""
        return self._postmaster.pid if self._postmaster is not None else None

    def start(self) -> None:
        """Start the first postmaster, unless `stop` came before; it is not ready yet."""
        with self._changing:
            if not self._stopping.is_set():
                self._postmaster = self._launch()

    def wait_ready(self) -> None:
        """Return when Postgres accepts connections, and watch it from then on; PostgresFailedError when it does not.

        While Postgres believes the cluster to be in use, it is started again.
        """
        deadline = time.monotonic() + START_S
        while self._postmaster is not None:
            try:
                self._postmaster.wait_ready()
                break
            except PostgresFailedError:
                if not self._postmaster.was_refused or time.monotonic() > deadline or self._stopping.wait(0.2):
                    raise
            self.start()
        self._watching.start()

    def stop(self) -> None:
        """Stop the postmaster and start no other; harmless when none runs."""
        self._stopping.set()
        with self._changing:
            running = self._postmaster
        if running is not None:
            running.stop()
        if self._watching.is_alive():
            self._watching.join()

    def _watch(self) -> None:
        failures = 0
        while self._postmaster is not None:
            began = time.monotonic()
            self._postmaster.join()
            if self._stopping.is_set():
                return
            failures = 0 if time.monotonic() - began >= STABLE_S else failures + 1
            delay = 0 if failures == 0 else min(MAX_BACKOFF_S, BACKOFF_S * 2 ** (failures - 1))
            log.error("postgres.ended", lastLogLine=self._postmaster.last_log_line, restartInSeconds=delay)
            if self._stopping.wait(delay):
                return
            self._restart()

    def _restart(self) -> None:
        """Start another postmaster and wait until it is ready; the caller retries after any error."""
        began = time.monotonic()
        try:
            self._clear()
            with self._changing:
                if self._stopping.is_set():
                    return
                self._postmaster = self._launch()
            self._postmaster.wait_ready(RESTART_S)
        except (PostgresFailedError, OSError) as error:
            log.warning("postgres.not_restarted", reason=str(error).partition("\n")[0])
        else:
            log.info("postgres.restarted", pid=self.pid, seconds=round(time.monotonic() - began, 2))
