"""A thread for work that takes long or needs much memory: one piece at a time, each caller's in turn.

In the threads that all requests share, a few such pieces would leave none to the requests of others.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from memd.db.fair_turns import FairTurns

T = TypeVar("T")


class FairThread:
    """Runs one piece of work at a time, each caller's in turn; a piece should take a second at most.

    A piece whose caller is cancelled is still run to its end before the next one.
    """

    def __init__(self) -> None:
        self._turns = FairTurns(1)
        self._thread = ThreadPoolExecutor(1, "fair")

    async def run(self, work: Callable[[], T]) -> T:
        """The result of the work, in the thread, when it is the caller's turn."""
        async with self._turns:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
