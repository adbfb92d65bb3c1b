"""Writing one page of an import in one transaction: rows, counters and follow-up jobs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.chunk_kind import chunk_kind
from memd.domain.imports import PlannedChunk
from memd.domain.recall_text import recall_text
from memd.domain.salience import salience
from memd.domain.types import Category, HistoryAction, PeerScopePolicy, Store
from memd.embed.service import Vector
from memd.errors import KnowledgeBaseArchived, KnowledgeBaseNotFound
from memd.jobs import enqueue
from memd.knowledge_bases import counters, store
from memd.knowledge_bases.store import KeyedChunk, StoredBase
from memd.memories.history.recording import record_versions
from memd.memories.insertion import insert_memories, replace_chunks
from memd.memories.new import NewMemory

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
class ReadyChunk:
    """A chunk with its vector, and the id that it gets where nothing is stored under its key."""

    id: UUID
    planned: PlannedChunk
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class Draft:
    """The row that a chunk becomes where nothing is stored under its key, in a knowledge base of this scope."""

    chunk: ReadyChunk
    scope: str | None
    row: NewMemory


def draft(context: Context, base: StoredBase, import_id: UUID, chunks: Iterable[ReadyChunk]) -> list[Draft]:
    """The rows of new chunks; only computes."""
    drafts = [Draft(chunk, base.scope, _row(context, base, import_id, chunk, None)) for chunk in chunks]
    for each in drafts:
        each.row.make_text_index(context.user_id, context.services.settings.text_search_config)
    return drafts


async def write_page(context: Context, base_id: UUID, import_id: UUID, drafts: Sequence[Draft]) -> PageOutcome:
    """Insert or replace the rows of a page; 404 or 409 when the knowledge base is gone or archived."""
    model, language = context.services.model, context.services.settings.text_search_config
    async with context.database.write(context.user_id) as session:
        base = await store.lock(session, base_id)
        if base is None:
            raise KnowledgeBaseNotFound
        if base.archived:
            raise KnowledgeBaseArchived
        keys = [each.row.dedupe_key for each in drafts if each.row.dedupe_key is not None]
        known = await store.keyed_chunks(session, base_id, keys) if keys else {}
        made = [_settled(context, base, import_id, each, known) for each in drafts]
        old = {row.id: row.size for row in known.values()}
        fresh = [row for row in made if row.id not in old]
        replaced = [row for row in made if row.id in old]
        await insert_memories(session, fresh, model=model, default_language=language)
        await record_versions(session, context, [row.id for row in replaced], HistoryAction.IMPORT)
        await replace_chunks(session, replaced, model=model, default_language=language, now=context.now)
        characters = sum(len(row.content) for row in made) - sum(old.values())
        await counters.move(session, base_id, chunks=len(fresh), characters=characters, now=context.now)
        _follow_up(session, context, made)
    return PageOutcome(
        ids=[row.id for row in made],
        inserted=len(fresh),
        updated=len(replaced),
        embedded=sum(row.vector is not None for row in made),
        warnings=[OPEN_CHUNKS] if _open_in_guarded(context, base, made) else [],
    )


def _follow_up(session: WriteSession, context: Context, rows: Sequence[NewMemory]) -> None:
    if any(row.vector is None for row in rows):
        enqueue.defer_embedding(session, context)
    enqueue.defer_chunk_enrichment(session)


def _settled(
    context: Context, base: StoredBase, import_id: UUID, made: Draft, known: Mapping[str, KeyedChunk]
) -> NewMemory:
    """The row as drafted, or rebuilt when its key exists already or the knowledge base has changed meanwhile."""
    old = None if made.row.dedupe_key is None else known.get(made.row.dedupe_key)
    if old is None and made.scope == base.scope:
        return made.row
    return _row(context, base, import_id, made.chunk, old)


def _row(context: Context, base: StoredBase, import_id: UUID, ready: ReadyChunk, old: KeyedChunk | None) -> NewMemory:
    """The row of a chunk; what was not sent keeps the stored value, else has the default of contract 4."""
    chunk = ready.planned.chunk
    kept = old or KeyedChunk(ready.id, "", 0, [], base.scope, None, None, None, None)
    tags = list(chunk.tags) if chunk.tags is not None else kept.tags
    return NewMemory(
        id=kept.id,
        title=chunk.title,
        content=chunk.content,
        content_hash=ready.planned.digest,
        recall_text=recall_text(chunk.content),
        store=Store.SEMANTIC,
        category=Category.FACT,
        created_at=context.now,
        tags=tags,
        channel=chunk.channel if chunk.channel is not None else kept.channel,
        strength=1.0,
        confidence=1.0,
        arousal=0.0,
        salience_score=salience(chunk.title, chunk.content, Category.FACT, Store.SEMANTIC, len(tags)),
        knowledge_base_id=base.id,
        dedupe_key=chunk.dedupe_key,
        chunk_kind=chunk_kind(chunk.title, chunk.content, tags, chunk.chunk_kind),
        source_url=chunk.source_url if chunk.source_url is not None else kept.source_url,
        source_type=chunk.source_type if chunk.source_type is not None else kept.source_type,
        chunk_index=chunk.chunk_index if chunk.chunk_index is not None else kept.chunk_index,
        total_chunks=chunk.total_chunks if chunk.total_chunks is not None else kept.total_chunks,
        import_id=import_id,
        policy_version=context.services.policy.version,
        policy_flags=list(chunk.policy_flags),
        created_by=context.principal.key_id,
        created_request=context.request_id,
        vector=ready.vector,
    )


def _open_in_guarded(context: Context, base: StoredBase, rows: Sequence[NewMemory]) -> bool:
    """Whether a strict, peer-guarded knowledge base got a chunk without a peer channel (contract 8.4, rule 7)."""
    rules = context.services.settings.visibility
    if not rules.kb_peer_strict or base.peer_scope_policy != PeerScopePolicy.STRICT:
        return False
    guards = [name for name in (base.scope, *base.agent_ids) if name]
    if not any(rules.is_peer_capable(name) for name in guards):
        return False
    return any(row.channel is None or not rules.is_peer_capable(row.channel) for row in rows)
