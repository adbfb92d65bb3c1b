"""Ends a stopping process whose database no longer answers: it would wait for the server forever."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Final

import structlog

from memd.cancellation import cancel_and_wait
from memd.db.connections.answers import answers

log = structlog.get_logger()
SILENCE_S: Final = 6
PAUSE_S: Final = 0.5


@asynccontextmanager
async def shutdown_watch(conninfo: str) -> AsyncGenerator[Callable[[], None]]:
    """A function to call when the process is asked to stop.

    From then on until the end of the block, the process exits as soon as the server has not answered for SILENCE_S
    seconds. Nothing is lost: what is acknowledged is committed, and another worker runs its jobs again.
    """
    tasks: list[asyncio.Task[None]] = []

    def stopping() -> None:
        if not tasks:
            tasks.append(asyncio.create_task(_exit_when_silent(conninfo)))

    try:
        yield stopping
    finally:
        await cancel_and_wait(tasks, again_after_s=1)


async def _exit_when_silent(conninfo: str) -> None:
    answered = time.monotonic()
    while time.monotonic() - answered < SILENCE_S:
        if await answers(conninfo):
            answered = time.monotonic()
        await asyncio.sleep(PAUSE_S)
    log.warning("memd.stopped_without_database")
    sys.stdout.flush()
    os._exit(0)
