"""Cancelling background tasks."""

import asyncio
from collections.abc import Iterable
from typing import Any


async def cancel_and_wait(tasks: Iterable[asyncio.Task[Any]], *, again_after_s: float) -> None:
    """Cancel the tasks and wait until all have ended; their exceptions are dropped.

    A library may swallow a cancellation that arrives while it starts or stops. A task that is still there after
    `again_after_s` seconds is cancelled again.
    """
    ending = list(tasks)
    pending = set(ending)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=again_after_s)
    await asyncio.gather(*ending, return_exceptions=True)
