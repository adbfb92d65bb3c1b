"""A measurement that all callers share: one runs at a time, and its result serves for a second."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic
from typing import Final

from memctl.wire.enums import LagKind

FRESH_S: Final = 1.0
Lags = Mapping[LagKind, int]


class SharedLag:
    """The last lag over all users (milliseconds by kind; None when it could not be measured)."""

    def __init__(self) -> None:
        """Nothing is measured yet."""
        self._turn = asyncio.Lock()
        self._lags: Lags | None = None
        self._fresh_until = 0.0

    async def get(self, measure: Callable[[], Awaitable[Lags | None]]) -> Lags | None:
        """The last result, or that of `measure` when it is older than a second; concurrent callers share one measurement."""
        async with self._turn:
            if monotonic() >= self._fresh_until:
                self._lags = await measure()
                self._fresh_until = monotonic() + FRESH_S
            return self._lags

    def forget(self) -> None:
        """Measure at the next call."""
        self._fresh_until = 0.0
