"""Wake and sessions over HTTP (contract 7.1, 7.4)."""

from collections.abc import Sequence

from memctl.wire.sessions import (
    ListSessionsRequest,
    RoleCounts,
    SessionExcerpt,
    SessionList,
    SessionReply,
    SessionRequest,
    SessionRow,
    SessionSummary,
    WakeCheckpoint,
    WakeMemory,
    WakePointer,
    WakeReply,
    WakeRequest,
)
from memd.access.endpoint import Call, Room
from memd.access.request.list_cursors import Values, as_time, read_position
from memd.domain.cursors import encode_cursor
from memd.domain.ids import encode
from memd.domain.prompts.session_text import EXCERPT_MAX, excerpt
from memd.domain.types import Category, KeyScope, Store
from memd.memories.profile.rows import profile_row
from memd.messages.rows import message_row, turn_groups
from memd.sessions import service
from memd.sessions import wake as waking
from memd.sessions.wake import LastCheckpoint, Pointer, UsedMemory

room = Room("sessions")


@room.endpoint("POST", "/api/mcp/wake", credits=1, scope=KeyScope.READ, body=WakeRequest, reply=WakeReply)
@room.endpoint("GET", "/api/mcp/wake", credits=1, scope=KeyScope.READ, body=WakeRequest, reply=WakeReply)
async def wake(call: Call[WakeRequest]) -> WakeReply:
    """Return what an agent should know when it starts."""
    found = await waking.wake(call.context, call.body)
    messages = [message_row(row) for row in found.recent_messages]
    return WakeReply(
        last_session_summary=found.last_session.summary if found.last_session else "",
        recent_messages=messages,
        briefing=found.briefing,
        recent_turns=turn_groups(messages),
        recent_memories=[_memory(row) for row in found.last_used],
        last_checkpoint=_checkpoint(found.checkpoint) if found.checkpoint else None,
        open_goals=_pointers(found.goals),
        recent_decisions=_pointers(found.decisions),
        guardrails=_pointers(found.guardrails),
        profiles=[profile_row(one, call.context.now) for one in found.profiles],
    )


def _memory(row: UsedMemory) -> WakeMemory:
    named = {name: value for name, value in row._asdict().items() if name in WakeMemory.model_fields}
    named |= {"id": encode("mem", row.id)}
    return WakeMemory(**named)


def _checkpoint(row: LastCheckpoint) -> WakeCheckpoint:
    return WakeCheckpoint(
        id=encode("ckpt", row.id),
        label=row.label,
        description=row.description,
        created_at=row.created_at,
    )


def _pointers(rows: Sequence[Pointer]) -> list[WakePointer]:
    return [
        WakePointer(
            title=row.title, memory_id=encode("mem", row.id), store=Store(row.store), category=Category(row.category)
        )
        for row in rows
    ]


@room.endpoint("POST", "/api/mcp/session", credits=1, scope=KeyScope.READ, body=SessionRequest, reply=SessionReply)
async def session(call: Call[SessionRequest]) -> SessionReply:
    """Figures of a session with its newest messages."""
    shown = await service.show(call.context, call.body)
    messages = [message_row(row) for row in shown.messages]
    figures = shown.figures
    return SessionReply(
        summary=SessionSummary(
            session_key=call.body.session_key,
            channel=figures.channel,
            message_count=figures.message_count,
            turn_count=figures.turn_count,
            first_timestamp=figures.first_timestamp,
            last_timestamp=figures.last_timestamp,
            roles=RoleCounts(user=figures.user, assistant=figures.assistant, system=figures.system),
            recent_excerpts=[
                SessionExcerpt(
                    message_id=message.id,
                    role=message.role,
                    timestamp=message.timestamp,
                    turn_id=message.turn_id,
                    turn_message_index=message.turn_message_index,
                    excerpt=excerpt(message.content, EXCERPT_MAX),
                )
                for message in messages
            ],
        ),
        messages=messages,
        turns=turn_groups(messages),
    )


@room.endpoint("GET", "/api/sessions", credits=1, scope=KeyScope.READ, body=ListSessionsRequest, reply=SessionList)
async def list_sessions(call: Call[ListSessionsRequest]) -> SessionList:
    """The sessions that have messages, the last used first, in pages."""
    body = call.body
    listing = f"sessions of {call.context.user_id}"
    rows = await service.page(call.context, body, read_position(listing, body.cursor, _time_and_key))
    page, more = rows[: body.limit], len(rows) > body.limit
    return SessionList(
        sessions=[SessionRow(**row._asdict()) for row in page],
        continue_cursor=encode_cursor(listing, [page[-1].last_timestamp, page[-1].session_key]) if more else "",
        is_done=not more,
    )


def _time_and_key(values: Values) -> tuple[int, str]:
    timestamp, session_key = values
    key = str(session_key)
    key.encode()  # a lone surrogate is a ValueError
    if "\0" in key:
        raise ValueError(key)
    return as_time(timestamp), key
