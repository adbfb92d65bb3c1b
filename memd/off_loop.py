"""Computing without holding up the event loop.

What may be short or long takes a thread only if it is long: `in_thread_if_long`, `in_thread_if_any_long`; what is long
is given to `in_thread`. Of these threads each caller (`CALLER`) has its share. What takes seconds or much memory has a
`FairThread`, so that a few such pieces do not occupy the threads that all requests share: of a request body,
`body_in_thread` decides by its size; the rows of a batch or an import are read `in_pieces`.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Final, TypeVar

from memd.db.connections.fair_queue import CALLER
from memd.db.connections.fair_turns import FairTurns
from memd.db.connections.shares import Shares

T = TypeVar("T")
Item = TypeVar("Item")

INLINE_CHARACTERS: Final = 4_000
"""What takes less time than a thread's start and the switches between it and the event loop."""
MANY: Final = 25
"""Several texts together may have this many times INLINE_CHARACTERS before a thread is used."""
LARGE_BYTES: Final = 4 << 20
"""From this size on, bodies are parsed, and later their fields read, one at a time: a single emoji makes every character of a text take four bytes."""
PIECE_CHARACTERS: Final = 100_000
"""Characters of texts that are read before the next caller has its turn: half a second of work at most."""
ITEM_CHARACTERS: Final = 100
"""Characters that are read in the time that an item takes besides its text."""
THREADS: Final = 4
"""Threads for long work; more would only wait for the interpreter, and the event loop with them."""


async def in_thread(work: Callable[..., T], *arguments: object) -> T:
    """The result of `work`, which only computes, in a thread; it starts once the caller has one of its share.

    The work of a caller that is cancelled meanwhile is done to its end, and counts until then. What it logs has the
    context of the request.
    """
    caller = CALLER.get()
    await _SHARES.take(caller)
    in_context: Callable[[], T] = partial(copy_context().run, work, *arguments)
    running = asyncio.get_running_loop().run_in_executor(_POOL, in_context)
    running.add_done_callback(lambda _: _SHARES.give_back(caller))
    return await asyncio.shield(running)


async def in_thread_if_long(work: Callable[[], T], characters: int) -> T:
    """The result of `work`, which only computes, on this many characters; a thread computes it if they are many."""
    return await in_thread(work) if characters > INLINE_CHARACTERS else work()


async def in_thread_if_any_long(work: Callable[[], T], texts: Iterable[str]) -> T:
    """The same for work on each of the texts: a thread does it if one of them is long, or all together are."""
    lengths = list(map(len, texts))
    return await in_thread_if_long(work, max((sum(lengths) // MANY, *lengths)))


async def body_in_thread(work: Callable[[], T], size: int) -> T:
    """The result of `work` on `size` bytes of a body, computed in a thread; large bodies one at a time."""
    return await (in_thread(work) if size < LARGE_BYTES else _LARGE_BODIES.run(work))


class FairThread:
    """Runs one piece of work at a time, each caller's (`CALLER`) in turn; a piece should take a second at most.

    A piece whose caller is cancelled is still run to its end before the next one.
    """

    def __init__(self) -> None:
        self._turns = FairTurns(1)
        self._thread = ThreadPoolExecutor(1, "fair")

    async def run(self, work: Callable[[], T]) -> T:
        """The result of the work, in the thread and in the context of the request, when it is the caller's turn."""
        return await self._turns.run(self._thread, copy_context().run, work)


_SHARES: Final = Shares(THREADS)
_POOL: Final = ThreadPoolExecutor(THREADS, "off-loop")
_LARGE_BODIES: Final = FairThread()
_TEXTS: Final = FairThread()


async def in_pieces(
    work: Callable[[Sequence[Item]], Sequence[T]], items: Sequence[Item], characters: Callable[[Item], int]
) -> list[T]:
    """What `work`, which only computes, returns for the items, called with about PIECE_CHARACTERS of them at a time.

    One piece of all callers runs at a time, and none that its caller no longer waits for.
    """
    return [result for piece in _pieces(items, characters) for result in await _TEXTS.run(partial(work, piece))]


def _pieces(items: Sequence[Item], characters: Callable[[Item], int]) -> Iterator[list[Item]]:
    """The items in pieces of about PIECE_CHARACTERS, each at least one item."""
    piece, size = list[Item](), 0
    for item in items:
        piece.append(item)
        size += characters(item) + ITEM_CHARACTERS
        if size >= PIECE_CHARACTERS:
            yield piece
            piece, size = list[Item](), 0
    if piece:
        yield piece
