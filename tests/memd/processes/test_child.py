"""A child that cannot be connected to ends before another one is started in its place."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, NoReturn

import pytest

from memd.cancellation import cancel_and_wait
from memd.embed.providers.lazy import EmbedderTraits
from memd.processes.child import Child, Kind
from memd.processes.forked import CAN_FORK, fork_processes
from memd.processes.handover import Handover
from memd.settings import Settings

TRAITS = EmbedderTraits("model", 384, cased=False, latin_only=True, batch_size=32, parallelism=1)


def refused() -> NoReturn:
    """A connection that cannot be made."""
    raise OSError("no connection")


def sleep(_stream: IO[bytes]) -> int:
    """A program that ends by a signal only."""
    time.sleep(60)
    return 0


def handovers(folder: Path) -> Callable[[], Awaitable[Handover]]:
    """Gives a handover once; whoever asks for a second one waits."""
    given = iter([Handover(os.getpid(), Settings(data_dir=folder), "dbname=elsewhere", TRAITS, model=7)])

    async def handover() -> Handover:
        return next(given, None) or await asyncio.Future[Handover]()

    return handover


@pytest.mark.skipif(not CAN_FORK, reason="memd forks on Linux only")
async def test_a_child_that_memd_cannot_connect_to_is_ended(tmp_path: Path) -> None:
    [forked] = fork_processes(1, sleep)
    child = Child(Kind.WORKER, handovers(tmp_path), refused, forked)
    running = asyncio.create_task(child.keep_running())
    try:
        assert await asyncio.wait_for(forked.wait(), 20) == -signal.SIGKILL
        await asyncio.sleep(0)
        assert forked.connection.fileno() == -1
        assert child.process is None
    finally:
        await cancel_and_wait([running], again_after_s=1)
        with suppress(ProcessLookupError):
            os.kill(forked.pid, signal.SIGKILL)
