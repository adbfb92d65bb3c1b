"""Raw messages: log them, deliver turns, search and read them back."""

from collections.abc import AsyncIterator

from memctl.client.paging import pages_from
from memctl.client.transport import Transport
from memctl.wire.messages import (
    ListMessagesRequest,
    LogReply,
    LogRequest,
    MessageHit,
    MessageList,
    MessageRow,
    RecentMessagesReply,
    RecentMessagesRequest,
    SearchMessagesReply,
    SearchMessagesRequest,
    TurnReply,
    TurnRequest,
)


class Messages:
    """The room of contract 7.2, 7.3, 7.5 and 7.6."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def log(self, request: LogRequest) -> LogReply:
        """Store one message."""
        return await self._transport.post("/api/mcp/log", LogReply, request)

    async def turn(self, request: TurnRequest) -> TurnReply:
        """Deliver a completed turn; a second delivery changes nothing."""
        return await self._transport.post("/api/mcp/turn", TurnReply, request)

    async def search(self, request: SearchMessagesRequest) -> SearchMessagesReply:
        """One page of messages by meaning and words."""
        return await self._transport.post("/api/mcp/search-messages", SearchMessagesReply, request)

    async def search_all(self, request: SearchMessagesRequest) -> AsyncIterator[MessageHit]:
        """Every hit that the server will page through, best first."""
        while True:
            page = await self.search(request)
            for hit in page.messages:
                yield hit
            if not page.pagination.has_more or page.pagination.next_offset is None:
                return
            request = request.model_copy(update={"offset": page.pagination.next_offset})

    async def recent(self, request: RecentMessagesRequest) -> RecentMessagesReply:
        """The newest messages of a window."""
        return await self._transport.post("/api/mcp/recent-messages", RecentMessagesReply, request)

    async def page(self, request: ListMessagesRequest) -> MessageList:
        """One page of the messages of a channel, session or window, newest first."""
        return await self._transport.get("/api/messages", MessageList, request)

    async def history(self, request: ListMessagesRequest) -> AsyncIterator[MessageRow]:
        """Every message of a channel, session or window, newest first; `limit` is the size of a page."""
        async for page in pages_from(self.page, request):
            for row in page.messages:
                yield row
