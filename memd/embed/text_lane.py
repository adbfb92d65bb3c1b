"""Micro-batches: single texts that wait for a thread are taken together by the next thread that is free."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from memd.db.connections.fair_queue import FairQueue
from memd.embed.providers.provider import Vector

MICRO_BATCH: Final = 4
"""The most texts per call: a query that arrives meanwhile waits for at most this many."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A text, and its vector once it is known; cancelled when its caller has left."""

    text: str
    row: asyncio.Future[Vector]


class TextLane:
    """Shares some threads between single texts, of each caller (`CALLER`) in turn. Of one event loop."""

    def __init__(self, start: Callable[[Sequence[str]], asyncio.Future[Vector]], *, threads: int, maximum: int) -> None:
        """`start` begins a call of the embedder on a thread, at most `threads` at once with `maximum` texts each."""
        self._start = start
        self._threads = threads
        self._maximum = maximum
        self._queue = FairQueue[_Waiting]()
        self._calls: set[asyncio.Task[None]] = set()

    async def embed(self, text: str) -> Vector:
        """The vector [dimensions] of the text; raises what the embedder raises for it."""
        waiting = _Waiting(text, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._fill()
        return await waiting.row

    def _fill(self) -> None:
        """Give each free thread a share of the texts that wait."""
        while len(self._calls) < self._threads and (batch := self._take()):
            call = asyncio.create_task(self._embed(batch))
            self._calls.add(call)
            call.add_done_callback(self._ended)

    def _ended(self, call: asyncio.Task[None]) -> None:
        self._calls.discard(call)
        self._fill()

    def _take(self) -> list[_Waiting]:
        """The next texts for one of the free threads, without those whose callers have left."""
        share = min(self._maximum, ceil(len(self._queue) / (self._threads - len(self._calls))))
        batch: list[_Waiting] = []
        while self._queue and len(batch) < share:
            waiting = self._queue.popleft()
            if not waiting.row.done():
                batch.append(waiting)
        return batch

    async def _embed(self, batch: Sequence[_Waiting]) -> None:
        """One call for the batch; if it fails, one for each text, so that a text fails for its own reason only."""
        try:
            rows = await self._start([waiting.text for waiting in batch])
        except Exception as error:  # noqa: BLE001 -- every waiting caller gets the error
            if len(batch) > 1:
                for waiting in batch:
                    await self._embed([waiting])
            elif not batch[0].row.done():
                batch[0].row.set_exception(error)
        else:
            for waiting, row in zip(batch, rows, strict=True):
                if not waiting.row.done():
                    waiting.row.set_result(row)
