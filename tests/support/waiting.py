"""Waiting for what another task, thread or process does and tells nobody."""

import asyncio
import time
from collections.abc import Callable

PATIENCE_S = 60


def wait_until(holds: Callable[[], object], patience_s: float = PATIENCE_S) -> float:
    """Wait for what is bound to hold in the end; the seconds that it took. AssertionError after `patience_s`."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() - begun < patience_s, f"not within {patience_s} seconds"
        time.sleep(0.05)
    return time.monotonic() - begun


async def until(holds: Callable[[], bool]) -> None:
    """The same for tests with an event loop, which goes on meanwhile; TimeoutError after PATIENCE_S."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 - it raises no event
            await asyncio.sleep(0.005)
