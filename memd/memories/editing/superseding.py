"""Superseding a memory: the new text is a separate row, and the old one is archived and points to it (contract 6.4)."""

from functools import partial
from typing import Any

from memctl.wire.memories import SupersedeRequest
from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.chunks.kinds import chunk_kind
from memd.domain.ids import decode, encode, new_id
from memd.domain.lifecycle.salience import salience
from memd.domain.periods.validity import Period
from memd.domain.prompts.recall_text import recall_text
from memd.domain.text.duplicates import content_hash
from memd.domain.text.embedding_text import embedding_text
from memd.domain.types import Category, ChunkKind, HistoryAction, MemorySource, Store
from memd.embed import service as embedding
from memd.embed.service import Vector
from memd.errors import AlreadySuperseded
from memd.jobs import enqueue
from memd.knowledge_bases import counters
from memd.memories import service, store
from memd.memories.drafting import drafted
from memd.memories.guard import Cleared, Submitted, check_policy, check_quota
from memd.memories.history.derived import archive_outdated_derived, lock_derived
from memd.memories.history.recording import Cause, record_versions
from memd.memories.insertion import insert_memories
from memd.memories.keyed import store as keys
from memd.memories.keyed.store import MemoryKey
from memd.memories.new import NewMemory
from memd.memories.reading_store import StoredMemory
from memd.memories.validity import period_of
from memd.stats import service as stats

_INHERITED = (
    "store",
    "category",
    "tags",
    "metadata",
    "channel",
    "strength",
    "confidence",
    "valence",
    "arousal",
    "action_triggers",
)
"""Columns that the new row takes from the old one where the request leaves them out."""
_KEPT = (
    "source_message_ids",
    "source_memory_ids",
    "agent_id",
    "project_id",
    "session_key",
    "namespace",
    "key",
    "source_snapshot_id",
    "knowledge_base_id",
    "dedupe_key",
    "source_url",
    "source_type",
    "chunk_index",
    "total_chunks",
    "import_id",
)
"""Columns that the new row always takes from the old one."""


async def supersede(context: Context, request: SupersedeRequest) -> NewMemory:
    """Store the new text as a new memory and archive the old one, in one transaction; the new row."""
    old_id = decode("mem", request.old_memory_id)
    scopes = context.scopes(request.channel, request.agent_id)
    async with context.database.read(context.user_id) as session:
        old = await service.find_visible(session, scopes, old_id, tested=False)
    _refuse_superseded(old)
    tags, triggers = request.tags or (), request.action_triggers or ()
    cleared = await check_policy(
        context, Submitted.of(request.title, request.content, tags, triggers, request.metadata)
    )
    request = request.model_copy(update=cleared.texts)
    if _needs_slot(old):
        async with context.database.read(context.user_id) as session:
            await check_quota(session, context)
    period = period_of(request, context.now, context.zone)
    start = _begin(period, context.now)
    vector = await embedding.embed_text(context, embedding_text(request.title, request.content))
    while True:
        row = await drafted(context, request.content, partial(_successor, context, request, old, cleared, vector))
        row.valid_from, row.valid_until = start, period.until_ms
        async with context.database.write(context.user_id) as session:
            if old.key is not None:  # captures of the key wait for its new row
                await keys.serialize(session, [MemoryKey(old.namespace, old.key)])
            locked = await service.lock_visible(session, scopes, old_id, tested=False)
            _refuse_superseded(locked)
            if _inheritance(locked) != _inheritance(old):
                old = locked
                continue  # a concurrent edit came between: the new row inherits what it wrote
            await _replace(session, context, request, locked, row)
        return row


def _inheritance(old: StoredMemory) -> tuple[object, ...]:
    """The columns of the old row that the new one is made of."""
    return tuple(getattr(old, name) for name in (*_INHERITED, *_KEPT))


async def _replace(
    session: WriteSession, context: Context, request: SupersedeRequest, old: StoredMemory, row: NewMemory
) -> None:
    """Archive the locked old row and store its successor."""
    if _needs_slot(old):
        await lock_derived(session, [old.id])
        await check_quota(session, context, lock=True)
    if old.archived:
        await _release_taken_keys(session, row)
    cause = Cause(HistoryAction.SUPERSEDE, request.reason)
    await record_versions(session, context, [old.id], cause)
    ended = max(row.valid_from or 0, old.valid_from or 0)
    await store.update_columns(session, old.id, {"valid_until": ended}, context.now)
    await store.archive(session, [old.id], "supersede", context.now)
    await archive_outdated_derived(session, context, [old.id], cause)
    await _add_successor(session, context, old, row)
    await store.link_superseded(session, old.id, row.id, context.now)
    meta = {"newMemoryId": encode("mem", row.id)} | ({"reason": request.reason} if request.reason else {})
    await accounts.audit(session, context, "supersede", "memory", request.old_memory_id, meta)


def _begin(period: Period, now: int) -> int:
    """When the new text became true (epoch ms): as it says, else now, but never after its end."""
    if period.from_ms is not None:
        return period.from_ms
    return now if period.until_ms is None else min(now, period.until_ms)


def _needs_slot(old: StoredMemory) -> bool:
    """Whether there will be one more active memory: the successor of an active one takes over its slot of the quota."""
    return old.archived and old.knowledge_base_id is None


def _refuse_superseded(old: StoredMemory) -> None:
    if old.superseded_by_memory_id is not None:
        raise AlreadySuperseded(encode("mem", old.superseded_by_memory_id))


async def _release_taken_keys(session: WriteSession, row: NewMemory) -> None:
    """Leave a key to the active row that has taken it since the old row was archived."""
    base_id, dedupe_key = row.knowledge_base_id, row.dedupe_key
    if base_id is not None and dedupe_key is not None and await store.is_key_taken(session, base_id, dedupe_key):
        row.dedupe_key = None
    if row.key is not None and await keys.lock(session, [MemoryKey(row.namespace, row.key)]):
        row.key = None


async def _add_successor(session: WriteSession, context: Context, old: StoredMemory, row: NewMemory) -> None:
    """Insert the new row and move the counters: an active row is replaced, an archived one stays and an active row is added."""
    services = context.services
    language = services.settings.text_search_config
    await insert_memories(session, [row], model=services.model, default_language=language)
    grown = 0 if not old.archived else 1
    if row.knowledge_base_id is None:
        await stats.move(session, context.now, active=grown, archived=1 - grown, captured=True)
        enqueue.defer_enrichment(session)
    else:
        characters = len(row.content) - (0 if grown else len(old.content))
        await counters.move(session, row.knowledge_base_id, chunks=grown, characters=characters, now=context.now)


def _successor(
    context: Context, request: SupersedeRequest, old: StoredMemory, cleared: Cleared, vector: Vector
) -> NewMemory:
    """The new row; what the request leaves out is inherited."""

    def inherited(name: str) -> Any:
        value = getattr(request, name)
        return getattr(old, name) if value is None else value

    category, kind, tags = Category(inherited("category")), Store(inherited("store")), list(inherited("tags"))
    return NewMemory(
        id=new_id(),
        title=request.title,
        content=request.content,
        content_hash=content_hash(request.content),
        recall_text=recall_text(request.content),
        store=kind,
        category=category,
        created_at=context.now,
        tags=tags,
        metadata=inherited("metadata"),
        channel=inherited("channel"),
        source=MemorySource(old.source),
        strength=inherited("strength"),
        confidence=inherited("confidence"),
        valence=inherited("valence"),
        arousal=inherited("arousal"),
        action_triggers=list(inherited("action_triggers")),
        supersedes_memory_id=old.id,
        chunk_kind=_kind(request, old, tags),
        salience_score=salience(request.title, request.content, category, kind, len(tags)),
        policy_version=cleared.policy_version,
        policy_flags=cleared.flags,
        created_by=context.principal.key_id,
        created_request=context.write_id,
        vector=vector,
        **{name: getattr(old, name) for name in _KEPT},
    )


def _kind(request: SupersedeRequest, old: StoredMemory, tags: list[str]) -> ChunkKind:
    """A chunk's kind follows from its new text; an ordinary memory is content."""
    if old.knowledge_base_id is None:
        return ChunkKind.CONTENT
    return chunk_kind(request.title, request.content, tags)
