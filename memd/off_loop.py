"""Computing on texts without holding up the event loop."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

INLINE_CHARACTERS: Final = 4_000
"""What takes less time than a thread's start and the switches between it and the event loop."""


async def computed(work: Callable[[], T], characters: int) -> T:
    """The result of `work`, which only computes, on this many characters; a thread computes it if they are many."""
    return await asyncio.to_thread(work) if characters > INLINE_CHARACTERS else work()
