"""Stored messages in the form of the wire: rows, and rows grouped by turn (contract 7.2, 7.3)."""

from collections.abc import Sequence
from typing import Any

from memctl.wire.messages import MessageHit, MessageRow, TurnGroup
from memd.domain.ids import encode
from memd.domain.turns import group_turns
from memd.messages.store import StoredMessage


def message_row(row: StoredMessage) -> MessageRow:
    """The wire form of a stored message."""
    return MessageRow(**_fields(row))


def message_hit(row: StoredMessage, score: float) -> MessageHit:
    """The wire form of a message that a search found; the score is within 0 and 1."""
    return MessageHit(**_fields(row), score=score)


def _fields(row: StoredMessage) -> dict[str, Any]:
    return row._asdict() | {"id": encode("msg", row.id)}


def turn_groups(messages: Sequence[MessageRow]) -> list[TurnGroup]:
    """The messages by turn, the turns by their beginning."""
    return [
        TurnGroup(
            turn_id=turn.turn_id,
            channel=turn.channel,
            session_key=turn.session_key,
            started_at=turn.started_at,
            ended_at=turn.ended_at,
            messages=list(turn.messages),
        )
        for turn in group_turns(messages)
    ]
