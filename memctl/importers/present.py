"""What memd has already of the memories of an import: an import overwrites nothing newer and revives nothing that is gone.

A memory with a key is compared with the one that has the key in memd. One of an export is looked for under its id, and
among the superseded memories also under its time, title and text, where another memd has imported it before.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

from memctl.client import MemdClient
from memctl.client.errors import Forbidden, NotFound
from memctl.importers.archive import Archive, Successor
from memctl.importers.captures import BatchCounts
from memctl.importers.records import Kept, Memory
from memctl.importers.retries import Sleep, with_retries
from memctl.text import moment
from memctl.wire.export import ExportedMemory, ExportRequest
from memctl.wire.instants import FARTHEST_MS, exact
from memctl.wire.limits import EXPORT_PAGE_MAX
from memctl.wire.memories import CaptureRequest, MemoryDetail
from memctl.wire.memory_listing import MemoryListRequest

Reply = TypeVar("Reply")
LOOKUPS: Final = 8
"""Memories with a key that are looked up at once."""
_REPLACED: Final = ("title", "content", "metadata", "tags")
_REPLACED_IF_SENT: Final = (
    "action_triggers",
    "store",
    "category",
    "confidence",
    "strength",
    "arousal",
    "valence",
    "channel",
    "valid_from",
    "valid_until",
)
_ANY: Final = MemoryListRequest(limit=1)
_ANY_ARCHIVED: Final = MemoryListRequest(archived=True, limit=1)
_ACTIVE: Final = ExportRequest(
    page_size=EXPORT_PAGE_MAX, include_knowledge_bases=False, valid_at=FARTHEST_MS, include_ended=True
)


class Present:
    """The memories of one memd, as far as an import has to know them.

    `overwrite` lets the import win over what is newer, `again` over the user who has forgotten a memory.
    """

    def __init__(
        self, client: MemdClient, *, overwrite: bool, again: bool, sleep: Sleep, report: Callable[[str], None]
    ) -> None:
        self._client = client
        self._overwrite = overwrite
        self._again = again
        self._sleep = sleep
        self._report = report
        self._was_empty: bool | None = None
        self._archive: Archive | None = None
        self._reading = asyncio.Lock()
        self._lookups = asyncio.Semaphore(LOOKUPS)

    async def to_send(self, memories: Sequence[Memory], counts: BatchCounts) -> list[Memory]:
        """The memories that memd lacks, or has in an older version; the others are counted."""
        if await self._began_empty():
            return [*memories]
        active = dict[str, ExportedMemory]() if self._overwrite else await self._active(memories)
        settled = await asyncio.gather(*(self._is_settled(memory, active, counts) for memory in memories))
        lacking = [memory for memory, is_settled in zip(memories, settled, strict=True) if not is_settled]
        forgotten = await asyncio.gather(*map(self._was_forgotten, lacking))
        counts.forgotten += sum(forgotten)
        return [memory for memory, was_forgotten in zip(lacking, forgotten, strict=True) if not was_forgotten]

    async def _was_forgotten(self, memory: Memory) -> bool:
        if self._again:
            return False
        archive = await self._archived()
        async with self._lookups:
            return await archive.was_forgotten(memory)

    async def _began_empty(self) -> bool:
        """Whether memd had no memory before the import, as where a whole export is restored; a key may be unable to tell."""
        async with self._reading:
            if self._was_empty is None:
                list_page = self._client.memories.list_page
                try:
                    pages = [await self._get(partial(list_page, each)) for each in (_ANY, _ANY_ARCHIVED)]
                    self._was_empty = not any(page.memories for page in pages)
                except Forbidden:
                    self._was_empty = False
        return self._was_empty

    async def _is_settled(self, memory: Memory, active: Mapping[str, ExportedMemory], counts: BatchCounts) -> bool:
        """Whether the memory need not be sent; then `counts` has its outcome."""
        if memory.request.key is not None:
            async with self._lookups:
                return await self._is_settled_by_key(memory, memory.request.key, counts)
        if memory.exported is None:
            return False
        successor = (await self._archived()).successor(memory.request, memory.exported.id)
        stored = active.get(memory.exported.id)
        if successor is not None:
            return self._is_settled_by_successor(memory, successor, counts)
        if stored is not None and stored.channel == memory.request.channel:
            return await self._is_settled_by_id(memory, stored, counts)
        return False

    def _is_settled_by_successor(self, memory: Memory, successor: Successor, counts: BatchCounts) -> bool:
        if self._overwrite and memory.request.valid_until is None:
            return False
        counts.known += 1
        if memory.request.valid_until is None:  # it was the current one when it was exported
            since = "" if successor.since is None else f" on {moment(successor.since)}"
            counts.kept.append(Kept(memory.origin, memory.request.title, successor.id, f"superseded{since}"))
        return True

    async def _is_settled_by_id(self, memory: Memory, stored: ExportedMemory, counts: BatchCounts) -> bool:
        request = memory.request
        if (stored.title, stored.content, stored.store) != (request.title, request.content, request.store):
            changed_at = (await self._get(partial(self._client.memories.show, stored.id))).updated_at
            if changed_at <= stored.created_at:  # never edited here: the text of the export is the newer one
                return False
            counts.kept.append(Kept(memory.origin, request.title, stored.id, f"changed on {moment(changed_at)}"))
        counts.known += 1
        return True

    async def _is_settled_by_key(self, memory: Memory, key: str, counts: BatchCounts) -> bool:
        try:
            stored = await self._get(partial(self._client.memories.by_key, key, memory.request.namespace))
        except NotFound:
            return False
        if _is_equal(memory.request, stored):
            counts.known += 1
            return True
        if self._overwrite or not _is_newer(stored, memory):
            return False
        counts.known += 1
        counts.kept.append(
            Kept(memory.origin, memory.request.title, stored.id, f"changed on {moment(stored.updated_at)}")
        )
        return True

    async def _active(self, memories: Sequence[Memory]) -> dict[str, ExportedMemory]:
        """The memories of an export without a key that are active in this memd, by id: those of the same time are read."""
        wanted = {each.exported.id: each.request.created_at for each in memories if each.exported is not None}
        times = [created_at for created_at in wanted.values() if created_at is not None]
        if not times:
            return {}
        request = _ACTIVE.model_copy(update={"created_after": exact(min(times)), "created_before": exact(max(times))})
        found: dict[str, ExportedMemory] = {}
        while True:
            page = await self._get(partial(self._client.memories.export_page, request))
            found.update({row.id: row for row in page.memories if row.id in wanted})
            if page.pagination.is_done:
                return found
            request = request.model_copy(update={"cursor": page.pagination.cursor})

    async def _archived(self) -> Archive:
        async with self._reading:
            if self._archive is None:
                self._archive = await Archive(self._client, self._sleep, self._report).read()
        return self._archive

    async def _get(self, request: Callable[[], Awaitable[Reply]]) -> Reply:
        return await with_retries(request, self._sleep, self._report)


def _is_equal(request: CaptureRequest, stored: MemoryDetail) -> bool:
    """Whether a capture would change nothing of the memory with its key."""
    sent = [name for name in _REPLACED_IF_SENT if name in request.model_fields_set]
    return all(
        (getattr(request, name) or None) == (getattr(stored, name) or None)
        if isinstance(getattr(request, name), list)
        else getattr(request, name) == getattr(stored, name)
        for name in (*_REPLACED, *sent)
    )


def _is_newer(stored: MemoryDetail, memory: Memory) -> bool:
    """Whether memd's memory was changed after the exported one, as far as the export says; a row of no export wins."""
    if memory.exported is None:
        return False
    changed_at = memory.exported.changed_at or memory.request.created_at or 0
    return stored.updated_at >= changed_at
