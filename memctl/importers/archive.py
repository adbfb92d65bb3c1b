"""What the archive of a memd says of the memories of an import: which were superseded, and which were forgotten.

A memory is known again under the id that it has in an export, and elsewhere by what it says: a superseded one together
with its time, a forgotten one with its channel.
"""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, NamedTuple, TypeVar

from memctl.client import MemdClient
from memctl.client.errors import Forbidden
from memctl.client.paging import pages_from
from memctl.importers.records import Memory
from memctl.importers.retries import Sleep, with_retries
from memctl.wire.enums import HistoryAction
from memctl.wire.history import HistoryRequest
from memctl.wire.memories import CaptureRequest
from memctl.wire.memory_listing import EXCERPT_MAX, ListedMemory, MemoryListRequest

Reply = TypeVar("Reply")
_ARCHIVED: Final = MemoryListRequest(archived=True, limit=200)
_BY_USER: Final = "user"
_WORDS: Final = 12
_LONG_WORD: Final = re.compile(r"\w{4,}")
"""Words of a text that a list is filtered by to find it again; short ones may be no terms of the filter."""


class _Text(NamedTuple):
    """What a memory says; `mark` is when it was made or its channel, whichever the comparison needs."""

    mark: int | str | None
    title: str
    beginning: str
    length: int


class Successor(NamedTuple):
    """The memory that superseded another one, and when (epoch ms; None where memd does not say)."""

    id: str
    since: int | None


class Archive:
    """The archived memories of one memd. For a key that may not read, it is as if there were none."""

    def __init__(self, client: MemdClient, sleep: Sleep, report: Callable[[str], None]) -> None:
        self._client = client
        self._sleep = sleep
        self._report = report
        self._superseded: dict[str | _Text, Successor] = {}
        self._removed: dict[str | _Text, list[str]] = {}

    async def read(self) -> "Archive":
        """Read all pages."""
        list_page = self._client.memories.list_page
        try:
            async for page in pages_from(lambda asked: self._get(partial(list_page, asked)), _ARCHIVED):
                for row in page.memories:
                    self._note(row)
        except Forbidden:
            pass
        return self

    def _note(self, row: ListedMemory) -> None:
        if row.superseded_by_memory_id is not None:
            successor = Successor(row.superseded_by_memory_id, row.archived_at)
            self._superseded[row.id] = self._superseded[_of_row(row.created_at, row)] = successor
        elif row.archived_by == _BY_USER:
            for known_as in (row.id, _of_row(row.channel, row)):
                self._removed.setdefault(known_as, []).append(row.id)

    def successor(self, request: CaptureRequest, memory_id: str) -> Successor | None:
        """What superseded a memory of an export; None where it was not."""
        return self._superseded.get(memory_id) or self._superseded.get(_of_request(request.created_at, request))

    async def was_forgotten(self, memory: Memory) -> bool:
        """Whether the user has forgotten this memory and has no other one that says the same.

        One that only an undo of its import has archived was not forgotten.
        """
        request = memory.request
        known_by_id = self._removed.get(memory.exported.id, []) if memory.exported else []
        ids = dict.fromkeys([*known_by_id, *self._removed.get(_of_request(request.channel, request), [])])
        for memory_id in ids:
            if await self._was_removed_by_user(memory_id):
                return not await self._is_active(request)
        return False

    async def _was_removed_by_user(self, memory_id: str) -> bool:
        versions = self._client.history.versions
        newest = (await self._get(partial(versions, memory_id, HistoryRequest(limit=1)))).versions
        return not newest or newest[-1].action is not HistoryAction.UNDO

    async def _is_active(self, request: CaptureRequest) -> bool:
        """Whether an active memory says the same on the same channel."""
        wanted = _of_request(request.channel, request)
        text = f"{request.title} {request.content[:EXCERPT_MAX]}"
        words = " ".join(_LONG_WORD.findall(text)[:_WORDS]) or text
        asked = MemoryListRequest(text=words, limit=_ARCHIVED.limit)
        page = await self._get(partial(self._client.memories.list_page, asked))
        return any(_of_row(row.channel, row) == wanted for row in page.memories)

    async def _get(self, request: Callable[[], Awaitable[Reply]]) -> Reply:
        return await with_retries(request, self._sleep, self._report)


def _of_row(mark: int | str | None, row: ListedMemory) -> _Text:
    return _Text(mark, row.title, row.excerpt, row.length)


def _of_request(mark: int | str | None, request: CaptureRequest) -> _Text:
    return _Text(mark, request.title, request.content[:EXCERPT_MAX], len(request.content))
