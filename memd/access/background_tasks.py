"""Background tasks that run after the reply: bounded, and never lost on a clean stop."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from contextlib import suppress
from typing import Any

import structlog

from memd.errors import Unauthorized

log = structlog.get_logger()


class BackgroundTasks:
    """Runs coroutines after replies; `drain()` waits for all of them."""

    def __init__(self, maximum: int = 4, wait_s: float = 1.0) -> None:
        """At most `maximum` at once; a batch is written after `wait_s` seconds."""
        self._slots = asyncio.Semaphore(maximum)
        self._tasks: set[asyncio.Task[None]] = set()
        self._wait_s = wait_s
        self._gathered: dict[Hashable, list[Any]] = {}
        self._draining = asyncio.Event()

    def run(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        """Start `work` now; a failure is logged by name and never reaches a client."""
        self._start(self._in_turn(work), name)

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(self._guarded(work, name), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def gather(self, name: str, key: Hashable, item: Any, write: Callable[[list[Any]], Awaitable[None]]) -> None:
        """Batch `item` for a short time; then the `write` of the first one gets all items with this name and key."""
        items = self._gathered.get((name, key))
        if items is not None:
            items.append(item)
            return
        self._gathered[name, key] = [item]
        self._start(self._write_later((name, key), write), name)

    async def drain(self) -> None:
        """Write the batches, and wait until every task has finished."""
        self._draining.set()
        while self._tasks:
            await asyncio.gather(*self._tasks)
        self._draining.clear()

    async def _write_later(self, key: Hashable, write: Callable[[list[Any]], Awaitable[None]]) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._draining.wait(), self._wait_s)
        async with self._slots:
            await write(self._gathered.pop(key))

    async def _guarded(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        try:
            await work
        except Unauthorized:
            log.info("background_task.user_erased", work=name)
        except Exception:
            log.exception("background_task.failed", work=name)

    async def _in_turn(self, work: Coroutine[Any, Any, Any]) -> None:
        async with self._slots:
            await work
