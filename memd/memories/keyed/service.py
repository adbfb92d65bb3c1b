"""The use cases of keyed memories: capture, show and forget by namespace and key (contract 17.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from uuid import UUID

import numpy as np

from memctl.wire.keyed_memories import ByKeyRequest, DeleteByKeyRequest
from memctl.wire.memories import CaptureRequest, ForgetRequest
from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.ids import encode
from memd.domain.periods.validity import Period
from memd.domain.text.duplicates import content_hash
from memd.domain.text.embedding_text import embedding_text
from memd.domain.types import Category, Store
from memd.embed import service as embedding
from memd.errors import Forbidden, MemdError, MemoryNotFound
from memd.memories import service
from memd.memories.drafting import drafted
from memd.memories.editing import service as editing
from memd.memories.editing.service import NewText
from memd.memories.guard import check_policy, check_quota
from memd.memories.history.derived import lock_derived
from memd.memories.keyed import store
from memd.memories.keyed.store import MemoryKey
from memd.memories.new import NewMemory
from memd.memories.reading_store import StoredMemory
from memd.memories.service import Captured, Forgotten
from memd.stats import quotas
from memd.stats.quotas import Resource

_REPLACED: Final = ("title", "content", "metadata", "tags", "valid_from", "valid_until")
_REPLACED_IF_SENT: Final = (
    "action_triggers",
    "store",
    "category",
    "confidence",
    "strength",
    "arousal",
    "valence",
    "channel",
)


@dataclass(frozen=True, slots=True)
class Put:
    """A keyed capture that passed the policy, with its row and vector."""

    request: CaptureRequest
    row: NewMemory

    @property
    def key(self) -> MemoryKey:
        """Of the row, which must have one."""
        return MemoryKey(self.row.namespace, self.row.key or "")


@dataclass(frozen=True, slots=True)
class PutOutcome:
    """The memory that holds the row now, or the refusal of the row; `kind` is the store and category of a replaced one."""

    id: UUID
    created_at: int
    kind: tuple[Store, Category] | None = None
    refused: MemdError | None = None

    @property
    def replaced(self) -> bool:
        """Whether the memory was there before."""
        return self.kind is not None


async def capture(context: Context, request: CaptureRequest) -> Captured:
    """Store a memory under its key; the active one that has the key already is replaced in place."""
    snapshot_id = await service.known_snapshot(context, request.source_snapshot_id)
    cleared = await check_policy(context, service.submitted(request))
    request = request.model_copy(update=cleared.texts)
    digest = content_hash(request.content)
    row = await drafted(context, request.content, partial(service.new_memory, context, request, cleared, digest))
    put = Put(request, row)
    async with context.database.read(context.user_id) as session:
        if await store.find(session, put.key) is None:
            await check_quota(session, context)
    row.source_snapshot_id = snapshot_id
    row.vector = vector = await embedding.embed_text(context, embedding_text(request.title, request.content))
    (outcome,) = await put_rows(context, [put])
    if outcome.refused is not None:
        raise outcome.refused
    return Captured(
        outcome.id,
        outcome.created_at,
        vector.astype(np.float16).tolist(),
        row.recall_text,
        replaced=outcome.replaced,
        kind=outcome.kind,
        period=Period(row.valid_from, row.valid_until),
    )


async def put_rows(context: Context, puts: Sequence[Put]) -> list[PutOutcome]:
    """Insert or replace the rows in one transaction; no key may come twice."""
    async with context.database.write(context.user_id) as session:
        known = await store.lock(session, [put.key for put in puts])
        await lock_derived(session, list(known.values()))
        new = [put for put in puts if put.key not in known]
        free = await quotas.free_memories(session, context.principal, lock=True) if new else None
        fitting = new if free is None else new[:free]
        service.add(session, context, [put.row for put in fitting])
        stored = {put.key for put in fitting}
        notes = [accounts.audit_note(context, "capture", "memory", encode("mem", put.row.id)) for put in fitting]
        if notes:
            session.execute_later(accounts.auditing(notes))
        return [await _outcome(session, context, put, known.get(put.key), stored=put.key in stored) for put in puts]


async def _outcome(
    session: WriteSession, context: Context, put: Put, known: UUID | None, *, stored: bool
) -> PutOutcome:
    if known is not None:
        return await _replace(session, context, put, known)
    refusal = None if stored else quotas.refusal(context.principal, Resource.MEMORIES)
    return PutOutcome(put.row.id, put.row.created_at, refused=refusal)


async def _replace(session: WriteSession, context: Context, put: Put, memory_id: UUID) -> PutOutcome:
    """Give a stored memory the texts, metadata and tags of a capture, and every other field that the capture sets.

    Refused when the channel that the capture names does not see the memory.
    """
    scopes = context.scopes(put.request.channel, put.request.agent_id)
    try:
        row = await service.lock_visible(session, scopes, memory_id, tested=put.request.channel is not None)
    except (Forbidden, MemoryNotFound) as refusal:
        return PutOutcome(memory_id, put.row.created_at, refused=refusal)
    changes = _changes(put)
    await editing.apply_changes(session, context, row, changes, _text(context, put.row))
    meta = {"fields": sorted(_REPLACED)}
    await accounts.audit(session, context, "update", "memory", encode("mem", memory_id), meta)
    kind = Store(changes.get("store", row.store)), Category(changes.get("category", row.category))
    return PutOutcome(memory_id, row.created_at, kind)


def _changes(put: Put) -> dict[str, Any]:
    """The columns that a capture replaces, the verdict of the policy on them included; a blank channel is not sent."""
    row, sent = put.row, put.request.model_fields_set
    names = (*_REPLACED, *(name for name in _REPLACED_IF_SENT if name in sent and getattr(row, name) is not None))
    verdict = {"policy_version": row.policy_version, "policy_flags": row.policy_flags, "blocked": False}
    return {name: getattr(row, name) for name in names} | verdict


def _text(context: Context, row: NewMemory) -> NewText:
    """What the texts and tags of a row bring to the memory that gets them; its index is there since the row was drafted."""
    index = row.make_text_index(context.user_id, context.services.settings.text_search_config)
    return NewText(index, row.vector, row.content_hash, row.recall_text, row.text_score)


async def show(context: Context, request: ByKeyRequest) -> StoredMemory:
    """The active memory of a key; does not count as an access. `MemoryNotFound` when there is none."""
    scopes = context.scopes(request.channel, request.agent_id)
    async with context.database.read(context.user_id) as session:
        memory_id = await store.find(session, MemoryKey(request.namespace, request.key))
        if memory_id is None:
            raise MemoryNotFound
        return await service.find_visible(session, scopes, memory_id, tested=request.channel is not None)


async def forget(context: Context, request: DeleteByKeyRequest) -> tuple[UUID, Forgotten]:
    """Archive the active memory of a key, or delete it permanently; the key is free again."""
    async with context.database.read(context.user_id) as session:
        memory_id = await store.find(session, MemoryKey(request.namespace, request.key))
    if memory_id is None:
        raise MemoryNotFound
    named = ForgetRequest(
        memory_id=encode("mem", memory_id),
        permanent=request.permanent,
        channel=request.channel,
        agent_id=request.agent_id,
    )
    return memory_id, await service.forget(context, named)
