"""Single memories over HTTP (contract 6.1, 6.5, 6.6)."""

from memctl.wire.memories import (
    CaptureReply,
    CaptureRequest,
    ForgetReply,
    ForgetRequest,
    MemoryDetail,
    MemoryReply,
    MemoryRequest,
)
from memd.access.endpoint import Call, Room
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.errors import DuplicateMemory
from memd.memories import service
from memd.memories.keyed import service as keyed
from memd.memories.service import StoredMemory

room = Room("memories")
_OPTIONAL_IDS = ("supersedes_memory_id", "superseded_by_memory_id")


@room.endpoint(
    "POST",
    "/api/mcp/capture",
    credits=5,
    scope=KeyScope.WRITE,
    body=CaptureRequest,
    reply=CaptureReply,
    errors=(404, 409),
)
async def capture(call: Call[CaptureRequest]) -> CaptureReply:
    """Store a memory with its embedding, or replace the one that has its key."""
    store = service.capture if call.body.key is None else keyed.capture
    row = await store(call.context, call.body)
    memory_id = encode("mem", row.id)
    if row.duplicate:
        return CaptureReply(
            id=memory_id,
            created_at=row.created_at,
            embedding=row.embedding,
            degraded=None if row.embedding else True,
            duplicate=True,
            error=DuplicateMemory.error,
            existing_memory_id=memory_id,
            details=DuplicateMemory(memory_id).fields["details"],
        )
    stored_in, category = row.kind or (call.body.store, call.body.category)
    return CaptureReply(
        id=memory_id,
        created_at=row.created_at,
        embedding=row.embedding,
        store=stored_in,
        category=category,
        recall_text=row.recall_text,
        replaced=True if row.replaced else None,
        valid_from=row.period.from_ms,
        valid_until=row.period.until_ms,
    )


@room.endpoint(
    "POST",
    "/api/mcp/memory",
    credits=1,
    scope=KeyScope.READ,
    body=MemoryRequest,
    reply=MemoryReply,
    errors=(404,),
)
async def memory(call: Call[MemoryRequest]) -> MemoryReply:
    """One memory in full, archived ones too."""
    return MemoryReply(memory=detail(await service.show(call.context, call.body)))


@room.endpoint(
    "POST",
    "/api/mcp/forget",
    credits=1,
    scope=KeyScope.WRITE,
    body=ForgetRequest,
    reply=ForgetReply,
    errors=(404,),
)
async def forget(call: Call[ForgetRequest]) -> ForgetReply:
    """Archive a memory, or delete it permanently."""
    outcome = await service.forget(call.context, call.body)
    return ForgetReply(
        memory_id=call.body.memory_id,
        title=outcome.title,
        action="deleted" if outcome.deleted else "archived",
        archived=not outcome.deleted,
    )


def detail(row: StoredMemory) -> MemoryDetail:
    """The wire form of a whole row."""
    named = {name: value for name, value in row._asdict().items() if name in MemoryDetail.model_fields}
    named |= {name: named[name] and encode("mem", named[name]) for name in _OPTIONAL_IDS}
    base = row.knowledge_base_id
    named |= {
        "id": encode("mem", row.id),
        "knowledge_base_id": encode("kb", base) if base else None,
        "action_triggers": row.action_triggers or None,
        "versions": row.version,
    }
    return MemoryDetail(**named)
