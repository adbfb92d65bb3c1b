"""Windows of conversation: which messages extraction reads together (contract 11.6).

A window never mixes two channels or two projects. It is one turn, else a stretch of one session, else a stretch of
the channel's talk without a session.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from memd.domain.dates.time_window import DAY_MS
from memd.domain.types import MessageRole

SETTLE_MS: Final = 2 * 60_000
"""How long a message waits for others before it is read, unless it is part of a turn."""
GAP_MS: Final = 15 * 60_000
MAX_MESSAGES: Final = 12
MAX_CHARACTERS: Final = 8_000


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """A stored message as extraction reads it; `timestamp` is when it was said, `created_at` when it arrived (ms)."""

    id: UUID
    role: MessageRole
    content: str
    timestamp: int
    created_at: int
    speaker: str | None = None
    channel: str | None = None
    project_id: str | None = None
    session_key: str | None = None
    turn_id: str | None = None
    turn_message_index: int | None = None

    @property
    def said_at(self) -> int:
        """When it was said (ms); by a clock that was ahead, when it arrived."""
        return min(self.timestamp, self.created_at)

    @property
    def is_back_filled(self) -> bool:
        """Whether it arrived more than a day after it was said."""
        return self.created_at - self.said_at > DAY_MS


@dataclass(frozen=True, slots=True)
class ConversationWindow:
    """At most 12 messages and 8,000 characters of one conversation, in the order in which they were said."""

    channel: str | None
    project_id: str | None
    messages: tuple[SourceMessage, ...]


def last_said(messages: Iterable[SourceMessage]) -> SourceMessage:
    """The message that was said last; of equal times, that which arrived last."""
    return max(messages, key=lambda message: (message.said_at, message.created_at, message.id))


def conversation_windows(messages: Iterable[SourceMessage]) -> list[ConversationWindow]:
    """The windows of `messages` in order of time."""
    threads: dict[tuple[str | None, ...], list[SourceMessage]] = {}
    for message in sorted(messages, key=_sort_key):
        threads.setdefault(_thread(message), []).append(message)
    made = [
        ConversationWindow(part[0].channel, part[0].project_id, tuple(part))
        for thread in threads.values()
        for part in _parts(thread)
    ]
    return sorted(made, key=lambda window: (window.messages[0].timestamp, window.messages[0].id))


def _sort_key(message: SourceMessage) -> tuple[int, int, UUID]:
    return message.timestamp, message.turn_message_index or 0, message.id


def _thread(message: SourceMessage) -> tuple[str | None, ...]:
    """The key that messages of one conversation share: the turn, else the session, else only the channel."""
    group = (message.channel, message.project_id)
    if message.turn_id is not None:
        return (*group, "turn", message.turn_id)
    return (*group, "session", message.session_key)


def _parts(thread: Sequence[SourceMessage]) -> list[list[SourceMessage]]:
    """The thread cut where it is silent for more than 15 minutes (a turn never is), or where a window is full."""
    parts: list[list[SourceMessage]] = []
    size = 0
    for message in thread:
        text = message.content[:MAX_CHARACTERS]
        size += len(text)
        if not parts or size > MAX_CHARACTERS or _breaks(parts[-1], message):
            parts.append([])
            size = len(text)
        parts[-1].append(replace(message, content=text))
    return parts


def _breaks(part: Sequence[SourceMessage], message: SourceMessage) -> bool:
    silent = message.turn_id is None and message.timestamp - part[-1].timestamp > GAP_MS
    return silent or len(part) == MAX_MESSAGES
