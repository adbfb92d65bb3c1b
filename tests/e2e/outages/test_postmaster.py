"""The embedded Postgres is killed under a running memd: it comes back by itself, and no acknowledged write is lost."""

import logging
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.daemon import Daemon
from tests.support.outages import capture, recall, titles, wait_ready
from tests.support.waiting import PATIENCE_S, wait_until

pytestmark = pytest.mark.e2e
log = logging.getLogger(__name__)
WRITES = 80
KILLS = (15, 45)
"""How many writes are acknowledged before each kill."""


def postmaster(daemon: Daemon) -> int | None:
    """The process id of the postmaster, None between two."""
    try:
        return int((daemon.data_dir / "postgres" / "postmaster.pid").read_text().split()[0])
    except (FileNotFoundError, IndexError):
        return None


def test_a_killed_postmaster_is_restarted_and_loses_nothing(daemon: Daemon) -> None:
    daemon.arguments = ("--workers-off",)
    daemon.start()
    kept, refused = set[str](), list[int]()

    def write(number: int) -> None:
        """Capture as clients do: again after a 503."""
        while (reply := capture(http, number)).status_code == 503:
            refused.append(number)
            wait_ready(http)
        assert reply.status_code in {200, 409}, reply.text  # 409: stored, but the answer was lost with the connection
        kept.add(f"Mill {number}")

    with daemon.http(PATIENCE_S) as http, ThreadPoolExecutor(4) as pool:
        writes = [pool.submit(write, number) for number in range(WRITES)]
        for least in KILLS:
            wait_until(lambda least=least: len(kept) >= least)
            pid = postmaster(daemon)
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda pid=pid: postmaster(daemon) not in {None, pid})
            log.info("ready %.1f s after the next postmaster was there", wait_ready(http))
        for done in writes:
            done.result()
        assert recall(http, "mill").status_code == 200
        assert titles(http) == kept == {f"Mill {number}" for number in range(WRITES)}
    assert daemon.stop() == 0
    assert sum("postgres.restarted" in line for line in daemon.said) == len(KILLS)
    log.info("%d memories acknowledged, %d times refused in between, none lost", len(kept), len(refused))
