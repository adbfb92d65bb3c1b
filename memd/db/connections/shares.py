"""How many connections or threads of a pool each caller may hold: a statement may take 20 seconds."""

import asyncio
from collections import Counter, deque
from collections.abc import Hashable
from typing import Final

PER_FREE: Final = 3
"""How many a caller may hold for each one that is free."""


class Shares:
    """Counts who holds the connections, or threads, of one pool; None is memd itself, which never waits.

    A caller that holds none may always take one. One that has some takes another only if PER_FREE for each one
    that is then free are no fewer than its own (the dynamic threshold of Choudhury and Hahne, 1998): alone it gets three
    quarters of a pool, and two or more greedy callers together leave one to the next. A pool that is too small to keep
    one is not shared out.
    """

    def __init__(self, size: int, caller_max: int | None = None) -> None:
        """The shares of a pool of `size`, none of which is held; where it is shared out, no caller holds over `caller_max`."""
        self._limited = size > PER_FREE
        self._caller_max = size if caller_max is None else caller_max
        self._free = size
        self._held = Counter[Hashable]()
        self._waiting = dict[Hashable, deque[asyncio.Future[None]]]()

    async def take(self, caller: Hashable, timeout_s: float | None = None) -> None:
        """Count one more for the caller once it may have it; `TimeoutError` after `timeout_s` seconds, if given."""
        if caller is None or (caller not in self._waiting and self._may_take(caller)):
            self._count(caller)
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(caller, deque()).append(turn)
        try:
            await asyncio.wait([turn], timeout=timeout_s)
        except asyncio.CancelledError:
            self._give_up(caller, turn)
            raise
        if not turn.done():
            self._leave(caller, turn)
            raise TimeoutError

    def give_back(self, caller: Hashable) -> None:
        """Count one less for the caller; of those that wait, whoever holds the fewest is next."""
        self._free += 1
        self._held[caller] -= 1
        if not self._held[caller]:
            del self._held[caller]
        while self._waiting:
            following = min(self._waiting, key=self._held.__getitem__)
            if not self._may_take(following):
                return
            turn = self._waiting[following][0]
            self._leave(following, turn)
            self._count(following)
            turn.set_result(None)

    def _may_take(self, caller: Hashable) -> bool:
        held = self._held[caller]
        return not self._limited or not held or held < min(self._caller_max, PER_FREE * (self._free - 1))

    def _count(self, caller: Hashable) -> None:
        self._free -= 1
        self._held[caller] += 1

    def _leave(self, caller: Hashable, turn: asyncio.Future[None]) -> None:
        turns = self._waiting[caller]
        turns.remove(turn)
        if not turns:
            del self._waiting[caller]

    def _give_up(self, caller: Hashable, turn: asyncio.Future[None]) -> None:
        """Stop waiting; what was handed over at the same moment goes to the next."""
        if turn.done():
            self.give_back(caller)
        else:
            self._leave(caller, turn)
