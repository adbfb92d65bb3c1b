"""Writing the memories of a window: the policy's rules first, then equal memories, quota, the marks on the messages."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.extraction.conversation_windows import ConversationWindow, last_said
from memd.domain.extraction.extracted_memory import ExtractedMemory
from memd.domain.periods.validity import period_in_zone
from memd.domain.types import MemorySource
from memd.extraction import equal_store, store
from memd.graph import removal as graph
from memd.jobs import enqueue
from memd.memories import service as memories
from memd.memories.conflicts.resolution import resolve_by_superseding
from memd.memories.deriving import Derived, lock_contents, rows_by_rules
from memd.memories.new import NewMemory
from memd.stats import quotas

AROUSAL: Final = 0.25
NOTHING_DURABLE: Final = "no_durable_memory"
QUOTA_FULL: Final = "storage_limit_reached"


@dataclass(slots=True)
class Written:
    """The memories made or merged with, and how many messages are read now; nothing when a concurrent run was faster."""

    memory_ids: list[UUID] = field(default_factory=list[UUID])
    messages: int = 0


@dataclass(frozen=True, slots=True)
class ExtractedRows:
    """The rows to store for a window; `corrects`: by content, the contents of memories that a row replaces."""

    rows: Sequence[NewMemory]
    corrects: Mapping[str, Sequence[str]]


def make_rows(context: Context, window: ConversationWindow, found: Sequence[ExtractedMemory]) -> ExtractedRows:
    """The rows for the memories found in a window that pass the content policy; pure computation."""
    rows = rows_by_rules(context, [_derived(window, one) for one in found])
    return ExtractedRows(rows, {one.content: one.corrects for one in found if one.corrects})


async def write_window(context: Context, window: ConversationWindow, extracted: ExtractedRows) -> Written:
    """Store the rows of a window and mark its messages, all or nothing.

    The graph reads no memory meanwhile: of a memory that is said again it compares the time when it was said last.
    """
    rows = extracted.rows
    message_ids = [message.id for message in window.messages]
    async with context.database.write(context.user_id) as session:
        if rows:
            await graph.lock(session)
        if await store.lock_unread(session, message_ids) < len(message_ids):
            return Written()
        if rows and not await _is_out_of_order(session, window, _sources_of(rows)):
            now = context.services.clock()
            for row in rows:
                row.created_at = now
        kept = await _put(session, context, rows)
        await _supersede_corrected(session, context, window, extracted, kept)
        sources = _sources_of(row for row in rows if row.id in kept)
        refused = _sources_of(row for row in rows if row.id not in kept) - sources
        await store.mark_extracted(session, [one for one in message_ids if one in sources], context.now)
        await store.mark_skipped(session, [one for one in message_ids if one in refused], QUOTA_FULL)
        unused = [one for one in message_ids if one not in sources | refused]
        await store.mark_skipped(session, unused, NOTHING_DURABLE)
        await accounts.audit(session, context, "extract", meta={"messages": len(message_ids), "memories": len(kept)})
    return Written(list(dict.fromkeys(kept.values())), len(message_ids))


async def _is_out_of_order(session: WriteSession, window: ConversationWindow, sources: AbstractSet[UUID]) -> bool:
    """Whether memories of these messages may be older than some that are stored already: they date from when it was said.

    Others date from now: who asks for the memories since a time gets each of them.
    """
    last = last_said(message for message in window.messages if message.id in sources)
    return last.is_back_filled or await store.is_later_extracted(session, last)


async def _supersede_corrected(
    session: WriteSession,
    context: Context,
    window: ConversationWindow,
    extracted: ExtractedRows,
    kept: Mapping[UUID, UUID],
) -> None:
    """Supersede memories that were extracted from the same messages before a correction of them was read.

    They hold from when the correction was said, or from the earlier day that it names: "she works at Acme since October".
    """
    timestamps = {message.id: message.timestamp for message in window.messages}
    for row in extracted.rows:
        kept_id = kept.get(row.id)
        if kept_id is None or row.content not in extracted.corrects:
            continue
        corrected_at = max(timestamps[source] for source in row.source_message_ids if source in timestamps)
        named = period_in_zone(row.content, corrected_at, context.zone).from_ms
        begins = min(corrected_at, named or corrected_at) if kept_id == row.id else None
        for old_id in await equal_store.made_before(session, row, extracted.corrects[row.content]):
            if old_id != kept_id:
                await resolve_by_superseding(session, context, old_id, kept_id, decided=False, begins=begins)


def _sources_of(rows: Iterable[NewMemory]) -> set[UUID]:
    return {message_id for row in rows for message_id in row.source_message_ids}


def _derived(window: ConversationWindow, found: ExtractedMemory) -> Derived:
    keys = {message.session_key for message in window.messages}
    sources = [window.messages[index] for index in found.source_indexes]
    return Derived(
        title=found.title,
        content=found.content,
        store=found.store,
        category=found.category,
        source=MemorySource.CONVERSATION,
        channel=window.channel,
        project_id=window.project_id,
        strength=found.importance,
        arousal=AROUSAL,
        tags=found.tags,
        session_key=keys.pop() if len(keys) == 1 else None,
        source_message_ids=[message.id for message in sources],
        created_at=max(source.said_at for source in sources),
    )


async def _put(session: WriteSession, context: Context, rows: Sequence[NewMemory]) -> dict[UUID, UUID]:
    """Add the rows or merge them with equal memories, within the quota; returns row id → id of its memory.

    A row that repeats a contested memory is added, and supersedes an equal one.
    """
    lock_contents(session, rows)
    free_memories = await quotas.free_memories(session, context.principal, lock=True)
    kept: dict[UUID, UUID] = {}
    fresh: dict[str, NewMemory] = {}
    stored = await equal_store.known_as(session, rows, context.services.settings.text_search_config)
    for row in rows:
        duplicate, known = fresh.get(row.content_hash), stored.get(row.id)
        if duplicate is not None:
            duplicate.source_message_ids += [
                one for one in row.source_message_ids if one not in duplicate.source_message_ids
            ]
            kept[row.id] = duplicate.id
        elif known is not None:
            await equal_store.add_sources(session, known, row)
            kept[row.id] = known
        elif free_memories is None or len(fresh) < free_memories:
            fresh[row.content_hash] = row
            kept[row.id] = row.id
    memories.add(session, context, list(fresh.values()))
    for old_id, row_id in await equal_store.contested(session, list(fresh.values())):
        await resolve_by_superseding(session, context, old_id, row_id, decided=False)
    if any(row.vector is None for row in fresh.values()):
        enqueue.defer_embedding(session)
    return kept
