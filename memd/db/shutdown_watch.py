"""Ends a stopping process whose database no longer answers: it would wait for the server forever."""

import asyncio
import os
import re
import sys
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Final

import structlog
from psycopg import AsyncConnection, OperationalError

from memd.cancellation import cancel_and_wait

log = structlog.get_logger()
ANSWER_S: Final = 2
"""How long the server may take to answer."""
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
        if await _answers(conninfo):
            answered = time.monotonic()
        await asyncio.sleep(PAUSE_S)
    log.warning("memd.stopped_without_database")
    sys.stdout.flush()
    os._exit(0)


async def _answers(conninfo: str) -> bool:
    """Whether the server answers at all: a refusal (too many clients, starting up) is an answer as well."""
    try:
        connection = await AsyncConnection.connect(conninfo, connect_timeout=ANSWER_S)
    except OperationalError as error:
        # A refused connection has no SQLSTATE; libpq quotes the severity and the text that the server has sent.
        return re.search(r" failed: \w+:  ", str(error)) is not None
    await connection.close()
    return True
