"""The pages of a filtered list of memories: reads one at a time and keeps the cursors of those behind.

memd filters by store and category. For the other filters memtui reads on until a page is full, and says how far it is.
"""

from collections.abc import Callable
from dataclasses import dataclass

from memctl.client import MemdClient
from memctl.wire.export import ExportedMemory

from ..presenters.memories import MemoryFilter

PAGE = 100
"""Rows of a page."""
SCAN_PAGE = 200
"""Rows read at once where most of them will not be shown."""


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """One page: its rows, how many rows were read for it, and whether it is the last."""

    rows: list[ExportedMemory]
    looked_at: int
    is_last: bool


class MemoryPages:
    """Forward by cursor, backward by the cursors seen; holds at most one page that was read ahead."""

    def __init__(self, client: MemdClient, chosen: MemoryFilter) -> None:
        self._client = client
        self.filter = chosen
        self._starts: list[str | None] = [None]
        self._ahead: tuple[int, MemoryPage] | None = None

    async def read(self, at: int, on_progress: Callable[[int, int], None]) -> MemoryPage:
        """The page at a position that is at most one beyond those seen; `on_progress` hears rows read and rows found."""
        if self._ahead is not None and self._ahead[0] == at:
            page = self._ahead[1]
            self._ahead = None
            return page
        cursor, rows, looked_at = self._starts[at], list[ExportedMemory](), 0
        size = SCAN_PAGE if self.filter.looks_itself else PAGE
        while True:
            reply = await self._client.memories.export_page(self.filter.request(cursor, size))
            rows += [memory for memory in reply.memories if self.filter.admits(memory)]
            looked_at += len(reply.memories)
            cursor = reply.pagination.cursor
            is_last = reply.pagination.is_done or cursor is None
            if is_last or len(rows) >= PAGE:
                break
            on_progress(looked_at, len(rows))
        if not is_last and len(self._starts) == at + 1:
            self._starts.append(cursor)
        return MemoryPage(rows, looked_at, is_last)

    async def read_ahead(self, at: int) -> None:
        """Read a page before it is asked for, where that costs one request only."""
        if not self.filter.looks_itself and at < len(self._starts):
            self._ahead = (at, await self.read(at, lambda _looked_at, _found: None))

    def forget_ahead(self) -> None:
        """Whatever was read ahead may have changed."""
        self._ahead = None
