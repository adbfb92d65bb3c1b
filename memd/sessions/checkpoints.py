"""Checkpoints: named, frozen sets of memories within the tier's allowance (contract 6.9)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from memctl.wire.sessions import CheckpointRequest
from memd.accounts import service as accounts
from memd.audit.recording import record
from memd.context import Context
from memd.db.session import ReadSession
from memd.domain.ids import decode, encode, new_id
from memd.domain.messages.checkpoint_entries import CheckpointEntry, cut_entries
from memd.domain.prompts.session_text import SUMMARY_MAX, excerpt
from memd.domain.types import Store
from memd.domain.visibility.scoping import VisibleScopes
from memd.errors import MemoryNotFound, NotFound, StorageLimitReached
from memd.memories import service as memories
from memd.memories.service import StoredMemory
from memd.sessions import checkpoint_store as store
from memd.sessions import wake_store
from memd.sessions.checkpoint_store import ListedCheckpoint, StoredCheckpoint
from memd.sessions.wake_store import UsedMemory
from memd.stats import quotas
from memd.stats.quotas import Resource

if TYPE_CHECKING:
    from memd.sessions.tables import Checkpoint

LAST_USED = 12
CREATED_BY_API = "api"


@dataclass(frozen=True, slots=True)
class Created:
    """A new checkpoint, and how many the user has now."""

    id: UUID
    timestamp: int
    memory_count: int
    retained: int


async def create(context: Context, request: CheckpointRequest) -> Created:
    """Freeze the named memories, else those that were used last; the allowance bounds both numbers.

    Rows that were deleted after they were read are left out; `MemoryNotFound` when the request names one of them.
    """
    scopes = context.scopes(request.channel, None)
    async with context.database.read(context.user_id) as session:
        rows = await _chosen(session, context, scopes, request)
    async with context.database.write(context.user_id) as session:
        await store.lock(session)
        existing = await memories.lock_stored(session, [row.id for row in rows])
        if request.memory_ids and len(existing) < len(rows):
            raise MemoryNotFound
        rows = [row for row in rows if row.id in existing]
        checkpoint = _checkpoint(context, request, rows)
        retained = await store.count(session)
        if await quotas.free_checkpoints(session, context.principal, retained) == 0:
            raise quotas.refusal(context.principal, Resource.CHECKPOINTS)
        await store.insert_checkpoint(session, checkpoint)
        await accounts.audit(session, context, "create", "checkpoint", encode("ckpt", checkpoint.id))
    return Created(checkpoint.id, context.now, len(rows), retained + 1)


async def _chosen(
    session: ReadSession, context: Context, scopes: VisibleScopes, request: CheckpointRequest
) -> Sequence[StoredMemory | UsedMemory]:
    """The memories to freeze: those of the request, 404 or 403 for one that it may not name."""
    if not request.memory_ids:
        return await wake_store.last_used(session, scopes, LAST_USED)
    memory_ids = list(dict.fromkeys(request.memory_ids))
    limit = context.principal.allowance.memories_per_checkpoint
    if len(memory_ids) > limit:
        raise StorageLimitReached(limit, "checkpoints")
    tested = request.channel is not None
    return [await memories.find_visible(session, scopes, decode("mem", wire), tested=tested) for wire in memory_ids]


def _checkpoint(
    context: Context, request: CheckpointRequest, rows: Sequence[StoredMemory | UsedMemory]
) -> "Checkpoint":
    from memd.sessions import tables

    entries = cut_entries(
        CheckpointEntry(
            memory_id=encode("mem", row.id),
            strength=row.strength,
            title=row.title,
            content=row.content,
            store=Store(row.store),
            tags=tuple(row.tags),
        )
        for row in rows
    )
    titles = "; ".join(row.title for row in rows)
    return tables.Checkpoint(
        user_id=context.user_id,
        id=new_id(),
        label=request.label or "",
        description=request.description,
        created_at=context.now,
        created_by=context.principal.key_label or CREATED_BY_API,
        channel=request.channel,
        session_key=request.session_key,
        semantic_summary=request.semantic_summary or excerpt(titles, SUMMARY_MAX),
        tags=request.tags,
        memory_snapshot=[_kept(entry) for entry in entries],
        memory_count=len(rows),
    )


def _kept(entry: CheckpointEntry) -> dict[str, Any]:
    """An entry under the names of contract 4."""
    fields = asdict(entry)
    return {"memoryId": fields.pop("memory_id"), **fields}


@dataclass(frozen=True, slots=True)
class Listed:
    """The newest checkpoints, and how many the user has."""

    rows: list[ListedCheckpoint]
    retained: int


async def newest(context: Context, request: CheckpointRequest) -> Listed:
    """The newest checkpoints; with a channel, those of the channels that it sees."""
    scopes = context.scopes(request.channel, None)
    async with context.database.read(context.user_id) as session:
        return Listed(await store.newest(session, scopes, request.limit), await store.count(session))


async def show(context: Context, checkpoint_id: UUID) -> StoredCheckpoint:
    """A checkpoint with its memories; `NotFound` for one that the user does not have."""
    async with context.database.owner(context.user_id) as session:
        found = await store.find(session, checkpoint_id)
    if found is None:
        raise NotFound
    return found


async def delete(context: Context, checkpoint_id: str) -> None:
    """Remove a checkpoint; `NotFound` for one that the user does not have."""
    async with context.database.write(context.user_id) as session:
        if not await store.delete(session, decode("ckpt", checkpoint_id)):
            raise NotFound
        await accounts.audit(session, context, "delete", "checkpoint", checkpoint_id)
        record(session, context, "checkpoint.delete", checkpoint_id)
