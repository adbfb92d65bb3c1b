"""The pages of a list of memories: reads one at a time and keeps the cursors of those behind."""

from dataclasses import dataclass

from memctl.client import MemdClient
from memctl.wire.memory_listing import ListedMemory, MemoryListReply

from .presenters.memories import MemoryFilter, SortKey

PAGE = 100
"""Rows of a page."""


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """One page: its rows, and whether it is the last."""

    rows: list[ListedMemory]
    is_last: bool


class MemoryPages:
    """Forward by cursor, backward by the cursors seen; holds at most one page that was read ahead.

    `total` is the number of all memories that match, as of the first page; up to there when it is not `is_exact`.
    """

    def __init__(self, client: MemdClient, chosen: MemoryFilter, order: SortKey) -> None:
        self._client = client
        self.filter = chosen
        self.order = order
        self.total: int | None = None
        self.is_exact = True
        self._starts: list[str | None] = [None]
        self._ahead: tuple[int, MemoryPage] | None = None

    async def read(self, at: int) -> MemoryPage:
        """The page at a position that is at most one beyond those seen."""
        if self._ahead is not None and self._ahead[0] == at:
            page = self._ahead[1]
            self._ahead = None
            return page
        reply = await self._list(self._starts[at], PAGE)
        self._starts[at + 1 :] = [] if reply.is_done else [reply.continue_cursor]
        return MemoryPage(reply.memories, reply.is_done)

    async def read_again(self, at: int) -> tuple[int, MemoryPage]:
        """The position and the page after a change; the one before where nothing is left there. `total` is counted again."""
        self.forget_ahead()
        page = await self.read(at)
        if at and not page.rows:
            return await self.read_again(at - 1)
        if at:
            await self._list(None, 1)
        return at, page

    async def _list(self, cursor: str | None, rows: int) -> MemoryListReply:
        reply = await self._client.memories.list_page(self.filter.request(self.order, cursor, rows))
        if reply.total is not None:
            self.total, self.is_exact = reply.total, reply.total_is_exact
        return reply

    async def read_ahead(self, at: int) -> None:
        """Read a page before it is asked for."""
        if at < len(self._starts):
            self._ahead = (at, await self.read(at))

    def forget_ahead(self) -> None:
        """Discard pages that were read ahead: they may have changed."""
        self._ahead = None
