"""The use-cases of one session: its figures with its newest messages, and keeping its messages as they are now."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from memctl.wire.sessions import SessionRequest, SnapshotRequest
from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.ids import encode, new_id
from memd.domain.session_text import CHARACTERS_PER_TOKEN
from memd.messages import service as messages
from memd.messages.service import StoredMessage
from memd.messages.windows import requested_window
from memd.sessions import store
from memd.sessions.store import SessionFigures

if TYPE_CHECKING:
    from memd.sessions.tables import Session


@dataclass(frozen=True, slots=True)
class ShownSession:
    """The figures of a session inside the window, and its newest messages, oldest first."""

    figures: SessionFigures
    messages: list[StoredMessage]


async def show(context: Context, request: SessionRequest) -> ShownSession:
    """A session as the request's channel may see it; an unknown one counts 0 (contract 7.4)."""
    window = requested_window(request)
    scopes = context.scopes(request.channel, request.agent_id, session_key=request.session_key)
    async with context.database.read(context.user_id) as session:
        return ShownSession(
            figures=await store.figures(session, scopes, window.from_ms, window.to_ms),
            messages=await messages.newest(session, scopes, window, request.limit),
        )


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored snapshot."""

    id: UUID
    message_count: int
    total_tokens: int


async def keep_session(session: WriteSession, entry: "Session") -> None:
    """Store what a session was about."""
    await store.insert_session(session, entry)


async def keep_snapshot(context: Context, request: SnapshotRequest) -> Kept:
    """Store the messages of a session that a client sends (contract 7.7)."""
    async with context.database.write(context.user_id) as session:
        return await write_snapshot(session, context, request)


async def write_snapshot(session: WriteSession, context: Context, request: SnapshotRequest) -> Kept:
    """Store the messages of a session as they are now; four characters count as a token."""
    characters = sum(len(message.content) for message in request.messages)
    from memd.sessions.tables import Snapshot

    row = Snapshot(
        user_id=context.user_id,
        id=new_id(),
        session_key=request.session_key,
        channel=request.channel,
        messages=[message.model_dump(mode="json", exclude_none=True) for message in request.messages],
        message_count=len(request.messages),
        total_tokens=math.ceil(characters / CHARACTERS_PER_TOKEN),
        reason=request.reason,
        created_at=context.now,
    )
    await store.insert_snapshot(session, row)
    await accounts.audit(session, context, "snapshot", "snapshot", encode("snap", row.id))
    return Kept(row.id, row.message_count, row.total_tokens)
