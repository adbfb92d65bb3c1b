"""Reads stretches of a conversation: the newest, what lies before and after, around a moment, and the hits of a search."""

from collections.abc import Sequence

from memctl.client import MemdClient
from memctl.wire.messages import (
    MessageRow,
    RecentMessagesReply,
    RecentMessagesRequest,
    SearchMessagesReply,
    SearchMessagesRequest,
)
from memctl.wire.sessions import SessionRequest, SessionSummary

from .presenters.messages import ConversationKey
from .presenters.timeline import PAGE, Probe, Timeline

HITS = 50
AROUND_TURN_MS = 3_600_000


class ConversationReader:
    """One conversation (a channel, a session, everything) of one user."""

    def __init__(self, client: MemdClient, conversation: ConversationKey) -> None:
        self._client = client
        self.conversation = conversation
        self.timeline = Timeline()

    async def _between(self, from_ms: int | None, to_ms: int | None) -> RecentMessagesReply:
        return await self._client.messages.recent(
            RecentMessagesRequest(
                limit=PAGE,
                channel=self.conversation.channel,
                session_key=self.conversation.session_key,
                all_channels=self.conversation.channel is None,
                from_ms=from_ms,
                to_ms=to_ms,
            )
        )

    async def newest(self) -> None:
        """Begin at the end."""
        page = (await self._between(None, None)).messages
        self.timeline.begin(page, full=len(page) >= PAGE)

    async def around(self, moment: int) -> None:
        """Begin in the middle of history."""
        page = (await self._between(None, moment)).messages
        self.timeline.begin(page, full=len(page) >= PAGE)
        self.timeline.at_end = False

    async def back(self) -> int:
        """Add what lies before; returns how many messages that is."""
        bound = self.timeline.before()
        while bound is not None and not self.timeline.at_start:
            page = (await self._between(None, bound)).messages
            added = self.timeline.extend_back(page, full=len(page) >= PAGE)
            if added:
                return added
            bound -= 1
        return 0

    async def forward(self, now: int) -> int:
        """Add what follows; returns how many messages that is."""
        start = self.timeline.after()
        if start is None:
            return 0
        probe = Probe(start, max(now, start), self.timeline.pace())
        known = {row.id for row in self.timeline.rows}
        while True:
            page = (await self._between(*probe.window)).messages
            if probe.accept(len(page), sum(row.id not in known for row in page)):
                return self.timeline.extend_forward(page, at_end=probe.at_end)

    async def summary(self) -> SessionSummary | None:
        """Figures of the session; None outside of one."""
        if self.conversation.session_key is None:
            return None
        request = SessionRequest(session_key=self.conversation.session_key, channel=self.conversation.channel, limit=1)
        return (await self._client.sessions.show(request)).summary

    async def turn_of(self, message: MessageRow) -> Sequence[MessageRow]:
        """The messages of the turn that a message belongs to; itself when it belongs to none."""
        if message.turn_id is None:
            return [message]
        request = RecentMessagesRequest(
            limit=PAGE,
            channel=message.channel,
            session_key=message.session_key,
            all_channels=message.channel is None,
            from_ms=max(message.timestamp - AROUND_TURN_MS, 0),
            to_ms=message.timestamp + AROUND_TURN_MS,
        )
        turns = (await self._client.messages.recent(request)).turns
        return next((turn.messages for turn in turns if turn.turn_id == message.turn_id), [message])

    async def search(self, query: str, since: str | None, until: str | None, offset: int) -> SearchMessagesReply:
        """One page of hits; a bound is epoch ms, or a date or time as memd reads it; None is open."""
        request = SearchMessagesRequest(
            query=query,
            limit=HITS,
            offset=offset,
            channel=self.conversation.channel,
            session_key=self.conversation.session_key,
            all_channels=self.conversation.channel is None,
            since=since,
            until=until,
        )
        return await self._client.messages.search(request)
