"""A process that has been asked to end drains, however it was asked, and however often again."""

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

CHILD = """
import asyncio, sys
from memd.processes.signals import ignore_stop_signals, on_stop_signal

async def main():
    asked = asyncio.Queue()
    with on_stop_signal(asked.put_nowait):
        print("serves", flush=True)
        number = await asked.get()
    ignore_stop_signals()
    print("drains after", number, flush=True)
    sys.stdin.read()

asyncio.run(main())
"""

STARTS = """
import time
from memd.processes.signals import reported_stop

with reported_stop():
    print("starts", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def hears_hangups() -> Iterator[None]:
    """Children hear SIGHUP, also when the suite itself was started by `nohup`, whose children inherit that it is ignored."""
    previous = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, previous)


@pytest.mark.usefixtures("hears_hangups")
@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_second_stop_signal_does_not_end_a_child_that_drains(asked: signal.Signals) -> None:
    command = [sys.executable, "-c", CHILD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for state in ("serves", f"drains after {asked}"):
            assert child.stdout.readline() == f"{state}\n"
            child.send_signal(asked)
        child.stdin.close()
        assert child.wait() == 0


def test_a_hangup_does_not_end_what_nohup_started() -> None:
    command = ["nohup", sys.executable, "-c", CHILD]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stdout.readline() == "serves\n"
        child.send_signal(signal.SIGHUP)
        child.terminate()
        assert child.stdout.readline() == f"drains after {signal.SIGTERM}\n"
        child.stdin.close()
        assert child.wait() == 0


@pytest.fixture
def starting(hears_hangups: None) -> Iterator[subprocess.Popen[str]]:
    """A process in the middle of its start."""
    command = [sys.executable, "-c", STARTS]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "starts\n"
        yield child


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGHUP])
def test_a_start_that_a_signal_ends_says_so(starting: subprocess.Popen[str], asked: signal.Signals) -> None:
    """The terminal may be closed, and the log be rotated, while memd waits for its Postgres."""
    starting.send_signal(asked)
    _, said = starting.communicate(timeout=60)
    assert said == f"memd stops during its start: {asked.name}\n"
    assert starting.returncode == -asked


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGHUP])
def test_a_start_whose_log_nobody_reads_ends_as_well(starting: subprocess.Popen[str], asked: signal.Signals) -> None:
    assert starting.stderr is not None
    starting.stderr.close()
    starting.send_signal(asked)
    assert starting.wait(60) == -asked
