"""The use cases of one session: its figures with its newest messages, and its summary."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.wire.sessions import ListSessionsRequest, SessionRequest
from memd.access.request.values import requested_window
from memd.context import Context
from memd.db.session import WriteSession
from memd.messages import service as messages
from memd.messages.service import StoredMessage
from memd.sessions import store
from memd.sessions.store import ListedSession, SessionFigures

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
    scopes = context.scopes(
        request.channel, request.agent_id, session_key=request.session_key, all_channels=request.all_channels
    )
    async with context.database.read(context.user_id) as session:
        return ShownSession(
            figures=await store.figures(session, scopes, window.from_ms, window.to_ms),
            messages=await messages.newest(session, scopes, window, request.limit),
        )


async def page(context: Context, request: ListSessionsRequest, before: tuple[int, str] | None) -> list[ListedSession]:
    """Up to `limit` + 1 sessions as the request's channel may see them, the last used first, behind a position."""
    scopes = context.scopes(request.channel, request.agent_id, all_channels=request.all_channels)
    async with context.database.read(context.user_id) as session:
        return await store.page(session, scopes, before, request.limit + 1)


async def keep_session(session: WriteSession, entry: "Session") -> None:
    """Store the summary of a session in place of its earlier one."""
    await store.replace_session(session, entry)
