"""Writing one page of an import in one transaction: rows, counters and follow-up jobs."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.chunks.imports import ChunkInput
from memd.domain.chunks.kinds import chunk_kind
from memd.domain.lifecycle.salience import salience
from memd.domain.prompts.recall_text import recall_text
from memd.domain.text.duplicates import content_hash
from memd.domain.types import Category, HistoryAction, PeerScopePolicy, Store
from memd.embed.service import Vector
from memd.errors import KnowledgeBaseArchived, KnowledgeBaseNotFound
from memd.jobs import enqueue
from memd.knowledge_bases import counters, store
from memd.knowledge_bases.store import KeyedChunk, StoredBase
from memd.memories.history.recording import Cause, record_versions
from memd.memories.insertion import changed_chunks, insert_memories, replace_chunks
from memd.memories.new import NewMemory
from memd.off_loop import in_thread

OPEN_CHUNKS = (
    "This knowledge base is strict and guarded, but some chunks have no peer channel: "
    "every peer that sees the knowledge base sees them"
)


@dataclass(slots=True)
class PageOutcome:
    """The ids of the page in its order, and what was written."""

    ids: list[UUID]
    inserted: int
    updated: int
    embedded: int
    warnings: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class Page:
    """Chunks, and for each the row that it becomes where nothing is stored under its key."""

    chunks: Sequence[ChunkInput]
    rows: Sequence[NewMemory]


def draft_rows(
    context: Context,
    base: StoredBase,
    import_id: UUID,
    embedded: Sequence[tuple[ChunkInput, UUID, Vector | None]],
) -> list[NewMemory]:
    """The rows that chunks become with a new id and a vector; only computes."""
    return [_row(context, base, import_id, chunk, row_id, vector) for chunk, row_id, vector in embedded]


async def write_page(context: Context, base_id: UUID, page: Page) -> PageOutcome:
    """Insert or replace the rows of a page; 404 or 409 when the knowledge base is gone or archived."""
    model, language = context.services.model, context.services.settings.text_search_config
    async with context.database.write(context.user_id) as session:
        base = await store.lock(session, base_id)
        if base is None:
            raise KnowledgeBaseNotFound
        if base.archived:
            raise KnowledgeBaseArchived
        keys = [chunk.dedupe_key for chunk in page.chunks if chunk.dedupe_key is not None]
        known = await store.keyed_chunks(session, base_id, keys) if keys else {}
        made = [
            _settled(base, chunk, row, None if chunk.dedupe_key is None else known.get(chunk.dedupe_key))
            for chunk, row in zip(page.chunks, page.rows, strict=True)
        ]
        await _retag(context, page, made)
        old = {row.id: row.size for row in known.values()}
        fresh = [row for row in made if row.id not in old]
        replaced = [row for row in made if row.id in old]
        await insert_memories(session, fresh, model=model, default_language=language)
        await record_versions(session, context, await changed_chunks(session, replaced), Cause(HistoryAction.IMPORT))
        await replace_chunks(session, replaced, model=model, default_language=language, now=context.now)
        characters = sum(len(row.content) for row in made) - sum(old.values())
        await counters.move(session, base_id, chunks=len(fresh), characters=characters, now=context.now)
        _follow_up(session, made)
    return PageOutcome(
        ids=[row.id for row in made],
        inserted=len(fresh),
        updated=len(replaced),
        embedded=sum(row.vector is not None for row in made),
        warnings=[OPEN_CHUNKS] if _open_in_guarded(context, base, made) else [],
    )


def _follow_up(session: WriteSession, rows: Sequence[NewMemory]) -> None:
    if any(row.vector is None for row in rows):
        enqueue.defer_embedding(session)
    enqueue.defer_chunk_enrichment(session)


def _settled(base: StoredBase, chunk: ChunkInput, row: NewMemory, old: KeyedChunk | None) -> NewMemory:
    """The drafted row in the knowledge base as it is now; in place of `old`, what was not sent keeps the stored value."""
    if old is None:
        return row if chunk.channel is not None or row.channel == base.scope else replace(row, channel=base.scope)
    return replace(
        row,
        id=old.id,
        tags=row.tags if chunk.tags is not None else old.tags,
        channel=row.channel if chunk.channel is not None else old.channel,
        source_url=row.source_url if chunk.source_url is not None else old.source_url,
        source_type=row.source_type if chunk.source_type is not None else old.source_type,
        chunk_index=row.chunk_index if chunk.chunk_index is not None else old.chunk_index,
        total_chunks=row.total_chunks if chunk.total_chunks is not None else old.total_chunks,
    )


async def _retag(context: Context, page: Page, rows: Sequence[NewMemory]) -> None:
    """Give the rows that kept stored tags what follows from them; a thread computes it."""
    retagged = [
        (chunk, row)
        for chunk, drafted, row in zip(page.chunks, page.rows, rows, strict=True)
        if row.tags != drafted.tags
    ]
    if retagged:
        await in_thread(_derive, context, retagged)


def _derive(context: Context, retagged: Sequence[tuple[ChunkInput, NewMemory]]) -> None:
    for chunk, row in retagged:
        row.salience_score = salience(row.title, row.content, row.category, row.store, len(row.tags))
        row.chunk_kind = chunk_kind(row.title, row.content, row.tags, chunk.chunk_kind)
        row.text_index = None
        row.make_text_index(context.user_id, context.services.settings.text_search_config)


def _row(
    context: Context, base: StoredBase, import_id: UUID, chunk: ChunkInput, row_id: UUID, vector: Vector | None
) -> NewMemory:
    """The row of a new chunk, with its text index; what was not sent has the default of contract 4."""
    tags = list(chunk.tags or ())
    row = NewMemory(
        id=row_id,
        title=chunk.title,
        content=chunk.content,
        content_hash=content_hash(chunk.content),
        recall_text=recall_text(chunk.content),
        store=Store.SEMANTIC,
        category=Category.FACT,
        created_at=context.now,
        tags=tags,
        channel=chunk.channel if chunk.channel is not None else base.scope,
        strength=1.0,
        confidence=1.0,
        arousal=0.0,
        salience_score=salience(chunk.title, chunk.content, Category.FACT, Store.SEMANTIC, len(tags)),
        knowledge_base_id=base.id,
        dedupe_key=chunk.dedupe_key,
        chunk_kind=chunk_kind(chunk.title, chunk.content, tags, chunk.chunk_kind),
        source_url=chunk.source_url,
        source_type=chunk.source_type,
        chunk_index=chunk.chunk_index,
        total_chunks=chunk.total_chunks,
        import_id=import_id,
        policy_version=context.services.policy.version,
        policy_flags=list(chunk.policy_flags),
        created_by=context.principal.key_id,
        created_request=context.write_id,
        vector=vector,
    )
    row.make_text_index(context.user_id, context.services.settings.text_search_config)
    return row


def _open_in_guarded(context: Context, base: StoredBase, rows: Sequence[NewMemory]) -> bool:
    """Whether a strict, peer-guarded knowledge base got a chunk without a peer channel (contract 8.4, rule 7)."""
    rules = context.services.settings.visibility
    if not rules.kb_peer_strict or base.peer_scope_policy != PeerScopePolicy.STRICT:
        return False
    guards = [name for name in (base.scope, *base.agent_ids) if name]
    if not any(rules.is_peer_capable(name) for name in guards):
        return False
    return any(row.channel is None or not rules.is_peer_capable(row.channel) for row in rows)
