"""The order in which requests wait for a connection: one request of each caller in turn.

First come, first served would let the requests of one caller, as many as it may have running, delay those of all others.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Hashable
from contextvars import ContextVar
from typing import Final, TypeVar

T = TypeVar("T")
CALLER: Final[ContextVar[Hashable]] = ContextVar("caller", default=None)
"""The caller whose turn the current request takes; requests without a caller share one turn."""


class FairQueue(deque[T]):
    """A queue for `append` and `popleft`, in the order of start-time fair queuing (Goyal, Vin and Cheng, 1996).

    Each item gets a tag: the one after the caller's previous item, or that of the item served last if it is higher.
    Lower tags are served first, equal ones in the order of their arrival.
    """

    def __init__(self) -> None:
        super().__init__()
        self._tags = deque[int]()
        self._next: dict[Hashable, int] = {}
        self._served = 0

    def append(self, x: T, /) -> None:
        """Add an item of the running request's CALLER."""
        caller = CALLER.get()
        tag = max(self._served, self._next.get(caller, 0))
        self._next[caller] = tag + 1
        position = bisect_right(self._tags, tag)
        self._tags.insert(position, tag)
        self.insert(position, x)

    def popleft(self) -> T:
        """The item that is served next; `IndexError` when there is none."""
        item = super().popleft()
        self._served = self._tags.popleft()
        if not self:
            self._next.clear()
        return item

    def clear(self) -> None:
        """Remove all items."""
        super().clear()
        self._tags.clear()
        self._next.clear()
