"""Snapshots over HTTP (contract 7.7)."""

from memctl.wire.snapshots import (
    ListSnapshotsRequest,
    Snapshot,
    SnapshotList,
    SnapshotReply,
    SnapshotRequest,
    SnapshotRow,
    SnapshotShown,
    StoredSnapshotMessage,
)
from memd.access.endpoint import Call, NoBody, Room
from memd.access.request.list_cursors import id_cursor, id_position
from memd.access.request.path_ids import path_id
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.sessions.snapshots import service
from memd.sessions.snapshots.service import ListedSnapshot, StoredSnapshot

room = Room("sessions")


@room.endpoint(
    "POST",
    "/api/mcp/snapshot",
    credits=1,
    scope=KeyScope.WRITE,
    body=SnapshotRequest,
    reply=SnapshotReply,
    errors=(403,),
)
async def snapshot(call: Call[SnapshotRequest]) -> SnapshotReply:
    """Keep the messages of a session as they are now."""
    kept = await service.keep(call.context, call.body)
    return SnapshotReply(
        id=encode("snap", kept.id),
        message_count=kept.message_count,
        total_tokens=kept.total_tokens,
        created_at=call.context.now,
    )


@room.endpoint("GET", "/api/snapshots", credits=1, scope=KeyScope.READ, body=ListSnapshotsRequest, reply=SnapshotList)
async def list_snapshots(call: Call[ListSnapshotsRequest]) -> SnapshotList:
    """Snapshots without their messages, the last made first."""
    body = call.body
    listing = f"snapshots of {call.context.user_id}"
    rows = await service.page(call.context, body, id_position(listing, body.cursor))
    page, more = rows[: body.limit], len(rows) > body.limit
    return SnapshotList(
        snapshots=[_row(row) for row in page],
        continue_cursor=id_cursor(listing, page[-1].id) if more else "",
        is_done=not more,
    )


@room.endpoint("GET", "/api/snapshots/{id}", credits=1, scope=KeyScope.READ, reply=SnapshotShown, errors=(404,))
async def show_snapshot(call: Call[NoBody]) -> SnapshotShown:
    """One snapshot with its messages."""
    found = await service.show(call.context, path_id("snap", call.path["id"]))
    messages = [StoredSnapshotMessage.model_validate(message) for message in found.messages]
    return SnapshotShown(snapshot=Snapshot(**dict(_row(found)), messages=messages))


def _row(row: ListedSnapshot | StoredSnapshot) -> SnapshotRow:
    return SnapshotRow(
        id=encode("snap", row.id),
        session_key=row.session_key,
        channel=row.channel,
        message_count=row.message_count,
        total_tokens=row.total_tokens,
        reason=row.reason,
        created_at=row.created_at,
    )
