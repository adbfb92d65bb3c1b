"""Messages, channels and sessions as rows and texts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from rich.text import Text

from memctl.text import count, moment, one_line, printable
from memctl.wire.enums import MessageRole
from memctl.wire.messages import MessageHit, MessageRow
from memctl.wire.sessions import SessionRow, SessionSummary

from .cells import Cell, TableRow, cell, number
from .timeline import Timeline

ROLE_STYLES = {MessageRole.USER: "store.episodic", MessageRole.ASSISTANT: "ok", MessageRole.SYSTEM: "warn"}
MAX_CONVERSATIONS = 500


@dataclass(frozen=True, slots=True, order=True)
class ConversationKey:
    """A channel, or a session within it; with both None, all messages."""

    channel: str | None = None
    session_key: str | None = None

    @property
    def key(self) -> str:
        """A text that names this conversation and no other."""
        return f"{self.channel!r} {self.session_key!r}"


class ConversationList:
    """The channels and sessions of the messages seen, and the sessions that memd lists, each with the time of its last message."""

    def __init__(self) -> None:
        self._last: dict[ConversationKey, int] = {}
        self._titles: dict[ConversationKey, str] = {}

    def learn(self, messages: Iterable[MessageRow]) -> bool:
        """Note where these messages belong; returns whether a conversation is new."""
        before = len(self._last) + len(self._titles)
        for message in messages:
            conversation = self._note(message.channel, message.session_key, message.timestamp)
            if conversation is not None and (title := _session_title(message)):
                self._titles.setdefault(conversation, title)
        return len(self._last) + len(self._titles) > before

    def learn_sessions(self, sessions: Iterable[SessionRow]) -> bool:
        """Note these sessions; returns whether one is new."""
        before = len(self._last)
        for session in sessions:
            self._note(session.channel, session.session_key, session.last_timestamp)
        return len(self._last) > before

    def _note(self, channel: str | None, session_key: str | None, moment: int) -> ConversationKey | None:
        """Note a channel, and the session in it, which is returned; at most MAX_CONVERSATIONS of both."""
        session = ConversationKey(channel, session_key) if session_key else None
        for conversation in (ConversationKey(channel), *([session] if session else [])):
            if conversation in self._last or len(self._last) < MAX_CONVERSATIONS:
                self._last[conversation] = max(moment, self._last.get(conversation, moment))
        return session

    def title(self, conversation: ConversationKey) -> str | None:
        """The title of a session, which imported conversations have."""
        return self._titles.get(conversation)

    def in_order(self) -> list[ConversationKey]:
        """Everything, then each channel by name with its sessions below it, the last used first."""
        ordered = sorted(
            (conversation for conversation in self._last if conversation != ConversationKey()), key=self._order
        )
        return [ConversationKey(), *ordered]

    def _order(self, conversation: ConversationKey) -> tuple[str, bool, int, str]:
        return (
            conversation.channel or "",
            conversation.session_key is not None,
            -self._last[conversation],
            conversation.session_key or "",
        )


def _session_title(message: MessageRow) -> str | None:
    """The title that an import noted in the metadata of a conversation's messages."""
    metadata = cast("object", message.metadata)
    title = cast("dict[str, object]", metadata).get("conversation") if isinstance(metadata, dict) else None
    return title if isinstance(title, str) and title.strip() else None


def conversation_label(conversation: ConversationKey, title: str | None = None) -> Text:
    """A conversation as a line of the list at the side; a session by its title if it has one."""
    if conversation == ConversationKey():
        return Text("All messages", style="bold")
    if conversation.session_key is None:
        return Text(one_line(conversation.channel or "no channel", 60), style="bar")
    return Text(f"  {one_line(title or conversation.session_key, 60)}")


def message_row(message: MessageRow) -> TableRow:
    """Time, speaker, turn mark, channel, text; a search hit has its score in place of the turn mark.

    A hit that has itself little to do with the query is dimmed, with the reason before its text.
    """
    if isinstance(message, MessageHit):
        return _hit_row(message)
    first = message.turn_message_index in {None, 0}
    mark = cell("" if message.turn_id is None else "┌" if first else "└", "dim")
    return _row(message, mark, cell(message.content))


def _hit_row(hit: MessageHit) -> TableRow:
    if hit.mark is None:
        return _row(hit, number(hit.score, "bar"), cell(hit.content))
    return _row(hit, number(hit.score, "dim"), cell(f"({hit.mark}) {hit.content}", "dim"))


def _row(message: MessageRow, mark: Cell, text: Cell) -> TableRow:
    return TableRow(
        message.id,
        (
            cell(moment(message.timestamp), "dim"),
            cell(message.speaker or message.role, ROLE_STYLES[message.role]),
            mark,
            cell(message.channel, "dim"),
            text,
        ),
    )


def message_text(message: MessageRow) -> Text:
    """A message in full, then where it belongs: in a pane of few lines, the text is what shows."""
    parts = (message.channel, message.session_key, f"turn {message.turn_id}" if message.turn_id else None, message.id)
    facts = " · ".join(one_line(part, 60) for part in parts if part)
    return Text.assemble(
        (printable(message.speaker or message.role), ROLE_STYLES[message.role]),
        (f"  {moment(message.timestamp)}\n", "dim"),
        printable(message.content),
        (f"\n\n{facts}", "dim"),
    )


def turn_text(messages: Sequence[MessageRow]) -> Text:
    """All messages of a turn."""
    return Text("\n\n").join(message_text(message) for message in messages)


def session_line(summary: SessionSummary) -> str:
    """A session's figures in one line."""
    if summary.first_timestamp is None or summary.last_timestamp is None:
        return "no messages"
    span = f"{moment(summary.first_timestamp)} to {moment(summary.last_timestamp)}"
    roles = summary.roles
    counts = f"{roles.user:,} user, {roles.assistant:,} assistant, {roles.system:,} system"
    return f"{summary.message_count:,} messages in {summary.turn_count:,} turns, {span} · {counts}"


def timeline_line(timeline: Timeline) -> str:
    """How many messages the window holds, and whether anything lies beyond its ends."""
    shown = count(len(timeline.rows), "message")
    if timeline.at_start and timeline.at_end:
        return f"{shown}, none older or newer"
    above = "none older" if timeline.at_start else "more above"
    below = "none newer" if timeline.at_end else "more below"
    return f"{shown} loaded · {above} · {below}"
