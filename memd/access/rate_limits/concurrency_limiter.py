"""Concurrent requests: a limit per user, first come first served, and a fair share of the server."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from memd.errors import RateLimitExceeded, ServerBusy

MAX_WAITING: Final = 100
RETRY_AFTER_MS: Final = 1000


@dataclass(slots=True)
class _UserQueue:
    """The queue of one user: running requests, at most `limit`, and waiting ones."""

    limit: int
    running: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque[asyncio.Future[None]])

    @property
    def free(self) -> bool:
        return self.running < self.limit

    def leave(self) -> None:
        """End one running request and admit the next."""
        self.running -= 1
        while self.waiting and self.free:
            self.running += 1
            self.waiting.popleft().set_result(None)


class ConcurrencyLimiter:
    """Who runs and who waits; everything happens on the event loop, so nothing needs a lock."""

    def __init__(self, wait_s: float, max_in_flight: int, max_running: int = 32, unlimited_wait_s: float = 30) -> None:
        """`max_running` requests of a user without a limit run at once; others of it wait for `unlimited_wait_s` at most.

        All running requests take turns on the event loop, so that without it one user's hundreds would slow down
        everybody's.
        """
        self._wait_s = wait_s
        self._max_in_flight = max_in_flight
        self._max_running = max_running
        self._unlimited_wait_s = unlimited_wait_s
        self._in_flight: Counter[Hashable] = Counter()
        self._total = 0
        self._queues: dict[UUID, _UserQueue] = {}

    @asynccontextmanager
    async def hold(self, user_id: UUID, limit: int | None) -> AsyncGenerator[None]:
        """Hold one of the user's `limit` slots (None: no limit of its own) for the block.

        Waits its turn for at most the configured seconds, then `RateLimitExceeded`; so does request 101 of those that
        wait. A user without a limit gets `ServerBusy` instead, and as many may wait as `admit` lets in, which counts
        running and waiting requests alike.
        """
        async with self.admit(user_id), self._slot(user_id, limit):
            yield

    @asynccontextmanager
    async def hold_shared(self, own: tuple[UUID, int | None], shared: tuple[UUID, int | None]) -> AsyncGenerator[None]:
        """Hold a slot of an end user and one of its account, each an id with its limit, for the block.

        The slot of the end user comes first: a request that still waits for it holds none of the account.
        `RateLimitExceeded` and `ServerBusy` as for `hold`; the share of the server is that of the account.
        """
        async with self.admit(shared[0]), self._slot(*own), self._slot(*shared):
            yield

    @asynccontextmanager
    async def _slot(self, user_id: UUID, limit: int | None) -> AsyncGenerator[None]:
        slots = self._max_running if limit is None else limit
        queue = self._queues.setdefault(user_id, _UserQueue(slots))
        queue.limit = slots
        try:
            if limit is None:
                await self._enter(queue, self._unlimited_wait_s, ServerBusy)
            elif len(queue.waiting) >= MAX_WAITING:
                raise RateLimitExceeded(RETRY_AFTER_MS)
            else:
                await self._enter(queue, self._wait_s, RateLimitExceeded)
            try:
                yield
            finally:
                queue.leave()
        finally:
            if not queue.running and not queue.waiting:
                self._queues.pop(user_id, None)

    @asynccontextmanager
    async def admit(self, caller: Hashable) -> AsyncGenerator[None]:
        """Count one request of a caller for the block; `ServerBusy` when the server or the caller's share is full.

        A caller may hold as many slots as are free (the dynamic threshold of Choudhury and Hahne, 1998, with factor
        1): alone half of them, n greedy callers 1/(n + 1) each, and there is always one left for a new caller.
        """
        if self._in_flight[caller] >= self._max_in_flight - self._total:
            raise ServerBusy(RETRY_AFTER_MS)
        self._in_flight[caller] += 1
        self._total += 1
        try:
            yield
        finally:
            self._total -= 1
            self._in_flight[caller] -= 1
            if not self._in_flight[caller]:
                del self._in_flight[caller]

    async def _enter(self, queue: _UserQueue, wait_s: float, refusal: type[RateLimitExceeded | ServerBusy]) -> None:
        """Take a slot, waiting for it if need be; the `refusal` when none has become free in time."""
        if queue.free and not queue.waiting:
            queue.running += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.waiting.append(turn)
        try:
            await asyncio.wait([turn], timeout=wait_s)
        except asyncio.CancelledError:
            self._give_up(queue, turn)
            raise
        if not turn.done():
            queue.waiting.remove(turn)
            raise refusal(RETRY_AFTER_MS)

    @staticmethod
    def _give_up(queue: _UserQueue, turn: asyncio.Future[None]) -> None:
        """Leave the queue; a slot that was handed over at the same moment goes to the next."""
        if turn.done():
            queue.leave()
        else:
            queue.waiting.remove(turn)
