"""Changing memories over HTTP (contract 6.3, 6.4); each use case answers under two names."""

from memctl.wire.memories import SupersedeReply, SupersedeRequest
from memctl.wire.updates import UpdateReply, UpdateRequest
from memd.access.endpoint import Call, Room
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.memories.editing import service as editing
from memd.memories.editing import superseding

room = Room("memories")


async def update(call: Call[UpdateRequest]) -> UpdateReply:
    """Edit a memory or chunk in place."""
    edited = await editing.update(call.context, call.body)
    return UpdateReply(
        memory_id=call.body.memory_id,
        title=edited.title,
        updated_at=edited.updated_at,
        embedding_updated=edited.embedding_updated,
        valid_from=edited.period.from_ms,
        valid_until=edited.period.until_ms,
    )


async def supersede(call: Call[SupersedeRequest]) -> SupersedeReply:
    """Replace a memory by a new one."""
    row = await superseding.supersede(call.context, call.body)
    return SupersedeReply(
        old_memory_id=call.body.old_memory_id,
        new_memory_id=encode("mem", row.id),
        created_at=row.created_at,
        valid_from=row.valid_from,
        valid_until=row.valid_until,
        reason=call.body.reason,
    )


for path in ("/api/mcp/update", "/api/mcp/edit"):
    room.endpoint(
        "POST", path, credits=10, scope=KeyScope.WRITE, body=UpdateRequest, reply=UpdateReply, errors=(404, 409)
    )(update)
for path in ("/api/mcp/supersede", "/api/mcp/supercede"):
    room.endpoint(
        "POST", path, credits=10, scope=KeyScope.WRITE, body=SupersedeRequest, reply=SupersedeReply, errors=(404, 409)
    )(supersede)
