"""Work that happens after the reply: bounded, and never lost on a clean stop."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog

log = structlog.get_logger()


class Afterwards:
    """Runs coroutines behind replies; `drain()` waits for all of them."""

    def __init__(self, most: int = 4) -> None:
        self._slots = asyncio.Semaphore(most)
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        """Start `work` now; a failure is logged by name and never reaches a client."""
        task = asyncio.create_task(self._guarded(work, name), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def drain(self) -> None:
        """Wait until everything that was started has ended."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def _guarded(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        async with self._slots:
            try:
                await work
            except Exception:
                log.exception("afterwards.failed", work=name)
