"""Completed turns over HTTP (contract 7.6)."""

from typing import Any

from memctl.wire.messages import ExtractionState, TurnMessage, TurnReply, TurnRequest
from memd.access.endpoint import Call, Room
from memd.context import Context
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.messages import turn
from memd.messages.turn import Delivered, TurnPart

room = Room("messages")


async def answer_known(context: Context, raw: dict[str, Any]) -> TurnReply | None:
    """The reply to a turn that is stored already; other fields of its body are ignored."""
    known = await turn.find_delivered(context, raw)
    return None if known is None else _repeated(known)


@room.endpoint(
    "POST",
    "/api/mcp/turn",
    credits=1,
    scope=KeyScope.WRITE,
    body=TurnRequest,
    reply=TurnReply,
    before=answer_known,
)
async def deliver(call: Call[TurnRequest]) -> TurnReply:
    """Store a completed turn, once."""
    delivered = await turn.deliver(call.context, call.body)
    if not delivered.first:
        return _repeated(delivered)
    return TurnReply(
        deduped=False,
        turn_id=delivered.turn_id,
        session_key=delivered.session_key,
        channel=delivered.channel,
        messages=[_message(part) for part in delivered.parts],
        extraction=_extraction(delivered, call.body.capture_mode),
    )


def _extraction(delivered: Delivered, mode: str) -> ExtractionState:
    """Scheduled, or done already inside the request."""
    done = delivered.extracted
    if done is None:
        return ExtractionState(scheduled=True, mode=mode)
    ids = [encode("mem", memory_id) for memory_id in done.memory_ids]
    result = {"memoryIds": ids, "messages": done.messages, "method": done.method, "degraded": done.degraded}
    return ExtractionState(scheduled=False, mode=mode, result=result)


def _repeated(known: Delivered) -> TurnReply:
    return TurnReply(
        deduped=True,
        turn_id=known.turn_id,
        session_key=known.session_key,
        channel=known.channel,
        messages=[_message(part) for part in known.parts],
        extraction=ExtractionState(scheduled=False, reason="deduped"),
    )


def _message(part: TurnPart) -> TurnMessage:
    if part.id is None:
        return TurnMessage(role=part.role, skipped=True, reason=part.skipped)
    return TurnMessage(
        role=part.role, id=encode("msg", part.id), inserted=part.inserted, truncated=part.truncated or None
    )
