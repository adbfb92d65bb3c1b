"""Computing without holding up the event loop.

What may be short or long takes a thread only if it is long: `in_thread_if_long`, `in_thread_if_any_long`. What takes
seconds or much memory has a `FairThread`, so that a few such pieces do not occupy the threads that all requests share;
of a request body, `body_in_thread` decides by its size. What is always long, such as the rows of an import, is given to
`asyncio.to_thread`.
"""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from memd.db.fair_turns import FairTurns

T = TypeVar("T")

INLINE_CHARACTERS: Final = 4_000
"""What takes less time than a thread's start and the switches between it and the event loop."""
MANY: Final = 25
"""Several texts together may have this many times INLINE_CHARACTERS before a thread is used."""
LARGE_BYTES: Final = 4 << 20
"""From this size on, bodies are parsed, and later their fields read, one at a time: a single emoji makes every character of a text take four bytes."""


async def in_thread_if_long(work: Callable[[], T], characters: int) -> T:
    """The result of `work`, which only computes, on this many characters; a thread computes it if they are many."""
    return await asyncio.to_thread(work) if characters > INLINE_CHARACTERS else work()


async def in_thread_if_any_long(work: Callable[[], T], texts: Iterable[str]) -> T:
    """The same for work on each of the texts: a thread does it if one of them is long, or all together are."""
    lengths = list(map(len, texts))
    return await in_thread_if_long(work, max((sum(lengths) // MANY, *lengths)))


async def body_in_thread(work: Callable[[], T], size: int) -> T:
    """The result of `work` on `size` bytes of a body, computed in a thread; large bodies one at a time."""
    return await (asyncio.to_thread(work) if size < LARGE_BYTES else _LARGE_BODIES.run(work))


class FairThread:
    """Runs one piece of work at a time, each caller's (`CALLER`) in turn; a piece should take a second at most.

    A piece whose caller is cancelled is still run to its end before the next one.
    """

    def __init__(self) -> None:
        self._turns = FairTurns(1)
        self._thread = ThreadPoolExecutor(1, "fair")

    async def run(self, work: Callable[[], T]) -> T:
        """The result of the work, in the thread, when it is the caller's turn."""
        async with self._turns:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)


_LARGE_BODIES: Final = FairThread()
