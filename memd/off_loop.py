"""Computing on texts without holding up the event loop."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

T = TypeVar("T")

INLINE_CHARACTERS: Final = 4_000
"""What takes less time than a thread's start and the switches between it and the event loop."""

MANY: Final = 25
"""Several texts together may have this many times INLINE_CHARACTERS before a thread is used."""


async def computed(work: Callable[[], T], characters: int) -> T:
    """The result of `work`, which only computes, on this many characters; a thread computes it if they are many."""
    return await asyncio.to_thread(work) if characters > INLINE_CHARACTERS else work()


async def computed_on_texts(work: Callable[[], T], texts: Iterable[str]) -> T:
    """As `computed`, for work on each of the texts: a thread does it if one of them is long, or all together are."""
    lengths = list(map(len, texts))
    return await computed(work, max((sum(lengths) // MANY, *lengths)))
