"""Stored messages in the form of the wire: rows, and rows grouped by turn (contract 7.2, 7.3)."""

from collections.abc import Sequence

from memctl.wire.messages import MessageHit, MessageRow, TurnGroup
from memd.db.session import Row
from memd.domain.ids import encode
from memd.domain.turns import group_turns

_FIELDS = tuple(name for name in MessageRow.model_fields if name != "id")


def message_row(row: Row) -> MessageRow:
    """The wire form of a stored message."""
    return MessageRow(id=encode("msg", row["id"]), **{name: row[name] for name in _FIELDS})


def message_hit(row: Row, score: float) -> MessageHit:
    """The wire form of a message that a search found; the score is within 0 and 1."""
    return MessageHit(id=encode("msg", row["id"]), score=score, **{name: row[name] for name in _FIELDS})


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
