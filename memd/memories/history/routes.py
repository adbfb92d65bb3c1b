"""History, restore and undo over HTTP (contract 17.5)."""

from typing import Any
from uuid import UUID

from memctl.wire.history import (
    HistoryReply,
    HistoryRequest,
    MemoryVersion,
    RestoreReply,
    RestoreRequest,
    SkippedWrite,
    UndoneWrite,
    UndoReply,
    UndoRequest,
    VersionFields,
)
from memd.access.endpoint import Call, Room
from memd.access.request.path_ids import path_id
from memd.domain.ids import encode
from memd.domain.types import HistoryAction, KeyScope
from memd.memories.history import service
from memd.memories.history.service import Version
from memd.memories.history.undo import UndoEntry, undo

room = Room("memories")


@room.endpoint(
    "GET",
    "/api/memories/{id}/history",
    credits=1,
    scope=KeyScope.READ,
    body=HistoryRequest,
    reply=HistoryReply,
    errors=(404,),
)
async def history(call: Call[HistoryRequest]) -> HistoryReply:
    """The versions of a memory: who changed it, when, how and why."""
    memory_id = path_id("mem", call.path["id"])
    versions = await service.history(call.context, memory_id, call.body)
    return HistoryReply(memory_id=call.path["id"], versions=[_version(version) for version in versions])


def _version(row: Version) -> MemoryVersion:
    return MemoryVersion(
        version=row.version,
        changed_at=row.changed_at,
        changed_by=encode("key", row.changed_by) if row.changed_by else None,
        changed_by_label=row.key_label,
        action=HistoryAction(row.action),
        reason=row.reason,
        blocked=row.blocked or None,
        fields=VersionFields.model_validate(_named(row.fields), by_name=True),
    )


def _named(fields: dict[str, Any]) -> dict[str, Any]:
    """The columns of a version under the names of the wire, with the id of the successor in its wire form."""
    successor = fields["superseded_by_memory_id"]
    return fields | {"superseded_by_memory_id": encode("mem", UUID(successor)) if successor else None}


@room.endpoint(
    "POST",
    "/api/memories/{id}/restore",
    credits=10,
    scope=KeyScope.WRITE,
    body=RestoreRequest,
    reply=RestoreReply,
    errors=(404, 409),
)
async def restore(call: Call[RestoreRequest]) -> RestoreReply:
    """Take a memory out of the archive, or give it back an earlier version."""
    memory_id = path_id("mem", call.path["id"])
    restored = await service.restore(call.context, memory_id, call.body)
    return RestoreReply(
        memory_id=call.path["id"], version=restored.version, archived=restored.archived, changed=restored.changed
    )


@room.endpoint("POST", "/api/undo", credits=10, scope=KeyScope.WRITE, body=UndoRequest, reply=UndoReply, bulk=True)
async def undo_writes(call: Call[UndoRequest]) -> UndoReply:
    """Undo the last write of the key, or all of its writes since a given time."""
    result = await undo(call.context, call.body)
    return UndoReply(
        undone=[UndoneWrite(**_shown(row)) for row in result.undone],
        skipped=[SkippedWrite(**_shown(row), error=row.error.error) for row in result.skipped if row.error],
        dry_run=call.body.dry_run,
        since_ms=result.since,
        last_request_id=encode("req", result.last) if result.last else None,
        is_done=result.complete,
        next_request_id=encode("req", result.following) if result.following else None,
    )


def _shown(row: UndoEntry) -> dict[str, Any]:
    return {"id": encode("mem", row.id), "action": HistoryAction(row.action), "title": row.title, "at": row.at}
