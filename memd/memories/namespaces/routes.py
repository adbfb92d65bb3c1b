"""Listing and searching the memories of a namespace over HTTP (contract 17.2)."""

from typing import Any

from memctl.wire.keyed_memories import FoundMemory, MemorySearchReply, MemorySearchRequest
from memd.access.endpoint import Call, Room
from memd.access.request.list_cursors import page_cursor, page_position
from memd.domain.ids import encode
from memd.domain.periods.validity import Moment
from memd.domain.types import KeyScope
from memd.memories.namespaces import service
from memd.memories.namespaces.service import Match

room = Room("memories")


@room.endpoint(
    "POST",
    "/api/memories/search",
    credits=5,
    scope=KeyScope.READ,
    body=MemorySearchRequest,
    reply=MemorySearchReply,
)
async def search(call: Call[MemorySearchRequest]) -> MemorySearchReply:
    """List or search the memories of a namespace."""
    listing = f"namespace:{call.context.user_id}:{call.body.namespace}"
    page = await service.search(call.context, call.body, page_position(listing, call.body.cursor))
    return MemorySearchReply(
        memories=[_found(match, page.moment) for match in page.matches],
        has_more=page.has_more,
        continue_cursor=page_cursor(listing, *page.last) if page.last else None,
    )


def _found(match: Match, moment: Moment) -> FoundMemory:
    row: dict[str, Any] = match.row._asdict() | {"id": encode("mem", match.row.id)}
    ended = True if moment.has_ended(match.row.valid_until) else None
    return FoundMemory(**row, ended=ended, relevance=match.relevance, weak=True if match.weak else None)
