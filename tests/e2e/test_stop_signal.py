"""SIGTERM ends memd at any time, also before it is ready, and the log says so."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from memd.local_socket import SOCKET_FILE
from tests.support.daemon import START_S, Daemon
from tests.support.fork_server import ForkedProgram, fork_server

pytestmark = pytest.mark.e2e
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_"))}
WITH_DETAILS = {**CLEAN, "MEMD_EMBED_MODEL": "wordllama", "MEMD_LOG_LEVEL": "DEBUG"}


@pytest.fixture
def data(enterable_folder: Path, started_once: Path) -> Path:
    """A data directory that memd has served before."""
    folder = enterable_folder / f"stops-{uuid4().hex[:8]}"
    subprocess.run(["cp", "-a", started_once, folder], check=True)  # with the owners of the files
    return folder


@contextmanager
def _killed_at_the_end(process: ForkedProgram) -> Generator[None]:
    try:
        yield
    finally:
        process.kill()


def test_a_start_that_is_asked_to_stop_says_so(enterable_folder: Path) -> None:
    """As soon as Postgres has its files, which is long before memd is ready."""
    data = enterable_folder / "stopped"
    with subprocess.Popen(
        [sys.executable, "-m", "memd", "serve", "--port", "0", "--data-dir", str(data)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**CLEAN, "MEMD_EMBED_MODEL": "wordllama"},
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


def test_a_memd_whose_log_nobody_reads_serves_and_stops(data: Path) -> None:
    """As in `memd serve | head`."""
    process = fork_server().start(["serve", "--port", "0", "--data-dir", str(data)], WITH_DETAILS)
    with _killed_at_the_end(process):
        assert process.stdout is not None
        url = next(match.group(1) for line in process.stdout if (match := re.search(r"memd is ready at (\S+)", line)))
        process.stdout.close()
        key = (data / "local.key").read_text().strip()
        with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=60) as http:
            memory = {"title": "City", "content": "Ana lives in Rome."}
            assert http.post("/api/mcp/capture", json=memory).status_code == httpx.codes.OK
            assert http.get("/api/nothing").status_code == httpx.codes.NOT_FOUND
        process.send_signal(signal.SIGTERM)
        process.wait(START_S)
    assert not (data / "postgres" / "postmaster.pid").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a file that is always full")
def test_a_memd_whose_log_is_on_a_full_disk_serves_and_stops(data: Path) -> None:
    with Path("/dev/full").open("w") as full:
        process = fork_server().start(["serve", "--port", "0", "--data-dir", str(data)], WITH_DETAILS, full.fileno())
    with _killed_at_the_end(process):
        end = time.monotonic() + START_S
        while not _accepts(data / SOCKET_FILE):
            assert time.monotonic() < end
            assert process.poll() is None
            time.sleep(0.05)
        transport = httpx.HTTPTransport(uds=str(data / SOCKET_FILE))
        with httpx.Client(base_url="http://localhost", transport=transport) as http:
            assert http.get("/healthz").status_code == httpx.codes.OK
        process.send_signal(signal.SIGTERM)
        assert process.wait(START_S) == 0


def _accepts(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(path)) == 0


def test_a_terminal_that_is_closed_stops_memd_in_good_order(daemon: Daemon) -> None:
    daemon.start()
    assert daemon.process is not None
    assert daemon.listener is not None
    daemon.process.send_signal(signal.SIGHUP)
    assert daemon.process.wait(START_S) == 0
    daemon.listener.join(START_S)
    assert not (daemon.data_dir / "postgres" / "postmaster.pid").exists()
    assert [line for line in daemon.said if "memd.stopping" in line and "SIGHUP" in line]
    assert [line for line in daemon.said if "memd.stopped" in line]


@pytest.mark.long
def test_a_stop_is_logged_with_its_signal(daemon: Daemon) -> None:
    daemon.forked = False
    assert daemon.start().stop() == 0
    assert [line for line in daemon.said if "memd.stopping" in line and "SIGTERM" in line]
