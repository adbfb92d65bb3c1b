"""Raw messages: log them, deliver turns, search and read them back."""

from collections.abc import AsyncIterator

from memctl.client.transport import Transport
from memctl.wire.enums import Order
from memctl.wire.messages import (
    LogReply,
    LogRequest,
    MessageHit,
    MessageRow,
    RecentMessagesReply,
    RecentMessagesRequest,
    SearchMessagesReply,
    SearchMessagesRequest,
    TurnReply,
    TurnRequest,
)

HISTORY_PAGE = 100


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

    async def history(self, request: RecentMessagesRequest) -> AsyncIterator[MessageRow]:
        """Every message of the request's window, newest first, page by page; its order and limit are not used."""
        request = request.model_copy(update={"limit": HISTORY_PAGE, "order": Order.NEWEST})
        seen: set[str] = set()
        while True:
            page = (await self.recent(request)).messages
            fresh = [row for row in page if row.id not in seen]
            for row in fresh:
                yield row
            if len(page) < HISTORY_PAGE or not fresh:
                return
            seen = {row.id for row in page}
            request = request.model_copy(update={"to_ms": page[-1].timestamp})
