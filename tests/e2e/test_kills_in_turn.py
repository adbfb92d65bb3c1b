"""Worker, request process, memd and Postgres are killed in turn under load: no acknowledged row is lost, none is doubled.

`make kills` does 20 rounds and logs the seconds until a capture is accepted again; the suite does three, and leaves the
kills of memd itself to the tests of what survives it: imports, erasures, hooks.
"""

import functools
import itertools
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest

from memd.db.embedded.server import running_conninfo
from tests.e2e.test_processes import request_processes
from tests.e2e.test_worker_process import DOUBLED, count, workers
from tests.support.daemon import Daemon
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e
log = logging.getLogger(__name__)
CALLERS = 3
PATIENCE_S = 240
"""Jobs of a dead worker are requeued after 15 s, and a job that met the end of Postgres is tried again after 10 s, 20 s …"""
MIN_PER_CALLER = 5
"""Rows of each caller that are acknowledged before every kill, so that every kill meets load."""


class Load:
    """Callers that capture memories and log messages until told to stop; `rows` holds what memd has acknowledged."""

    def __init__(self, daemon: Daemon) -> None:
        self.rows: list[tuple[str, str]] = []
        self._daemon = daemon
        self._numbers = itertools.count()
        self._stop = threading.Event()

    def call(self) -> None:
        """Send rows one after another; a failed request is not repeated, since it may have been stored."""
        with httpx.Client(timeout=10) as http:
            while not self._stop.is_set():
                self._send(http)

    def _send(self, http: httpx.Client) -> None:
        number = next(self._numbers)
        text = f"Ada decided to give project number {number} to Team {number}."
        path, body = (
            ("capture", {"title": f"Budget {number}", "content": text})
            if number % 2
            else ("log", {"role": "user", "content": text, "sessionKey": f"s{number}", "channel": "slack"})
        )
        try:
            url, key = self._daemon.url, self._daemon.key
            headers = {"Authorization": f"Bearer {key}"}
            if http.post(f"{url}/api/mcp/{path}", json=body, headers=headers).status_code == 200:
                self.rows.append((path, text))
        except (httpx.HTTPError, OSError):
            time.sleep(0.05)

    @contextmanager
    def running(self) -> Generator[None]:
        threads = [threading.Thread(target=self.call) for _ in range(CALLERS)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            for thread in threads:
                thread.join()

    def go_on(self) -> None:
        """Wait until more rows are acknowledged."""
        wanted = len(self.rows) + CALLERS * MIN_PER_CALLER
        wait_until(lambda: len(self.rows) >= wanted, PATIENCE_S)


def kill_worker(daemon: Daemon) -> float:
    wait_until(lambda: workers(daemon), PATIENCE_S)
    killed = time.monotonic()
    workers(daemon)[0].kill()
    return killed


def kill_request_process(daemon: Daemon) -> float:
    """The second process that answers requests; the first continues."""
    wait_until(lambda: len(request_processes(daemon)) > 1, PATIENCE_S)
    killed = time.monotonic()
    request_processes(daemon)[1].kill()
    return killed


def kill_memd(daemon: Daemon) -> float:
    """The process that supervises the others and answers requests; whoever runs memd starts it again."""
    killed = time.monotonic()
    daemon.kill()
    daemon.start()
    return killed


def kill_postgres(daemon: Daemon) -> float:
    pid = int((daemon.data_dir / "postgres" / "postmaster.pid").read_text("utf-8").split()[0])
    killed = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    return killed


Kill = Callable[[Daemon], float]
"""Kills, and returns when (monotonic, in seconds)."""
KILLS: Sequence[Kill] = (kill_worker, kill_request_process, kill_memd, kill_postgres)
OF_CHILDREN: Sequence[Kill] = (kill_worker, kill_request_process, kill_postgres)
"""What memd starts again itself."""
CATCH_UP = ("graph_backfill", "message_embedder")
"""The scheduled jobs that find the rows whose own job a kill has lost."""


def is_stored(daemon: Daemon) -> bool:
    """Whether a capture is accepted."""
    with daemon.http(timeout=10) as http:
        try:
            return http.post("/api/mcp/log", json={"role": "user", "content": "Are you there?"}).status_code == 200
        except httpx.HTTPError:
            return False


def is_run(daemon: Daemon, job: str) -> bool:
    """Whether a run of a scheduled job is enqueued: not while the one that every start makes is under way."""
    with daemon.http(timeout=10) as http:
        code = http.post(f"/api/jobs/{job}/run").status_code
    assert code in {200, 409}
    return code == 200


def stored(data_dir: Path, table: str) -> list[str]:
    with psycopg.connect(running_conninfo(data_dir)) as connection:
        return [row[0] for row in connection.execute(f"SELECT content FROM {table} WHERE content LIKE 'Ada %'")]  # pyrefly: ignore[no-matching-overload]


@pytest.mark.timeout(0)
def test_rows_are_neither_lost_nor_doubled_when_what_memd_started_is_killed(daemon: Daemon) -> None:
    kill_under_load(daemon, OF_CHILDREN)


@pytest.mark.long
@pytest.mark.timeout(0)
def test_rows_are_neither_lost_nor_doubled(daemon: Daemon, request: pytest.FixtureRequest) -> None:
    daemon.forked = False  # the seconds that `make kills` logs are those of a real start
    rounds = int(request.config.getoption("--kill-rounds"))
    kill_under_load(daemon, [KILLS[number % len(KILLS)] for number in range(rounds)])


def kill_under_load(daemon: Daemon, kills: Sequence[Kill]) -> None:
    """Kill under load, wait until all is worked off, and compare what is stored with what was acknowledged."""
    daemon.arguments = ("--processes", "2")
    daemon.start_s = PATIENCE_S
    daemon.start()
    load = Load(daemon)
    with load.running():
        for number, kill in enumerate(kills, 1):
            load.go_on()
            killed = kill(daemon)
            wait_until(lambda: is_stored(daemon), PATIENCE_S)
            log.info("round %d: %s, serving again after %.2f s", number, kill.__name__, time.monotonic() - killed)
        load.go_on()
    for job in CATCH_UP:  # the schedule runs them every hour, and every quarter of one
        wait_until(functools.partial(is_run, daemon, job), PATIENCE_S)
    wait_until(lambda: count(daemon, "memory WHERE NOT graph_enriched OR embedding_pending") == 0, PATIENCE_S)
    wait_until(lambda: count(daemon, "message WHERE embedding_pending") == 0, PATIENCE_S)
    for path, table in (("capture", "memory"), ("log", "message")):
        texts = stored(daemon.data_dir, table)
        assert len(texts) == len(set(texts)), f"doubled in {table}"
        assert {text for sent, text in load.rows if sent == path} <= set(texts), f"lost from {table}"
    assert count(daemon, "procrastinate_jobs WHERE status = 'failed'") == 0
    assert count(daemon, DOUBLED) == 0
