"""Messages grouped by turn (contract 7.3)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar


class TurnMessage(Protocol):
    """The fields of a message that grouping reads; `id` is the wire id, times are epoch milliseconds."""

    @property
    def id(self) -> str:
        """The wire id."""
        ...

    @property
    def timestamp(self) -> int:
        """When it was said."""
        ...

    @property
    def turn_id(self) -> str | None:
        """The client's turn, if it sent one."""
        ...

    @property
    def turn_message_index(self) -> int | None:
        """The place in the turn, from 0."""
        ...

    @property
    def channel(self) -> str | None:
        """The channel it was said in."""
        ...

    @property
    def session_key(self) -> str | None:
        """The session it belongs to."""
        ...


M = TypeVar("M", bound=TurnMessage)


@dataclass(frozen=True, slots=True)
class Turn(Generic[M]):
    """The messages of one turn by their place in it; channel and session are those of the first one that has any."""

    turn_id: str
    channel: str | None
    session_key: str | None
    started_at: int
    ended_at: int
    messages: tuple[M, ...]


def group_turns(messages: Iterable[M]) -> list[Turn[M]]:
    """The turns of the messages by their beginning; a message without a turn is the turn `message:<id>`.

    Messages without a place in the turn come after those with one; equal places by time, then id.
    """
    groups: dict[str, list[M]] = {}
    for message in messages:
        groups.setdefault(message.turn_id or f"message:{message.id}", []).append(message)
    turns = [_turn(turn_id, group) for turn_id, group in groups.items()]
    return sorted(turns, key=lambda turn: (turn.started_at, turn.ended_at, turn.turn_id))


def _turn(turn_id: str, group: list[M]) -> Turn[M]:
    ordered = sorted(group, key=_sort_key)
    times = [message.timestamp for message in ordered]
    return Turn(
        turn_id=turn_id,
        channel=next((message.channel for message in ordered if message.channel is not None), None),
        session_key=next((message.session_key for message in ordered if message.session_key is not None), None),
        started_at=min(times),
        ended_at=max(times),
        messages=tuple(ordered),
    )


def _sort_key(message: TurnMessage) -> tuple[bool, int, int, str]:
    index = message.turn_message_index
    return (index is None, index or 0, message.timestamp, message.id)
