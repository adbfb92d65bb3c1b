"""Trace, triggers and export over HTTP (contract 6.7, 6.8, 6.13)."""

from typing import Any

from memctl.wire.export import ExportedChunk, ExportedMemory, ExportPagination, ExportReply, ExportRequest
from memctl.wire.limits import RECALL_TEXT_MAX
from memctl.wire.trace import TracedMemory, TracedMessage, TracedSnapshot, TracedSource, TraceReply, TraceRequest
from memctl.wire.triggers import TriggeredMemory, TriggersReply, TriggersRequest
from memd.access.endpoint import Call, Room
from memd.access.request.list_cursors import page_cursor, page_position
from memd.access.request.values import requested_moment
from memd.db.page_bytes import page_of
from memd.domain.ids import encode
from memd.domain.periods.validity import Moment
from memd.domain.prompts.session_text import abridge_snapshot
from memd.domain.types import Category, KeyScope, MessageRole, Store
from memd.errors import BadRequest
from memd.memories.history.withheld import withheld_at
from memd.memories.origin import service as origin
from memd.memories.origin.service import ExportedRow, SourceMemory, SourceMessage, StoredMemory, StoredSnapshot

room = Room("memories")
TOOLS_MAX = 25


@room.endpoint(
    "POST",
    "/api/mcp/trace",
    credits=1,
    scope=KeyScope.READ,
    body=TraceRequest,
    reply=TraceReply,
    errors=(404,),
)
async def trace(call: Call[TraceRequest]) -> TraceReply:
    """The conversation that a memory came from."""
    found = await origin.trace(call.context, call.body)
    row = found.memory
    snapshot = _snapshot(found.snapshot) if found.snapshot else None
    conversation = [_message(message) for message in found.conversation]
    if not conversation and found.snapshot:
        conversation = [_snapshot_message(message) for message in found.snapshot.messages]
    return TraceReply(
        memory=TracedMemory(**_memory(row)),
        source_conversation=conversation,
        context_before=[_message(message) for message in found.before],
        context_after=[_message(message) for message in found.after],
        snapshot=snapshot,
        source_memories=[TracedSource(**_memory(source), archived=source.archived) for source in found.memories],
        reason=found.reason,
    )


def _memory(row: StoredMemory | SourceMemory) -> dict[str, Any]:
    fields = {name: getattr(row, name) for name in TracedMemory.model_fields}
    return fields | {"id": encode("mem", row.id)}


def _message(row: SourceMessage) -> TracedMessage:
    return TracedMessage(
        role=MessageRole(row.role), text=row.content, timestamp=row.timestamp, message_id=encode("msg", row.id)
    )


def _snapshot_message(message: dict[str, Any]) -> TracedMessage:
    return TracedMessage(role=message["role"], text=message["content"], timestamp=message.get("timestamp"))


def _snapshot(row: StoredSnapshot) -> TracedSnapshot:
    shown = abridge_snapshot(row.messages)
    return TracedSnapshot(
        id=encode("snap", row.id),
        messages=[_snapshot_message(message) for message in shown.messages],
        message_count=row.message_count,
        omitted_count=shown.omitted_count,
        created_at=row.created_at,
        reason=row.reason,
    )


async def _triggers(call: Call[TriggersRequest], tools: list[str]) -> TriggersReply:
    rows = await origin.triggers(call.context, call.body, tools)
    return TriggersReply(
        memories=[
            TriggeredMemory(
                id=encode("mem", row.id),
                title=row.title,
                content=row.content,
                recall_text=row.recall_text or row.content[:RECALL_TEXT_MAX],
                store=Store(row.store),
                category=Category(row.category),
                tags=row.tags,
                action_triggers=row.action_triggers,
                created_at=row.created_at,
            )
            for row in rows
        ]
    )


class TriggersQuery(TriggersRequest):
    """The query part of the URL of POST /api/mcp/triggers: more tools."""


@room.endpoint(
    "POST",
    "/api/mcp/triggers",
    credits=1,
    scope=KeyScope.READ,
    body=TriggersRequest,
    query=TriggersQuery,
    reply=TriggersReply,
)
async def triggers(call: Call[TriggersRequest]) -> TriggersReply:
    """The memories that are tied to tools, named in the body, in the URL or in both."""
    in_url = [tool.strip() for tool in call.query.get("tools", "").split(",")]
    tools = list(dict.fromkeys(tool for tool in [*call.body.tools, *in_url] if tool))
    if len(tools) > TOOLS_MAX:
        raise BadRequest(f"Field tools exceeds maximum length of {TOOLS_MAX} items")
    return await _triggers(call, tools)


@room.endpoint("GET", "/api/mcp/triggers", credits=1, scope=KeyScope.READ, body=TriggersRequest, reply=TriggersReply)
async def get_triggers(call: Call[TriggersRequest]) -> TriggersReply:
    """The memories that are tied to the tools of the URL."""
    return await _triggers(call, call.body.tools)


@room.endpoint("GET", "/api/memories", credits=1, scope=KeyScope.READ, body=ExportRequest, reply=ExportReply)
async def export(call: Call[ExportRequest]) -> ExportReply:
    """All active memories of the user, newest first, page by page.

    As of a past moment a page may be shorter: texts that the content policy blocks by now are left out.
    """
    size = call.body.page_size
    listing = f"export:{call.context.user_id}"
    moment = requested_moment(call.body, call.context.now)
    rows = await origin.export(call.context, call.body, moment, page_position(listing, call.body.cursor))
    page, more = page_of(rows, size)
    cursor = page_cursor(listing, page[-1].created_at, page[-1].id) if more else None
    hidden = await withheld_at(call.context, [row.id for row in page], moment.known_at)
    return ExportReply(
        memories=[_exported(row, moment) for row in page if row.id not in hidden],
        pagination=ExportPagination(page_size=size, cursor=cursor, is_done=not more),
    )


def _exported(row: ExportedRow, moment: Moment) -> ExportedMemory:
    base = row.knowledge_base_id
    named = {name: value for name, value in row._asdict().items() if name in ExportedMemory.model_fields}
    named |= {
        "id": encode("mem", row.id),
        "ended": True if moment.has_ended(row.valid_until) else None,
        "action_triggers": row.action_triggers or None,
        "knowledge_base_id": encode("kb", base) if base else None,
        "chunk": ExportedChunk(**{name: getattr(row, name) for name in ExportedChunk.model_fields}) if base else None,
    }
    return ExportedMemory(**named)
