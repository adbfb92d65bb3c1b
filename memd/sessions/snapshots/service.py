"""The use cases of snapshots: those that clients send, the automatic one of each session, and reading them."""

import math
from dataclasses import dataclass
from uuid import UUID

from memctl.wire.snapshots import ListSnapshotsRequest, SnapshotRequest
from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.ids import encode, new_id
from memd.domain.prompts.session_text import CHARACTERS_PER_TOKEN
from memd.errors import NotFound
from memd.messages import service as messages
from memd.sessions.snapshots import store
from memd.sessions.snapshots.store import ListedSnapshot, StoredSnapshot
from memd.stats import quotas


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored snapshot."""

    id: UUID
    message_count: int
    total_tokens: int


async def keep(context: Context, request: SnapshotRequest) -> Kept:
    """Store the messages of a session that a client sends; they expire like messages received now (contract 7.7).

    A snapshot counts as one message in the storage quota; `StorageLimitReached` when none is left.
    """
    async with context.database.write(context.user_id) as session:
        await messages.check_quota(session, context)
        return await _write(session, context, request, expires_at=messages.expiry(context), automatic=False)


async def keep_automatic(
    session: WriteSession, context: Context, request: SnapshotRequest, expires_at: int
) -> Kept | None:
    """Store or replace the one automatic snapshot of a session, which expires at `expires_at` (epoch ms).

    None when there is none yet and the storage quota is full: the service takes no place that a message could have.
    """
    known = await store.find_automatic(session, request.session_key, request.channel)
    if known is None and await quotas.free_messages(session, context.principal) == 0:
        return None
    return await _write(session, context, request, expires_at=expires_at, automatic=True, known=known)


async def _write(
    session: WriteSession,
    context: Context,
    request: SnapshotRequest,
    *,
    expires_at: int,
    automatic: bool,
    known: UUID | None = None,
) -> Kept:
    """Insert a snapshot, or replace the messages of a `known` one; four characters count as a token."""
    from memd.sessions.tables import Snapshot

    characters = sum(len(message.content) for message in request.messages)
    row = Snapshot(
        user_id=context.user_id,
        id=known or new_id(),
        session_key=request.session_key,
        channel=request.channel,
        messages=[message.model_dump(mode="json", exclude_none=True) for message in request.messages],
        message_count=len(request.messages),
        total_tokens=math.ceil(characters / CHARACTERS_PER_TOKEN),
        reason=request.reason,
        created_at=context.now,
        automatic=automatic,
        expires_at=expires_at,
    )
    write = store.insert_snapshot if known is None else store.replace_snapshot
    await write(session, row)
    await accounts.audit(session, context, "snapshot", "snapshot", encode("snap", row.id))
    return Kept(row.id, row.message_count, row.total_tokens)


async def page(context: Context, request: ListSnapshotsRequest, before: UUID | None) -> list[ListedSnapshot]:
    """Up to `limit` + 1 snapshots that the request's channel may see, the last made first."""
    scopes = context.scopes(request.channel, request.agent_id)
    async with context.database.read(context.user_id) as session:
        return await store.page(session, scopes, request.session_key, before, request.limit + 1)


async def show(context: Context, snapshot_id: UUID) -> StoredSnapshot:
    """A snapshot with its messages; `NotFound` for one that the user does not have."""
    async with context.database.owner(context.user_id) as session:
        found = await store.find(session, snapshot_id)
    if found is None:
        raise NotFound
    return found


async def remove_expired(session: WriteSession, now: int, limit: int) -> int:
    """Delete snapshots that have expired at `now` (epoch ms); returns how many."""
    return await store.remove_expired(session, now, limit)
