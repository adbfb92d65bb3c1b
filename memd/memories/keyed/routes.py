"""Keyed memories over HTTP (contract 17.2)."""

from memctl.wire.keyed_memories import ByKeyRequest, DeleteByKeyRequest
from memctl.wire.memories import ForgetReply, MemoryReply
from memd.access.endpoint import Call, NoBody, Room
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.memories.keyed import service
from memd.memories.routes import detail

room = Room("memories")
PATH = "/api/memories/by-key"


@room.endpoint("GET", PATH, credits=1, scope=KeyScope.READ, body=ByKeyRequest, reply=MemoryReply, errors=(404,))
async def by_key(call: Call[ByKeyRequest]) -> MemoryReply:
    """The active memory of a namespace and key, in full."""
    return MemoryReply(memory=detail(await service.show(call.context, call.body)))


@room.endpoint(
    "DELETE", PATH, credits=1, scope=KeyScope.WRITE, query=DeleteByKeyRequest, reply=ForgetReply, errors=(404,)
)
async def delete_by_key(call: Call[NoBody]) -> ForgetReply:
    """Archive the memory of a namespace and key, or delete it permanently."""
    memory_id, outcome = await service.forget(call.context, DeleteByKeyRequest.from_query(call.query))
    return ForgetReply(
        memory_id=encode("mem", memory_id),
        title=outcome.title,
        action="deleted" if outcome.deleted else "archived",
        archived=not outcome.deleted,
    )
