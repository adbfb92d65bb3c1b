"""Giving memory that was freed back to the system, which glibc's allocator does only in part.

It keeps an arena for each thread, raises its thresholds to the sizes that were freed, and gives back the end of an arena
alone, below which one small block holds all that is free. After a burst of large requests memd kept 950 MB of which
580 MB were free.
"""

import asyncio
import ctypes
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from time import process_time
from typing import Any, Final

from memd.cancellation import cancel_and_wait

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
OPTIONS: Final = {_ARENA_MAX: 1, _MMAP_THRESHOLD: 4 << 20, _TRIM_THRESHOLD: 32 << 20}
"""One arena: the interpreter's lock leaves little to contend for. Blocks of 4 MiB and more are mapped one by one, and go
back when they are freed, as does the end of the arena from 32 MiB on; less would be taken again by the next request."""
INTERVAL_S: Final = 20.0
WORK_S: Final = 1.0
"""Seconds of processor time after which a trim is worth its own: 0.03 s for 500 MB."""


def set_allocator_options() -> None:
    """Set OPTIONS for this process, before it starts threads; does nothing where the C library is not glibc."""
    set_option = _function("mallopt")
    if set_option is not None:
        for option, value in OPTIONS.items():
            set_option(option, value)


@asynccontextmanager
async def trimming(interval_s: float = INTERVAL_S, work_s: float = WORK_S) -> AsyncGenerator[None]:
    """During the block, what the process has freed goes back every `interval_s` seconds in which it has worked for `work_s`."""
    trim = _function("malloc_trim")
    if trim is None:
        yield
        return
    task = asyncio.create_task(_trim_often(trim, interval_s, work_s), name="trim")
    try:
        yield
    finally:
        await cancel_and_wait([task], again_after_s=1)


async def _trim_often(trim: Callable[[int], int], interval_s: float, work_s: float) -> None:
    trimmed_at = process_time()
    while True:
        await asyncio.sleep(interval_s)
        if process_time() - trimmed_at >= work_s:
            await asyncio.to_thread(trim, 0)
            trimmed_at = process_time()


def _function(name: str) -> Any:
    return getattr(ctypes.CDLL(None), name, None)
