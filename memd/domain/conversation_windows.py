"""Windows of conversation: which messages extraction reads together (contract 11.6).

A window never mixes two channels or two projects. It is one turn, else a stretch of one session, else a stretch of
the channel's talk without a session.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from memd.domain.types import MessageRole

SETTLE_MS: Final = 2 * 60_000
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


@dataclass(frozen=True, slots=True)
class Window:
    """At most 12 messages and 8,000 characters of one conversation, in the order in which they were said."""

    channel: str | None
    project_id: str | None
    messages: tuple[SourceMessage, ...]


type_Thread = tuple[str | None, str | None, str, str | None]


def windows(messages: Iterable[SourceMessage], now: int) -> list[Window]:
    """The windows of `messages` in order of time; what arrived within the last two minutes before `now` (ms) waits."""
    settled = sorted((message for message in messages if message.created_at <= now - SETTLE_MS), key=_said)
    threads: dict[type_Thread, list[SourceMessage]] = {}
    for message in settled:
        threads.setdefault(_thread(message), []).append(message)
    made = [
        Window(channel, project_id, part)
        for (channel, project_id, kind, _), thread in threads.items()
        for part in _parts(thread, gap=None if kind == "turn" else GAP_MS)
    ]
    return sorted(made, key=lambda window: window.messages[0].timestamp)
