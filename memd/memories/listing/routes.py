"""The list of memories over HTTP (contract 17.2)."""

from functools import partial
from typing import Any
from uuid import UUID

from memctl.wire.memory_listing import ListedMemory, MemoryListReply, MemoryListRequest
from memd.access.endpoint import Call, Room
from memd.access.request.list_cursors import Values, read_position
from memd.domain.cursors import encode_cursor
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.memories.listing import service
from memd.memories.listing.service import Key, ListedRow

room = Room("memories")


@room.endpoint(
    "GET",
    "/api/memories/list",
    credits=1,
    scope=KeyScope.READ,
    body=MemoryListRequest,
    reply=MemoryListReply,
)
async def list_memories(call: Call[MemoryListRequest]) -> MemoryListReply:
    """The memories of the user: filtered, sorted, in pages, with the number of all that match."""
    listing = service.listing_of(call.context, call.body)
    owner = f"list:{call.context.user_id}:{listing}"
    after = read_position(owner, call.body.cursor, partial(_key, listing.sort))
    page = await service.list_page(call.context, listing, after, call.body.limit)
    return MemoryListReply(
        memories=[_listed(row) for row in page.rows],
        total=page.total,
        total_is_exact=page.is_exact,
        continue_cursor=_cursor(owner, page.rows[-1].key(listing.sort)) if page.has_more else "",
        is_done=not page.has_more,
    )


def _cursor(owner: str, key: Key) -> str:
    return encode_cursor(owner, [value.hex if isinstance(value, UUID) else value for value in key])


def _key(sort: str, position: Values) -> Key:
    *values, row_id = position
    return (*service.checked_values(sort, values), UUID(str(row_id)))


def _listed(row: ListedRow) -> ListedMemory:
    ids: dict[str, Any] = {
        "id": encode("mem", row.id),
        "superseded_by_memory_id": encode("mem", row.superseded_by_memory_id) if row.superseded_by_memory_id else None,
        "knowledge_base_id": encode("kb", row.knowledge_base_id) if row.knowledge_base_id else None,
        "archived_at": row.archived_at if row.archived else None,
    }
    named: dict[str, Any] = {name: value for name, value in row._asdict().items() if name in ListedMemory.model_fields}
    return ListedMemory(**named | ids)
