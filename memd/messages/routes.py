"""Raw messages over HTTP: log, recent and search (contract 7.2, 7.3, 7.5)."""

from memctl.wire.messages import (
    ListMessagesRequest,
    LogReply,
    LogRequest,
    MessageList,
    Pagination,
    RecentMessagesReply,
    RecentMessagesRequest,
    SearchMessagesReply,
    SearchMessagesRequest,
)
from memd.access.endpoint import Call, Room
from memd.access.request.list_cursors import page_cursor, page_position
from memd.db.page_bytes import page_of
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.embed.degradation import degradation_of
from memd.messages import service
from memd.messages.rows import message_hit, message_row, temporal_hint, turn_groups, wire_window
from memd.messages.search_pages import search_messages

room = Room("messages")


@room.endpoint("POST", "/api/mcp/log", credits=1, scope=KeyScope.WRITE, body=LogRequest, reply=LogReply)
async def log(call: Call[LogRequest]) -> LogReply:
    """Store one message; a repeated one is stored once."""
    logged = await service.log_message(call.context, call.body)
    if logged.id is None:
        return LogReply(skipped=True, reason=logged.skipped)
    if logged.deduped:
        return LogReply(id=encode("msg", logged.id), deduped=True)
    return LogReply(id=encode("msg", logged.id), timestamp=logged.timestamp, truncated=logged.truncated or None)


@room.endpoint(
    "POST",
    "/api/mcp/recent-messages",
    credits=1,
    scope=KeyScope.READ,
    body=RecentMessagesRequest,
    reply=RecentMessagesReply,
)
async def recent(call: Call[RecentMessagesRequest]) -> RecentMessagesReply:
    """The newest messages of a channel, session or window."""
    found = await service.recent(call.context, call.body)
    messages = [message_row(row) for row in found.rows]
    return RecentMessagesReply(
        messages=messages, turns=turn_groups(messages), order=call.body.order, window=wire_window(found.window)
    )


@room.endpoint("GET", "/api/messages", credits=1, scope=KeyScope.READ, body=ListMessagesRequest, reply=MessageList)
async def list_messages(call: Call[ListMessagesRequest]) -> MessageList:
    """Messages of a channel, session or window, newest first, in pages."""
    listing = f"messages of {call.context.user_id}"
    rows = await service.page(call.context, call.body, page_position(listing, call.body.cursor))
    page, more = page_of(rows, call.body.limit)
    return MessageList(
        messages=[message_row(row) for row in page],
        continue_cursor=page_cursor(listing, page[-1].timestamp, page[-1].id) if more else "",
        is_done=not more,
    )


@room.endpoint(
    "POST",
    "/api/mcp/search-messages",
    credits=5,
    scope=KeyScope.READ,
    body=SearchMessagesRequest,
    reply=SearchMessagesReply,
)
async def search(call: Call[SearchMessagesRequest]) -> SearchMessagesReply:
    """Messages by meaning and by words, best first."""
    found = await search_messages(call.context, call.body)
    messages = [message_hit(row, ranked) for row, ranked in found.hits]
    return SearchMessagesReply(
        messages=messages,
        turns=turn_groups(messages),
        pagination=Pagination(
            limit=call.body.limit,
            offset=call.body.offset,
            returned=len(messages),
            has_more=found.next_offset is not None,
            next_offset=found.next_offset,
        ),
        window=wire_window(found.window),
        temporal_hint=temporal_hint(found.temporal),
        degraded=found.degraded is not None,
        degradation=degradation_of(found.degraded) if found.degraded else None,
    )
