"""Checkpoints over HTTP (contract 6.9)."""

from memctl.wire.sessions import (
    Checkpoint,
    CheckpointCreated,
    CheckpointDeleted,
    CheckpointList,
    CheckpointMemory,
    CheckpointReply,
    CheckpointRequest,
    CheckpointRow,
    CheckpointShown,
)
from memd.access.endpoint import Call, NoBody, Room
from memd.access.request.path_ids import path_id
from memd.context import Context
from memd.domain.accounts.credits import wire_number
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.sessions import checkpoints
from memd.sessions.checkpoints import ListedCheckpoint, StoredCheckpoint

room = Room("sessions")
Reply = CheckpointCreated | CheckpointList | CheckpointDeleted


@room.endpoint(
    "POST",
    "/api/mcp/checkpoint",
    credits=1,
    scope=KeyScope.WRITE,
    body=CheckpointRequest,
    reply=CheckpointReply,
    errors=(404,),
)
async def checkpoint(call: Call[CheckpointRequest]) -> Reply:
    """Make, list or remove checkpoints."""
    mode = call.body.mode
    if mode == "list":
        return await _list(call.context, call.body)
    if mode == "delete" and call.body.checkpoint_id is not None:
        await checkpoints.delete(call.context, call.body.checkpoint_id)
        return CheckpointDeleted(checkpoint_id=call.body.checkpoint_id)
    return await _create(call.context, call.body)


@room.endpoint("GET", "/api/checkpoints/{id}", credits=1, scope=KeyScope.READ, reply=CheckpointShown, errors=(404,))
async def show_checkpoint(call: Call[NoBody]) -> CheckpointShown:
    """One checkpoint with its memories as they were."""
    found = await checkpoints.show(call.context, path_id("ckpt", call.path["id"]))
    memories = [CheckpointMemory.model_validate(memory) for memory in found.memory_snapshot]
    return CheckpointShown(checkpoint=Checkpoint(**dict(_row(found)), memories=memories))


async def _create(context: Context, request: CheckpointRequest) -> CheckpointCreated:
    created = await checkpoints.create(context, request)
    return CheckpointCreated(
        id=encode("ckpt", created.id),
        timestamp=created.timestamp,
        memory_count=created.memory_count,
        retained_count=created.retained,
        allowance=wire_number(context.principal.allowance.checkpoints),
        tier=context.principal.tier,
    )


async def _list(context: Context, request: CheckpointRequest) -> CheckpointList:
    listed = await checkpoints.newest(context, request)
    return CheckpointList(
        checkpoints=[_row(row) for row in listed.rows],
        allowance=wire_number(context.principal.allowance.checkpoints),
        retained_count=listed.retained,
        tier=context.principal.tier,
    )


def _row(row: ListedCheckpoint | StoredCheckpoint) -> CheckpointRow:
    return CheckpointRow(
        id=encode("ckpt", row.id),
        label=row.label,
        description=row.description,
        created_at=row.created_at,
        created_by=row.created_by,
        channel=row.channel,
        session_key=row.session_key,
        semantic_summary=row.semantic_summary,
        tags=row.tags,
        memory_count=row.memory_count,
    )
