"""memtui with very many memories: time to the first screen of memories, and of a sort and a filter until they are drawn."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from textual.pilot import Pilot

from memctl.client import MemdClient
from tests.bench.latency import prepare
from tests.bench.serving import serving
from tui.app import Memtui
from tui.presenters.memories import SORTED_COLUMNS, MemoryFilter
from tui.screens.memories import MemoriesScreen
from tui.widgets.memory_filters import MemoryFilters

SIZE: Final = 100_000
ROUNDS: Final = 5
FILTERS: Final = tuple(MemoryFilter(text=text) for text in ("rep", "meet", "budget", "proj", "the cust", "zzz"))


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds until the rows are drawn."""

    first: float
    sorts: Sequence[float]
    filters: Sequence[float]


async def _settled(pilot: Pilot[None]) -> None:
    """Wait until the rows are drawn and the next page is read ahead."""
    await pilot.pause(0)
    while any(worker.group == "load" for worker in pilot.app.workers):  # noqa: ASYNC110 - workers have no event
        await asyncio.sleep(0.001)


async def _timed(pilot: Pilot[None], act: Callable[[], Awaitable[None]]) -> float:
    begin = time.perf_counter()
    await act()
    await _settled(pilot)
    return (time.perf_counter() - begin) * 1000


async def _measure(url: str, key: str) -> Times:
    begin = time.perf_counter()
    async with MemdClient(url, key) as client:
        app = Memtui(client, tab="memories")
        async with app.run_test(size=(120, 40)) as pilot:
            await _settled(pilot)
            first = (time.perf_counter() - begin) * 1000
            screen = app.screen
            assert isinstance(screen, MemoriesScreen)

            async def choose(chosen: MemoryFilter) -> None:
                screen.on_memory_filters_changed(MemoryFilters.Changed(chosen, is_settled=True))

            async def sort(column: str) -> None:
                screen.action_sort(column)

            sorts = [
                await _timed(pilot, lambda name=name: sort(name)) for _ in range(ROUNDS) for name in SORTED_COLUMNS
            ]
            filters = [await _timed(pilot, lambda each=each: choose(each)) for _ in range(ROUNDS) for each in FILTERS]
    return Times(first, sorted(sorts), sorted(filters))


def measure(size: int = SIZE) -> Times:
    """With a user of this many memories on a separate memd; a page read ahead counts with the first one."""
    with serving("minilm") as daemon:
        tenant, _ = prepare(daemon, size)
        return asyncio.run(_measure(daemon.url, tenant.key))
