"""Where memories come from, which tools bring them back, and all of them in pages (contract 6.7, 6.8, 6.13)."""

from dataclasses import dataclass, field
from uuid import UUID

from memctl.wire.export import ExportRequest
from memctl.wire.trace import TraceRequest
from memctl.wire.triggers import TriggersRequest
from memd.access.request.values import requested_where
from memd.audit.recording import record_read
from memd.context import Context
from memd.db.session import OwnerSession
from memd.domain.dates.time_window import EXPORT_BOUNDS, TimeWindowError, parse_window
from memd.domain.ids import decode
from memd.domain.periods.validity import Moment
from memd.domain.search.metadata_filter import Namespace
from memd.domain.types import MemorySource
from memd.errors import BadRequest
from memd.knowledge_bases import service as knowledge_bases
from memd.memories import service
from memd.memories.origin import store
from memd.memories.origin.store import (
    ExportedRow,
    ExportFilter,
    SourceMemory,
    SourceMessage,
    StoredSnapshot,
    TriggeredRow,
)
from memd.memories.reading_store import StoredMemory

NEIGHBOURS = 5
TRIGGERED = 50
GONE = "The source conversation is no longer available."
SOURCES_GONE = "The memories that it was made from are no longer available."
BEFORE_TRACKING = "Stored before conversation tracking began. The source conversation is not known."


@dataclass(slots=True)
class Trace:
    """A memory with the conversation or the memories that it was made from, or the reason why there is no conversation."""

    memory: StoredMemory
    conversation: list[SourceMessage] = field(default_factory=list[SourceMessage])
    before: list[SourceMessage] = field(default_factory=list[SourceMessage])
    after: list[SourceMessage] = field(default_factory=list[SourceMessage])
    snapshot: StoredSnapshot | None = None
    memories: list[SourceMemory] = field(default_factory=list[SourceMemory])
    reason: str | None = None


async def trace(context: Context, request: TraceRequest) -> Trace:
    """The conversation behind a memory, with its neighbours, else the snapshot, else the reason; its source memories.

    What the channel of the request does not see is left out: the memory, or a source, may have got another channel since.
    """
    scopes = context.scopes(request.channel, None)
    tested = request.channel is not None

    def seen(channel: str | None) -> bool:
        return not tested or scopes.memory.admits(channel)

    async with context.database.owner(context.user_id) as session:
        row = await service.find_visible(session, scopes, decode("mem", request.memory_id), tested=tested)
        result = Trace(memory=row)
        if row.source_message_ids:
            messages = await store.messages(session, row.source_message_ids)
            result.conversation = [message for message in messages if seen(message.channel)]
        if result.conversation:
            first, last = result.conversation[0], result.conversation[-1]
            result.before = await _neighbours(session, first, before=True)
            result.after = await _neighbours(session, last, before=False)
        if row.source_snapshot_id is not None:
            snapshot = await store.snapshot(session, row.source_snapshot_id)
            result.snapshot = snapshot if snapshot and (not snapshot.channel or seen(snapshot.channel)) else None
        if row.source_memory_ids:
            sources = await store.source_memories(session, row.source_memory_ids)
            result.memories = [source for source in sources if seen(source.channel)]
    if not result.conversation and result.snapshot is None:
        result.reason = reason_for(row, sources=len(result.memories))
    return result


async def _neighbours(session: OwnerSession, edge: SourceMessage, *, before: bool) -> list[SourceMessage]:
    if edge.session_key is None:
        return []
    return await store.neighbours(session, edge, NEIGHBOURS, before=before)


def reason_for(row: StoredMemory, *, sources: int = 0) -> str:
    """Why a memory has no source conversation; `sources` is the number of its source memories that are left."""
    if sources:
        return f"Made by memd from {sources} {'memory' if sources == 1 else 'memories'}, listed as its sources."
    if row.source_memory_ids and not row.source_message_ids:
        return SOURCES_GONE
    if row.source_message_ids or row.source_snapshot_id:
        return GONE
    if row.source == MemorySource.CONVERSATION:
        return BEFORE_TRACKING
    source = row.source
    return f"Written directly through the API (source: {source}). No conversation stands behind this memory."


async def triggers(context: Context, request: TriggersRequest, tools: list[str]) -> list[TriggeredRow]:
    """Active, visible memories that are tied to the tools; no access is counted."""
    if not tools:
        return []
    scopes = context.scopes(request.channel, request.agent_id)
    async with context.database.owner(context.user_id) as session:
        chunks = await knowledge_bases.visible_chunks(session, scopes)
        return await store.triggered(session, scopes, tools, chunks, TRIGGERED)


async def export(
    context: Context, request: ExportRequest, moment: Moment, after: tuple[int, UUID] | None
) -> list[ExportedRow]:
    """A page of all active memories of the user, one row more than asked for when there is a next page."""
    try:
        window = parse_window(request.model_dump(by_alias=True, exclude_none=True), EXPORT_BOUNDS)
    except TimeWindowError as error:
        raise BadRequest(str(error)) from None
    chosen = ExportFilter(
        store=request.store,
        category=request.category,
        with_chunks=request.include_knowledge_bases,
        window=window,
        namespace=None if request.namespace is None else Namespace(request.namespace),
        where=requested_where(request.where),
        moment=moment,
    )
    if after is None:
        await record_read(context, "memory.export")
    async with context.database.owner(context.user_id) as session:
        return await store.export_page(session, chosen, after, request.page_size + 1)
