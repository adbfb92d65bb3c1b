"""Memories that memd derives from what is stored: by extraction, reflection and consolidation.

They pass the same policy and quota as captured ones; their vectors count against the background half of the allowance,
and one that cannot be embedded now is stored without a vector and embedded later.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog

from memd.audit.refusals import POLICY_BLOCK, Refusal
from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.ids import encode, new_id
from memd.domain.lifecycle.salience import salience
from memd.domain.prompts.recall_text import recall_text
from memd.domain.text.duplicates import content_hash
from memd.domain.text.embedding_text import embedding_text
from memd.domain.types import Category, MemorySource, Store
from memd.embed import service as embedding
from memd.embed.providers.provider import EmbedError
from memd.errors import ContentBlocked, EmbeddingTimeout
from memd.memories import duplicate_store as duplicates
from memd.memories.guard import Submitted, check_moderator, check_rules
from memd.memories.new import NewMemory
from memd.off_loop import in_thread

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A memory that a job wants to store; `created_at` (epoch ms) is None for now."""

    title: str
    content: str
    store: Store
    category: Category
    source: MemorySource
    channel: str | None
    project_id: str | None
    strength: float
    confidence: float = 0.9
    arousal: float = 0.3
    tags: Sequence[str] = ()
    session_key: str | None = None
    source_message_ids: Sequence[UUID] = ()
    source_memory_ids: Sequence[UUID] = ()
    promoted_from: UUID | None = None
    metadata: dict[str, Any] | None = None
    created_at: int | None = None


async def apply_policy(context: Context, found: Sequence[Derived]) -> list[NewMemory]:
    """Apply the content policy: returns the rows that pass, with vectors within the allowance."""
    return await completed_rows(context, await in_thread(rows_by_rules, context, found))


def rows_by_rules(context: Context, found: Sequence[Derived]) -> list[NewMemory]:
    """The rows of what the policy's rules let pass, without vectors. It only computes, so a thread may do it."""
    return [row for one in found if (row := _row(context, one)) is not None]


async def completed_rows(context: Context, rows: Sequence[NewMemory]) -> list[NewMemory]:
    """Those rows that the moderator lets pass, too, with their vectors; waits for moderator and embedder."""
    kept = [row for row in rows if await _passes_moderator(context, row)]
    await _embed(context, kept)
    return kept


async def _passes_moderator(context: Context, row: NewMemory) -> bool:
    try:
        await check_moderator(context, row.title, row.content)
    except ContentBlocked as blocked:
        _log_block(context, blocked)
        return False
    return True


def _log_block(context: Context, blocked: ContentBlocked) -> None:
    log.info("derived.blocked", threatId=blocked.threat_id, userId=encode("usr", context.user_id))
    context.services.refusals.note(
        Refusal(POLICY_BLOCK, user_id=context.user_id, target="derived", reason=blocked.threat_id)
    )


def _row(context: Context, one: Derived) -> NewMemory | None:
    try:
        cleared = check_rules(context, Submitted.of(one.title, one.content, one.tags, metadata=one.metadata))
    except ContentBlocked as blocked:
        _log_block(context, blocked)
        return None
    return NewMemory(
        id=new_id(),
        title=cleared.title,
        content=cleared.content,
        content_hash=content_hash(cleared.content),
        recall_text=recall_text(cleared.content),
        store=one.store,
        category=one.category,
        created_at=context.now if one.created_at is None else one.created_at,
        tags=list(one.tags),
        channel=one.channel,
        project_id=one.project_id,
        session_key=one.session_key,
        source=one.source,
        strength=one.strength,
        confidence=one.confidence,
        arousal=one.arousal,
        salience_score=salience(cleared.title, cleared.content, one.category, one.store, len(one.tags)),
        source_message_ids=list(one.source_message_ids),
        source_memory_ids=list(one.source_memory_ids),
        promoted_from=one.promoted_from,
        metadata=one.metadata,
        policy_version=cleared.policy_version,
        policy_flags=cleared.flags,
    )


async def _embed(context: Context, rows: Sequence[NewMemory]) -> None:
    """Give the rows their vectors; what is over the allowance, or fails, waits for the job that embeds."""
    if not rows:
        return
    granted = await embedding.take_allowance(context, len(rows), background=True)
    texts = [embedding_text(row.title, row.content) for row in rows[:granted]]
    try:
        vectors = await embedding.embed_texts(context, texts, background=True)
    except (EmbedError, EmbeddingTimeout) as error:
        log.warning("derived.not_embedded", rows=len(texts), error=type(error).__name__)
        return
    for row, vector in zip(rows, vectors, strict=False):
        row.vector = vector


def lock_contents(session: WriteSession, rows: Sequence[NewMemory]) -> None:
    """Serialize writers of the same contents until the transaction ends."""
    session.execute_later(duplicates.content_locks(session.user_id, [duplicates.key_of(row) for row in rows]))


async def has_duplicate(session: WriteSession, row: NewMemory) -> bool:
    """Whether a memory with the same store, content and channel is active."""
    return 0 in await duplicates.find_duplicates(session, [duplicates.key_of(row)])
