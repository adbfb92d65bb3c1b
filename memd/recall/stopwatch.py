"""How long the stages of one request take, for its debug output."""

import time
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Stopwatch:
    """Milliseconds by stage: laps are sequential; concurrent work is timed separately."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._started = time.perf_counter()

    def lap(self, stage: str) -> None:
        """End a stage; the next one begins."""
        now = time.perf_counter()
        self.laps[stage] = round((now - self._started) * 1000, 3)
        self._started = now

    async def timed(self, stage: str, work: Callable[P, Awaitable[T]], *args: P.args, **named: P.kwargs) -> T:
        """Await the work, which may run concurrently with other work, and return its result."""
        begin = time.perf_counter()
        result = await work(*args, **named)
        self.laps[stage] = round((time.perf_counter() - begin) * 1000, 3)
        return result
