"""The answers of the tools for single memories, statistics and reflection."""

from typing import Any, Final

from memctl.wire.erasure import ErasureStarted
from memctl.wire.graph import ReflectReply
from memctl.wire.knowledge_bases import KnowledgeBaseArchived
from memctl.wire.memories import CaptureReply, ForgetReply, MemoryReply, SupersedeReply
from memctl.wire.periods import left_out
from memctl.wire.stats import StatsReply
from memctl.wire.trace import TracedMessage, TracedSource, TraceReply
from memctl.wire.updates import UpdateReply
from memd.domain.prompts.recall_text import begins_with_title
from memd.domain.text.token_estimate import fit_lines, truncate_to_tokens
from memd.errors import DuplicateMemory, MemdError
from memd.mcp.content.base import (
    Arguments,
    Lean,
    StoredContent,
    ToolContent,
    first_day,
    last_day,
    minute,
    one_line,
    period,
)

CONTENT_TOKENS: Final = 450
TRACE_TOKENS: Final = 350
SUMMARY_TOKENS: Final = 300
IDS_MAX: Final = 10
TRACE_SOURCES: Final = 5


class CaptureContent(ToolContent):
    """The new memory, or the one that holds the same already; `period` is when it is true."""

    id: str | None = None
    created_at: int | None = None
    period: str | None = None
    duplicate_of: str | None = None


class ForgetContent(ToolContent):
    """What was archived or deleted, or is being erased; a title only of a memory or chunk."""

    id: str
    title: str | None = None
    action: str


class UpdateContent(ToolContent):
    """The edited memory; `period` is when it is true.

    `title_kept`: the old title, if the new content begins differently.
    """

    id: str
    updated_at: int
    title_kept: str | None = None
    period: str | None = None


class SupersedeContent(ToolContent):
    """The new memory and the one that it replaces; `period` is when the new one is true, unless simply from now on."""

    id: str
    replaces: str
    period: str | None = None


class MemoryContent(StoredContent):
    """One memory; `period` is when it is true. `truncated` says that `full: true` shows more."""

    id: str
    title: str
    content: str
    store: str
    category: str
    tags: list[str] | None = None
    date: str
    period: str | None = None
    updated: str | None = None
    channel: str | None = None
    metadata: Any = None
    archived: bool | None = None
    superseded_by: str | None = None
    truncated: bool | None = None


class SpokenLine(Lean):
    """A message of a conversation."""

    role: str
    text: str
    date: str | None = None


class SourceLine(Lean):
    """A memory that another one was made from."""

    id: str
    title: str


class TraceContent(StoredContent):
    """The conversation or the memories behind a memory, or the reason why there is no conversation."""

    id: str
    title: str
    reason: str | None = None
    before: list[SpokenLine] | None = None
    conversation: list[SpokenLine] | None = None
    after: list[SpokenLine] | None = None
    sources: list[SourceLine] | None = None


class StatsContent(ToolContent):
    """Counts and what is used of the account's limits."""

    memories: int
    archived: int
    messages: int
    knowledge_bases: int
    chunks: int
    by_store: dict[str, int]
    tier: str
    percent_used: float
    embeddings_today: int


class ReflectContent(StoredContent):
    """Counts of what a reflection read and wrote."""

    read: int
    wrote: int
    ids: list[str] | None = None
    summary: str | None = None
    skipped: str | None = None


def captured(reply: CaptureReply, _sent: Arguments) -> CaptureContent:
    """The id and time of the memory that was stored, and its period."""
    if reply.duplicate:
        return CaptureContent(duplicate_of=reply.existing_memory_id or reply.id)
    named = _period_with_warning(reply.valid_from, reply.valid_until, reply.created_at)
    return CaptureContent(id=reply.id, created_at=reply.created_at, period=named)


def _period_with_warning(start: int | None, end: int | None, now: int) -> str | None:
    """The period, with the warning that a memory is not recalled before it begins or after it has ended."""
    warning = left_out(start, end, now, first=first_day(start) or "", last=last_day(end) or "")
    return "; ".join(part for part in (period(start, end), warning) if part) or None


def duplicate(error: MemdError) -> CaptureContent | None:
    """The memory that holds the same content, when that is why nothing was stored."""
    return CaptureContent(duplicate_of=error.fields["existingMemoryId"]) if isinstance(error, DuplicateMemory) else None


def forgotten(reply: ForgetReply | ErasureStarted | KnowledgeBaseArchived, sent: Arguments) -> ForgetContent:
    """Whether it is archived or deleted; the erasure of a message goes on after the answer."""
    if isinstance(reply, ErasureStarted):
        return ForgetContent(id=str(sent["memoryId"]), action="erasing")
    if isinstance(reply, KnowledgeBaseArchived):
        return ForgetContent(id=reply.knowledge_base_id, action="archived" if reply.is_done else "archiving")
    return ForgetContent(id=reply.memory_id, title=truncate_to_tokens(reply.title, 40), action=reply.action)


def updated(reply: UpdateReply, sent: Arguments) -> UpdateContent:
    """A note that the memory was edited in place, with its title if that may contradict the new content."""
    named = _period_with_warning(reply.valid_from, reply.valid_until, reply.updated_at)
    content, title = sent.get("content"), reply.title or ""
    is_stale = content is not None and sent.get("title") is None and not begins_with_title(str(content), title)
    kept = truncate_to_tokens(title, 40) if is_stale else None
    return UpdateContent(id=reply.memory_id, updated_at=reply.updated_at, title_kept=kept, period=named)


def superseded(reply: SupersedeReply, _sent: Arguments) -> SupersedeContent:
    """Which memory holds from now on."""
    named = _period_with_warning(reply.named_start(), reply.valid_until, reply.created_at or 0)
    return SupersedeContent(id=reply.new_memory_id, replaces=reply.old_memory_id, period=named)


def read(reply: MemoryReply, sent: Arguments) -> MemoryContent:
    """One memory; `full: true` gives content and metadata whole."""
    memory = reply.memory
    whole = sent.get("full") is True
    content = memory.content if whole else truncate_to_tokens(memory.content, CONTENT_TOKENS)
    return MemoryContent(
        id=memory.id,
        title=memory.title,
        content=content,
        store=memory.store,
        category=memory.category,
        tags=memory.tags or None,
        date=minute(memory.created_at)[:10],
        period=period(memory.valid_from, memory.valid_until),
        updated=minute(memory.updated_at)[:10] if memory.updated_at > memory.created_at else None,
        channel=memory.channel,
        metadata=memory.metadata if whole else None,
        archived=memory.archived or None,
        superseded_by=memory.superseded_by_memory_id,
        truncated=True if content != memory.content else None,
    )


def traced(reply: TraceReply, _sent: Arguments) -> TraceContent:
    """The conversation that a memory was made from, with what was said around it."""
    parts = (reply.context_before, reply.source_conversation, reply.context_after)
    texts = iter(fit_lines([message.text for part in parts for message in part], TRACE_TOKENS))
    before, conversation, after = ([_spoken(message, next(texts)) for message in part] for part in parts)
    return TraceContent(
        id=reply.memory.id,
        title=truncate_to_tokens(reply.memory.title, 40),
        reason=reply.reason,
        before=before or None,
        conversation=conversation or None,
        after=after or None,
        sources=[_source(memory) for memory in reply.source_memories[:TRACE_SOURCES]] or None,
    )


def counted(reply: StatsReply, _sent: Arguments) -> StatsContent:
    """The size of the memory."""
    return StatsContent(
        memories=reply.total,
        archived=reply.archived,
        messages=reply.ttl_status.messages_stored,
        knowledge_bases=reply.knowledge_bases.active,
        chunks=reply.knowledge_bases.chunks,
        by_store={store.value: number for store, number in reply.memory_count.by_store.items() if number},
        tier=reply.usage.tier,
        percent_used=reply.usage.percent_used,
        embeddings_today=reply.usage.embeddings_used_today,
    )


def reflected(reply: ReflectReply, _sent: Arguments) -> ReflectContent:
    """The result of a reflection."""
    stats = reply.stats
    return ReflectContent(
        read=stats.memories_read,
        wrote=len(reply.memory_ids),
        ids=reply.memory_ids[:IDS_MAX] or None,
        summary=truncate_to_tokens(one_line(stats.summary), SUMMARY_TOKENS) or None,
        skipped=stats.skipped,
    )


def _source(memory: TracedSource) -> SourceLine:
    return SourceLine(id=memory.id, title=truncate_to_tokens(memory.title, 40))


def _spoken(message: TracedMessage, text: str) -> SpokenLine:
    date = None if message.timestamp is None else minute(message.timestamp)
    return SpokenLine(role=message.role, text=text, date=date)
