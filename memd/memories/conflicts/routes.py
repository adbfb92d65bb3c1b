"""Conflicts over HTTP (contract 17.5)."""

from typing import Any

from memctl.wire.conflicts import (
    ConflictsReply,
    ConflictsRequest,
    ConflictState,
    DecideReply,
    DecideRequest,
    MemoryConflict,
)
from memd.access.endpoint import Call, Room
from memd.access.request.list_cursors import id_cursor, id_position
from memd.access.request.path_ids import path_id
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.memories.conflicts import service
from memd.memories.conflicts.service import ConflictRow

room = Room("memories")


@room.endpoint("GET", "/api/conflicts", credits=1, scope=KeyScope.READ, body=ConflictsRequest, reply=ConflictsReply)
async def conflicts(call: Call[ConflictsRequest]) -> ConflictsReply:
    """Memories that contradict each other, newest first."""
    listing = f"conflicts of {call.context.user_id}"
    rows = await service.page(call.context, call.body, id_position(listing, call.body.cursor))
    page, more = rows[: call.body.limit], len(rows) > call.body.limit
    return ConflictsReply(
        conflicts=[_shown(row) for row in page],
        is_done=not more,
        continue_cursor=id_cursor(listing, page[-1].id) if more else "",
    )


def _shown(row: ConflictRow) -> MemoryConflict:
    named: dict[str, Any] = row._asdict() | {
        "id": encode("conf", row.id),
        "old_id": encode("mem", row.old_id),
        "new_id": encode("mem", row.new_id),
        "state": ConflictState(row.state),
    }
    return MemoryConflict(**named)


@room.endpoint(
    "POST",
    "/api/conflicts/{id}",
    credits=10,
    scope=KeyScope.WRITE,
    body=DecideRequest,
    reply=DecideReply,
    errors=(404, 409),
)
async def decide(call: Call[DecideRequest]) -> DecideReply:
    """Supersede the old memory, keep both, or reject the conflict."""
    await service.decide(call.context, path_id("conf", call.path["id"]), call.body)
    return DecideReply(id=call.path["id"], decision=call.body.decision)
