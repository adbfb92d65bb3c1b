"""SIGTERM ends memd at any time, also before it is ready, and the log says so."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.daemon import START_S, Daemon

pytestmark = pytest.mark.e2e


def test_a_start_that_is_asked_to_stop_says_so(enterable_folder: Path) -> None:
    """As soon as Postgres has its files, which is long before memd is ready."""
    data = enterable_folder / "stopped"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_"))}
    with subprocess.Popen(
        [sys.executable, "-m", "memd", "serve", "--port", "0", "--data-dir", str(data)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**clean, "MEMD_EMBED_MODEL": "wordllama"},
    ) as process:
        end = time.monotonic() + START_S
        status = data / "postgres" / "postmaster.pid"
        while not status.exists():
            assert time.monotonic() < end
            assert process.poll() is None
            time.sleep(0.005)
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=START_S)
    assert "SIGTERM" in log
    assert process.returncode in {-signal.SIGTERM, 0}, log  # 0 where it was ready already


@pytest.mark.long
def test_a_stop_is_logged_with_its_signal(daemon: Daemon) -> None:
    daemon.forked = False
    assert daemon.start().stop() == 0
    assert [line for line in daemon.said if "memd.stopping" in line and "SIGTERM" in line]
