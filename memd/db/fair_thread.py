"""A thread for work that takes long or needs much memory: one piece at a time, each caller's in turn.

In the threads that all requests share, a few such pieces would leave none to the requests of others.
"""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from memd.db.fair_queue import FairQueue

T = TypeVar("T")


class FairThread:
    """Runs one piece of work at a time, each caller's in turn; a piece should take a second at most."""

    def __init__(self) -> None:
        self._waiting: FairQueue[asyncio.Future[None]] = FairQueue()
        self._is_busy = False

    async def run(self, work: Callable[[], T]) -> T:
        """The result of the work, in a thread, when it is the caller's turn."""
        if self._is_busy:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._pass_on()
                raise
        self._is_busy = True
        try:
            return await asyncio.to_thread(work)
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        """Let the next one begin that still waits."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._is_busy = False
