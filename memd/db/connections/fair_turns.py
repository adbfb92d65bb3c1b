"""A semaphore for which the callers wait in turn: what one of them has waiting does not delay the others."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import ParamSpec, TypeVar

from memd.db.connections.fair_queue import FairQueue

P = ParamSpec("P")
T = TypeVar("T")


class FairTurns:
    """Lets `count` tasks in at a time, each caller's (`CALLER`) in turn. Of one event loop."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: FairQueue[asyncio.Future[None]] = FairQueue()

    async def run(self, pool: Executor, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of `work` in a thread of the pool, when it is the caller's turn."""
        await self.take()
        return await self.in_thread(pool, work, *args, **kwargs)

    async def in_thread(self, pool: Executor, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for a caller that has taken a turn, which ends with the work.

        It lasts as long as the thread does, not as long as the caller waits: who cancels does not get another thread
        while the first one is still at work. What has not begun by then does not run.
        """
        loop = asyncio.get_running_loop()
        try:
            running = pool.submit(work, *args, **kwargs)
        except BaseException:
            self.give_back()
            raise
        running.add_done_callback(lambda _: None if loop.is_closed() else loop.call_soon_threadsafe(self.give_back))
        return await asyncio.wrap_future(running)

    async def take(self) -> None:
        """Wait for a turn."""
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back()
            raise

    def give_back(self) -> None:
        """End a turn: the next one that still waits has it."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
