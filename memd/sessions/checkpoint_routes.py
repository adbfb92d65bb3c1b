"""Checkpoints over HTTP (contract 6.9): one address, three modes."""

from typing import Any

from memctl.wire.sessions import (
    CheckpointCreated,
    CheckpointDeleted,
    CheckpointList,
    CheckpointReply,
    CheckpointRequest,
    CheckpointRow,
)
from memd.access.endpoint import Call, Room
from memd.context import Context
from memd.domain.credits import wire_number
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.sessions import checkpoints
from memd.sessions.checkpoints import ListedCheckpoint

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


def _row(row: ListedCheckpoint) -> CheckpointRow:
    fields: dict[str, Any] = row._asdict() | {"id": encode("ckpt", row.id)}
    return CheckpointRow(**fields)
