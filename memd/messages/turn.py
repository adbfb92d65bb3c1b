"""Completed turns: what the user said and what the assistant answered, stored together and once (contract 7.6).

A turn is one row with a unique key; the writer that inserts it stores the messages and schedules the extraction, in the
same transaction. Every other delivery finds the row and changes nothing, whatever it brings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memctl.wire.invisible import has_visible
from memctl.wire.limits import MESSAGE_READ_MAX
from memctl.wire.messages import LogRequest, TurnKey, TurnRequest
from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import OwnerSession, WriteSession
from memd.domain.messages.synthetic_context import SkipReason
from memd.domain.types import MessageRole
from memd.extraction import service as extraction
from memd.extraction.service import ExtractionResult
from memd.jobs import enqueue
from memd.messages import service, store
from memd.messages import turn_store as turns
from memd.messages.new import NewMessage
from memd.messages.turn_store import StoredTurn
from memd.stats import quotas
from memd.stats.quotas import Resource

TURN_ID_MAX = 500


@dataclass(frozen=True, slots=True)
class TurnPart:
    """The outcome of one message: stored now, there already, or skipped for a reason."""

    role: MessageRole
    id: UUID | None = None
    inserted: bool = False
    truncated: bool = False
    skipped: SkipReason | None = None


@dataclass(frozen=True, slots=True)
class Delivered:
    """The turn as it is stored; `first` when this delivery stored it, with what was extracted if it was at once."""

    turn_id: str
    session_key: str
    channel: str
    parts: tuple[TurnPart, ...]
    first: bool
    extracted: ExtractionResult | None = None


async def find_delivered(context: Context, raw: Mapping[str, Any]) -> Delivered | None:
    """The stored turn that a body names, regardless of its other fields; None for a new turn, or without a turnId."""
    turn_id = TurnKey.from_body(raw).turn_id
    if not isinstance(turn_id, str) or not 0 < len(turn_id) <= TURN_ID_MAX:
        return None
    async with context.database.owner(context.user_id) as session:
        row = await turns.find(session, turn_id)
        return None if row is None else await _as_stored(session, row)


async def _as_stored(session: OwnerSession, row: StoredTurn) -> Delivered:
    roles = await turns.roles(session, row.message_ids)
    parts = tuple(
        TurnPart(MessageRole(roles[message_id]), message_id) for message_id in row.message_ids if message_id in roles
    )
    return Delivered(row.turn_id, row.session_key, row.channel, parts, first=False)


async def deliver(context: Context, request: TurnRequest) -> Delivered:
    """Store a turn with its messages and schedule its extraction; a known one is returned as stored."""
    turn_id, session_key, channel = request.turn_id, request.session_key, request.channel
    drafts = {log.role: await service.draft(context, log) for log in _logs(request)}
    async with context.database.write(context.user_id) as session:
        row = await turns.claim(session, turn_id, session_key, channel, context.now)
        if row is not None:
            return await _as_stored(session, row)
        parts = await _store(session, context, turn_id, drafts)
        message_ids = [part.id for part in parts if part.id is not None]
        waiting = await turns.attach(session, turn_id, message_ids, enqueue.PLACES)
        at_once = request.capture_mode != "async"
        if not at_once:
            enqueue.defer_extraction(session, context, turn_id, waiting=waiting)
        await accounts.audit(session, context, "turn", "turn", turn_id)
    extracted = await extraction.extract_turn(context, turn_id) if at_once else None
    return Delivered(turn_id, session_key, channel, parts, first=True, extracted=extracted)


def _logs(request: TurnRequest) -> list[LogRequest]:
    """The messages of a turn as two messages to log: the user's at index 0, the assistant's at 1."""
    spoken = (
        (MessageRole.USER, request.user_message, request.user_speaker),
        (MessageRole.ASSISTANT, request.assistant_message, request.assistant_speaker),
    )
    return [
        LogRequest(
            content=content,
            role=role,
            channel=request.channel,
            session_key=request.session_key,
            turn_id=request.turn_id,
            turn_message_index=index,
            timestamp=request.timestamp,
            speaker=speaker,
            metadata=request.metadata,
            agent_id=request.agent_id,
            project_id=request.project_id,
            repo_slug=request.repo_slug,
        )
        for index, (role, content, speaker) in enumerate(spoken)
        if content is not None and has_visible(content[:MESSAGE_READ_MAX])
    ]


async def _store(
    session: WriteSession, context: Context, turn_id: str, drafts: Mapping[MessageRole, NewMessage | SkipReason]
) -> tuple[TurnPart, ...]:
    """Insert the messages that `log` has not stored before; both or none where the quota is short."""
    messages = [draft for draft in drafts.values() if not isinstance(draft, SkipReason)]
    hashes = sorted(message.content_hash for message in messages)
    await session.execute_all(*(store.hash_lock(session, content_hash) for content_hash in hashes))
    logged = await turns.logged_before(session, turn_id)
    fresh = [message for message in messages if message.role not in logged]
    await _check_quota(session, context, fresh)
    await service.add(session, context, fresh)
    return tuple(_part(role, draft, logged.get(role)) for role, draft in drafts.items())


def _part(role: MessageRole, draft: NewMessage | SkipReason, logged: UUID | None) -> TurnPart:
    if isinstance(draft, SkipReason):
        return TurnPart(role, skipped=draft)
    return TurnPart(role, logged or draft.id, inserted=logged is None, truncated=draft.truncated)


async def _check_quota(session: WriteSession, context: Context, messages: Sequence[NewMessage]) -> None:
    available = await quotas.free_messages(session, context.principal)
    if available is not None and len(messages) > available:
        sizes = {"required": len(messages), "available": available}
        raise quotas.refusal(context.principal, Resource.MESSAGES, ok=False, **sizes)
