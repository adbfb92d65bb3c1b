"""New messages and memories as they appear, oldest first, each of them once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from memctl.client import MemdClient
from memctl.wire.export import ExportedMemory, ExportRequest
from memctl.wire.messages import ListMessagesRequest, MessageRow

PAGE = 100


class _Row(Protocol):
    @property
    def id(self) -> str: ...


Row = TypeVar("Row", bound=_Row)


@dataclass(slots=True)
class _Seen(Generic[Row]):
    """The newest time seen, and the rows of that time; rows are asked for from that time on, inclusive."""

    since: int | None = None
    ids: set[str] = field(default_factory=set[str])

    def begin(self, rows: Sequence[tuple[int, Row]], shown: int) -> list[tuple[int, Row]]:
        """The last `shown` rows of the first answer, oldest first."""
        self.since = 0
        new = self.fresh(rows)
        return new[-shown:] if shown else []

    def fresh(self, rows: Sequence[tuple[int, Row]]) -> list[tuple[int, Row]]:
        """The rows not seen yet, oldest first."""
        new = sorted(((timestamp, row) for timestamp, row in rows if row.id not in self.ids), key=lambda each: each[0])
        if new:
            newest = max(new[-1][0], self.since or 0)
            self.ids = {row.id for timestamp, row in rows if timestamp == newest} | (
                self.ids if newest == self.since else set()
            )
            self.since = newest
        return new


class Follower:
    """Asks for new rows; the first answer is the last `backlog` rows of each kind.

    Messages are followed by the time they were said at, so that back-filled ones are skipped.
    """

    def __init__(self, client: MemdClient, channel: str | None, backlog: int) -> None:
        self._client = client
        self._channel = channel
        self._backlog = backlog
        self._messages = _Seen[MessageRow]()
        self._memories = _Seen[ExportedMemory]()

    async def messages(self) -> list[tuple[int, MessageRow]]:
        """Messages said since the last call."""
        where = ListMessagesRequest(channel=self._channel) if self._channel else ListMessagesRequest(all_channels=True)
        if self._messages.since is None:
            page = where.model_copy(update={"limit": max(self._backlog, 1)})
            rows = (await self._client.messages.page(page)).messages
            return self._messages.begin([(row.timestamp, row) for row in rows], self._backlog)
        since = where.model_copy(update={"since_ms": self._messages.since})
        return self._messages.fresh([(row.timestamp, row) async for row in self._client.messages.history(since)])

    async def memories(self) -> list[tuple[int, ExportedMemory]]:
        """Memories made since the last call, without chunks of knowledge bases."""
        if self._memories.since is None:
            request = ExportRequest(page_size=max(self._backlog, 1), include_knowledge_bases=False)
            page = (await self._client.memories.export_page(request)).memories
            kept = {row.id: (row.created_at, row) for row in [*await self._made_with(page), *page]}
            seen = self._memories.begin([*kept.values()], len(kept))  # of all channels: what is older is not new in any
            here = [each for each in seen if self._is_here(each[1])]
            return here[-self._backlog :] if self._backlog else []
        request = ExportRequest(page_size=PAGE, include_knowledge_bases=False, created_after=self._memories.since)
        found = [(row.created_at, row) async for row in self._client.memories.export(request) if self._is_here(row)]
        return self._memories.fresh(found)

    async def _made_with(self, page: Sequence[ExportedMemory]) -> list[ExportedMemory]:
        """Every memory of the newest millisecond of a page, which may have room for some of a batch only."""
        newest = max((row.created_at for row in page), default=None)
        if newest is None:
            return []
        request = ExportRequest(page_size=PAGE, include_knowledge_bases=False, created_after=newest)
        return [row async for row in self._client.memories.export(request) if row.created_at == newest]

    def _is_here(self, memory: ExportedMemory) -> bool:
        return self._channel is None or memory.channel == self._channel
