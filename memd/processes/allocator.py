"""Returns freed memory to the system, which glibc's allocator does only in part.

It keeps an arena for each thread, raises its thresholds to the sizes that were freed, and returns only the end of an
arena: one small block there holds back all that is free below it. After a burst of large requests memd kept 950 MB, of
which 580 MB were free, in the arenas of all threads.

Fewer arenas or fixed thresholds (`mallopt`) keep less memory, but slow an import down by up to a tenth.
"""

import asyncio
import ctypes
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from time import process_time
from typing import Final

from memd.cancellation import cancel_and_wait

INTERVAL_S: Final = 20.0
WORK_S: Final = 1.0
"""Seconds of processor time after which a trim is worth its own: 0.03 s for 500 MB."""
QUIET_S: Final = 0.1
"""Seconds of processor time that an idle process stays below during an interval."""


@asynccontextmanager
async def trimming(interval_s: float = INTERVAL_S, work_s: float = WORK_S) -> AsyncGenerator[None]:
    """During the block, return freed memory every `interval_s` seconds, if the process used `work_s` of processor time since.

    After any work, it is returned once more when the process has become quiet: what a burst freed after the last trim.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is None:
        yield
        return
    task = asyncio.create_task(_trim_often(trim, interval_s, work_s), name="trim")
    try:
        yield
    finally:
        await cancel_and_wait([task], again_after_s=1)


async def _trim_often(trim: Callable[[int], int], interval_s: float, work_s: float) -> None:
    trimmed_at = seen_at = process_time()
    has_worked = False
    while True:
        await asyncio.sleep(interval_s)
        now = process_time()
        is_quiet = now - seen_at < QUIET_S
        has_worked = has_worked or not is_quiet
        if now - trimmed_at >= work_s or (has_worked and is_quiet):
            await asyncio.to_thread(trim, 0)
            trimmed_at, has_worked = process_time(), not is_quiet
        seen_at = process_time()
