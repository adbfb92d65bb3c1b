"""Workers forked while memd starts: which descriptors they keep, how they end, and how memd learns of it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO

import psutil
import pytest

from memd.embed.providers.lazy import EmbedderTraits
from memd.processes.forked import CAN_FORK, ForkedProcess, fork_processes
from memd.processes.handover import Handover
from memd.settings import Settings

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="memd forks on Linux only")
TRAITS = EmbedderTraits("model", 384, cased=False, latin_only=True, batch_size=32, parallelism=1)
HANDOVER = Handover(os.getpid(), Settings(), "dbname=elsewhere", TRAITS, model=7)


def report(stream: IO[bytes]) -> int:
    """A report of a forked process about itself, written to its connection."""
    handover = Handover.read(stream)
    seen = {
        "conninfo": handover.conninfo,
        "descriptors": sorted(int(path.name) for path in Path("/proc/self/fd").iterdir() if path.exists()),
        "expected": sorted((0, 1, 2, stream.fileno(), handover.connection)),
        "session": os.getsid(0),
    }
    os.write(handover.connection, json.dumps(seen).encode())
    return 3


def fail(_stream: IO[bytes]) -> int:
    """A program that ends with an error."""
    raise LookupError("the worker cannot start")


def sleep(_stream: IO[bytes]) -> int:
    """A program that ends by a signal only."""
    time.sleep(60)
    return 0


FAILED_START = """
import os
from memd.processes.forked import fork_processes
from memd.processes.worker import main
[process] = fork_processes(1, main)
print(process.pid, flush=True)
os.close(process._handover)
os._exit(os.waitstatus_to_exitcode(os.waitpid(process.pid, 0)[1]))
"""
"""A memd that ends before it needs its worker."""
Fork = Callable[[Callable[[IO[bytes]], int]], ForkedProcess]


@pytest.fixture
def fork() -> Iterator[Fork]:
    """Make one process that runs a program; its connection is closed after the test."""
    with ExitStack() as connections:

        def one(main: Callable[[IO[bytes]], int]) -> ForkedProcess:
            [process] = fork_processes(1, main)
            connections.enter_context(process.connection)
            return process

        yield one


async def test_it_waits_for_its_handover_and_has_nothing_else_of_its_parent(fork: Fork, tmp_path: Path) -> None:
    with (tmp_path / "open").open("w") as file:
        process = fork(report)
        assert not file.closed
    process.hand_over(HANDOVER)

    assert await asyncio.gather(process.wait(), process.wait()) == [3, 3]

    seen = json.loads(process.connection.recv(4096))
    assert seen["conninfo"] == "dbname=elsewhere"
    assert seen["descriptors"] == seen["expected"]
    assert seen["session"] == process.pid


async def test_a_signal_ends_it_and_a_second_one_finds_no_process(fork: Fork) -> None:
    process = fork(sleep)
    process.send_signal(signal.SIGTERM)

    assert await process.wait() == -signal.SIGTERM

    with pytest.raises(ProcessLookupError):
        process.send_signal(signal.SIGTERM)


async def test_an_error_ends_it_alone(fork: Fork) -> None:
    process = fork(fail)
    process.hand_over(HANDOVER)

    assert await process.wait() == 1


def test_a_start_that_fails_leaves_no_process_and_no_message() -> None:
    """The child sees its pipe close before the kernel signals that its parent has died."""
    done = subprocess.run([sys.executable, "-c", FAILED_START], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert not psutil.pid_exists(int(done.stdout))


async def test_one_that_died_before_its_handover_is_reported_by_its_end(fork: Fork) -> None:
    process = fork(sleep)
    process.send_signal(signal.SIGKILL)
    process.hand_over(HANDOVER)

    assert await process.wait() == -signal.SIGKILL
