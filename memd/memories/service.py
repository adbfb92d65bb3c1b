"""The use cases of single memories: capture, show, forget."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

import numpy as np

from memctl.wire.memories import CaptureRequest, ForgetRequest, MemoryRequest
from memd.accounts import service as accounts
from memd.audit.recording import record
from memd.context import Context
from memd.db.engine import GENERIC_PLAN
from memd.db.session import ReadSession, WriteSession
from memd.domain.ids import decode, encode, new_id
from memd.domain.lifecycle.salience import salience_of, text_score
from memd.domain.periods.validity import Period
from memd.domain.prompts.recall_text import recall_text
from memd.domain.search.projects import project_id
from memd.domain.text.duplicates import content_hash
from memd.domain.text.embedding_text import embedding_text
from memd.domain.types import Category, HistoryAction, MemorySource, Store
from memd.domain.visibility.scoping import VisibleScopes
from memd.embed import service as embedding
from memd.embed.providers.provider import EmbedError
from memd.erasure.memories import service as erasure
from memd.errors import DuplicateMemory, Forbidden, MemdError, MemoryNotFound, NotFound
from memd.graph import removal as graph
from memd.jobs import enqueue
from memd.knowledge_bases import counters
from memd.memories import access_store, reading_store, store
from memd.memories.drafting import drafted
from memd.memories.duplicate_store import ContentKey, find_duplicates
from memd.memories.guard import Cleared, Submitted, check_policy, check_quota
from memd.memories.history.derived import BY_SOURCE, archive_all_derived, archive_outdated_derived
from memd.memories.history.recording import Cause, record_versions
from memd.memories.insertion import insertion
from memd.memories.new import Duplicate, NewMemory
from memd.memories.reading_store import StoredMemory
from memd.memories.replaying import replay
from memd.memories.validity import period_of
from memd.stats import service as stats

AUTO_CAPTURE_TAG = "auto-capture"


@dataclass(frozen=True, slots=True)
class Captured:
    """The stored row; `duplicate` when it was there already, `replaced` when it took the place of the row of its key.

    `period` is that of a row that was stored, open for a duplicate; `kind` the store and category of a replaced one.
    """

    id: UUID
    created_at: int
    embedding: list[float]
    recall_text: str
    duplicate: bool = False
    replaced: bool = False
    kind: tuple[Store, Category] | None = None
    period: Period = field(default_factory=Period)


async def capture(context: Context, request: CaptureRequest) -> Captured:
    """Store a memory with its embedding, unless it is a duplicate of an active one (contract 6.1)."""
    snapshot_id = await known_snapshot(context, request.source_snapshot_id)
    cleared = await check_policy(context, submitted(request))
    request = request.model_copy(update=cleared.texts)
    digest = content_hash(request.content)
    key = ContentKey(request.store, digest, request.channel)
    found = None if _embeds_free(context) else await _find_duplicate(context, key)
    if found is not None:
        return await answer_duplicate(context, request, found)
    try:
        with context.services.captures.announce(context.user_id):
            vector = await embedding.embed_text(context, embedding_text(request.title, request.content))
    except (MemdError, EmbedError):
        found = await _find_duplicate(context, key)
        if found is None:
            raise
        return await answer_duplicate(context, request, found)
    row = await drafted(context, request.content, partial(new_memory, context, request, cleared, digest))
    row.source_snapshot_id, row.vector = snapshot_id, vector
    (outcome,) = await context.services.captures.store(context, [row])
    if outcome.refused is not None:
        raise outcome.refused
    if outcome.duplicate is not None:
        return await answer_duplicate(context, request, outcome.duplicate)
    values = vector.astype(np.float16).tolist()
    return Captured(row.id, row.created_at, values, row.recall_text, period=Period(row.valid_from, row.valid_until))


def _embeds_free(context: Context) -> bool:
    """Whether an embedding costs the caller only milliseconds, less than looking for duplicates first.

    The transaction that stores the row looks for duplicates anyway.
    """
    limits = context.principal.limits
    unlimited = limits.embeddings_per_day is None and limits.memories is None
    return unlimited and not context.services.batcher.embedder.remote


async def _find_duplicate(context: Context, key: ContentKey) -> Duplicate | None:
    """The duplicate of a capture; `StorageLimitReached` when there is none and the quota is used up."""
    async with context.database.read(context.user_id, GENERIC_PLAN) as session:
        found = (await find_duplicates(session, [key])).get(0)
        if found is None:
            await check_quota(session, context)
    return found


def submitted(request: CaptureRequest) -> Submitted:
    """The fields of a capture that the policy reads."""
    return Submitted.of(request.title, request.content, request.tags, request.action_triggers, request.metadata)


async def known_snapshot(context: Context, wire_id: str | None) -> UUID | None:
    """The snapshot that a request names; `NotFound` for one that the user does not have."""
    if wire_id is None:
        return None
    snapshot_id = decode("snap", wire_id)
    async with context.database.read(context.user_id) as session:
        if not await store.snapshot_exists(session, snapshot_id):
            raise NotFound
    return snapshot_id


def new_memory(context: Context, request: CaptureRequest, cleared: Cleared, digest: str) -> NewMemory:
    """The row of a capture; what the request leaves out has the defaults of contract 4."""
    created_at = _past(request.created_at, context)
    period = period_of(request, created_at, context.zone)
    score = text_score(request.title, request.content)
    row = NewMemory(
        id=new_id(),
        title=request.title,
        content=request.content,
        content_hash=digest,
        recall_text=recall_text(request.content),
        store=request.store,
        category=request.category,
        created_at=created_at,
        last_accessed_at=_past(request.last_accessed_at or request.created_at, context),
        tags=request.tags,
        metadata=request.metadata,
        channel=request.channel,
        agent_id=request.agent_id,
        project_id=project_id(request.project_id, request.repo_slug),
        session_key=request.session_key,
        namespace=request.namespace,
        key=request.key,
        source=MemorySource(request.source),
        action_triggers=request.action_triggers,
        policy_version=cleared.policy_version,
        policy_flags=cleared.flags,
        created_by=context.principal.key_id,
        created_request=context.write_id,
        valid_from=period.from_ms,
        valid_until=period.until_ms,
        text_score=score,
        salience_score=salience_of(score, request.category, request.store, len(request.tags)),
    )
    for name in ("strength", "confidence", "valence", "arousal"):
        value = getattr(request, name)
        if value is not None:
            setattr(row, name, value)
    return row


def _past(moment: int | None, context: Context) -> int:
    """The time of a back-fill, never later than now."""
    return context.now if moment is None else min(moment, context.now)


def add(session: WriteSession, context: Context, rows: Sequence[NewMemory], *, graph_delay_ms: int = 0) -> None:
    """Insert ordinary memories, move the totals and schedule what follows; the caller has made all tests.

    The statements go with the next ones of the session. The graph reads the rows after the delay.
    """
    if not rows:
        return
    model, language = context.services.model, context.services.settings.text_search_config
    session.execute_later(
        stats.moving(session, context.now, active=len(rows), captured=True),
        *insertion(session.user_id, rows, model=model, default_language=language),
    )
    enqueue.defer_enrichment(session, delay_ms=graph_delay_ms)


async def answer_duplicate(context: Context, request: CaptureRequest, found: Duplicate) -> Captured:
    """409, or for a replayed automatic capture the row that is there, with the union of the tags."""
    replayed = (
        request.store is Store.SENSORY
        and request.category is Category.CONVERSATION
        and AUTO_CAPTURE_TAG in request.tags
    )
    if not replayed:
        raise DuplicateMemory(encode("mem", found.id))
    values = await replay(context, found.id, request.tags)
    if values is None:
        return await capture(context, request)
    return Captured(found.id, found.created_at, values, "", duplicate=True)


async def find_visible(session: ReadSession, scopes: VisibleScopes, memory_id: UUID, *, tested: bool) -> StoredMemory:
    """The user's row; 404 when it does not exist, 403 when it is another user's or not visible to the tested channel."""
    return await _admitted(session, await reading_store.find(session, scopes, memory_id), memory_id, tested=tested)


async def lock_visible(session: WriteSession, scopes: VisibleScopes, memory_id: UUID, *, tested: bool) -> StoredMemory:
    """As `find_visible`, with the row locked."""
    return await _admitted(session, await reading_store.lock(session, scopes, memory_id), memory_id, tested=tested)


async def _admitted(
    session: ReadSession, found: reading_store.Found | None, memory_id: UUID, *, tested: bool
) -> StoredMemory:
    if found is None:
        raise Forbidden if await reading_store.exists_elsewhere(session, memory_id) else MemoryNotFound
    if tested and not found.visible:
        raise Forbidden
    return found.row


async def lock_stored(session: WriteSession, memory_ids: Sequence[UUID]) -> frozenset[UUID]:
    """Those of the memories that still exist; none of them is deleted before the transaction ends.

    For what writes texts that were read from memories in an earlier transaction.
    """
    return frozenset(await store.lock_stored(session, memory_ids))


async def show(context: Context, request: MemoryRequest) -> StoredMemory:
    """One memory in full, archived ones too; counts as an access."""
    memory_id = decode("mem", request.memory_id)
    scopes = context.scopes(request.channel, request.agent_id)
    async with context.database.write(context.user_id) as session:
        row = await find_visible(session, scopes, memory_id, tested=request.channel is not None)
        await access_store.count_access(session, {memory_id: 1}, {memory_id: context.now})
    return row._replace(access_count=row.access_count + 1, last_accessed_at=context.now)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The outcome for the row."""

    title: str
    deleted: bool


async def forget(context: Context, request: ForgetRequest) -> Forgotten:
    """Archive a memory or chunk, or delete it permanently; counters follow (contract 6.5, 5)."""
    memory_id = decode("mem", request.memory_id)
    scopes = context.scopes(request.channel, request.agent_id)
    async with context.database.write(context.user_id) as session:
        if request.permanent:
            await graph.lock(session)
        row = await lock_visible(session, scopes, memory_id, tested=request.channel is not None)
        cause = Cause(HistoryAction.ARCHIVE, request.reason)
        if request.permanent:
            derived = await archive_all_derived(session, context, [memory_id])
            await erasure.remove_derived(session, [memory_id], context.now)
            await store.remove(session, [memory_id])
            await stats.move(session, context.now, active=-derived, archived=derived)
        elif not row.archived or row.archived_by in {"knowledge_base", BY_SOURCE}:
            await record_versions(session, context, [memory_id], cause)
            await store.archive(session, [memory_id], "user", context.now)
            await archive_outdated_derived(session, context, [memory_id], cause)
        await _move_counters(session, context, row, deleted=request.permanent)
        action = "delete" if request.permanent else "archive"
        meta = {"reason": request.reason} if request.reason else None
        await accounts.audit(session, context, action, "memory", request.memory_id, meta)
        if request.permanent:
            record(session, context, "memory.delete", request.memory_id)
    return Forgotten(title=row.title, deleted=request.permanent)


async def _move_counters(session: WriteSession, context: Context, row: StoredMemory, *, deleted: bool) -> None:
    """The knowledge base's counters for a chunk, the totals for a memory; only an active row counts as active."""
    active = 0 if row.archived else 1
    if row.knowledge_base_id is not None:
        if active:
            size = len(row.content)
            await counters.move(session, row.knowledge_base_id, chunks=-1, characters=-size, now=context.now)
        return
    archived = (0 if active else -1) if deleted else active
    await stats.move(session, context.now, active=-active, archived=archived)
