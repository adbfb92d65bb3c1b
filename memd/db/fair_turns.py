"""A semaphore for which the callers wait in turn: what one of them has waiting does not delay the others."""

import asyncio
from types import TracebackType

from memd.db.fair_queue import FairQueue


class FairTurns:
    """Lets `count` tasks in at a time, each caller's (`CALLER`) in turn; used as `async with`."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: FairQueue[asyncio.Future[None]] = FairQueue()

    async def __aenter__(self) -> None:
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
                self._pass_on()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the next one in."""
        self._pass_on()

    def _pass_on(self) -> None:
        """Give the turn to the next one that still waits."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
