"""Messages in the form of the wire: rows, rows grouped by turn, and the window they are from (contract 7.0, 7.2, 7.3)."""

from collections.abc import Sequence
from typing import Any

from memctl.wire.messages import MessageHit, MessageRow, TurnGroup
from memctl.wire.time_window import TemporalHint
from memctl.wire.time_window import Window as WireWindow
from memd.domain.dates.time_window import Window
from memd.domain.ids import encode
from memd.domain.messages.turns import group_turns
from memd.domain.periods.temporal_phrases import TemporalPhrase
from memd.messages.search import Hit
from memd.messages.store import StoredMessage
from memd.rankings.service import Ranked


def message_row(row: StoredMessage) -> MessageRow:
    """The wire form of a stored message."""
    return MessageRow(**_fields(row))


def message_hit(row: StoredMessage, found: Hit | Ranked) -> MessageHit:
    """The wire form of a message that a search found; the score is within 0 and 1."""
    return MessageHit(**_fields(row), score=found.score, weak=found.weak or None, adjacent=found.adjacent or None)


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


def wire_window(window: Window) -> WireWindow:
    """The bounds that were really used; only a request sets any."""
    source = "none" if window.is_open else "request"
    return WireWindow(from_ms=window.from_ms, to_ms=window.to_ms, window_source=source)


def temporal_hint(phrase: TemporalPhrase | None) -> TemporalHint | None:
    """The temporal phrase of a query as replies name it."""
    return TemporalHint(from_ms=phrase.from_ms, to_ms=phrase.to_ms, phrase=phrase.text) if phrase else None
