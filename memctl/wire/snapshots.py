"""Wire types of snapshots: the messages of a session, kept as one document (contract 7.7)."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from memctl.wire.base import RequestModel, WireModel
from memctl.wire.enums import MessageRole
from memctl.wire.fields import AnyText, Cursor, Limit, ScopeText, Text500
from memctl.wire.limits import SNAPSHOT_MESSAGES_MAX
from memctl.wire.messages import LenientRole, RequiredScope
from memctl.wire.refusals import missing_field
from memctl.wire.times import AnyEpochMs


class SnapshotMessage(RequestModel):
    """One message of a snapshot; every word that is not user or system counts as assistant."""

    role: LenientRole = MessageRole.ASSISTANT
    content: AnyText
    timestamp: AnyEpochMs | None = None


class SnapshotRequest(RequestModel):
    """POST /api/mcp/snapshot."""

    messages: Annotated[
        list[SnapshotMessage], Field(max_length=SNAPSHOT_MESSAGES_MAX, json_schema_extra={"minItems": 1})
    ]
    session_key: RequiredScope
    channel: ScopeText = None
    reason: Text500 = "manual"

    @model_validator(mode="after")
    def some_messages(self) -> Self:
        """Refuse a snapshot of nothing."""
        if not self.messages:
            raise missing_field("messages")
        return self


class SnapshotReply(WireModel):
    """The stored snapshot."""

    ok: Literal[True] = True
    id: str
    message_count: int
    total_tokens: int
    created_at: int


class ListSnapshotsRequest(RequestModel):
    """GET /api/snapshots."""

    session_key: ScopeText = None
    channel: ScopeText = None
    agent_id: ScopeText = None
    limit: Annotated[int, Limit(1, 200)] = 50
    cursor: Cursor | None = None


class SnapshotRow(WireModel):
    """A snapshot without its messages; `created_at` is when it was last replaced."""

    id: str
    session_key: str
    channel: str | None = None
    message_count: int
    total_tokens: int
    reason: str
    created_at: int


class SnapshotList(WireModel):
    """One page of snapshots, the last made first; the cursor is blank when `is_done` is true."""

    snapshots: list[SnapshotRow] = []
    continue_cursor: str = ""
    is_done: bool


class StoredSnapshotMessage(WireModel):
    """One message of a stored snapshot; `timestamp` in epoch ms."""

    role: MessageRole
    content: str
    timestamp: int | None = None


class Snapshot(SnapshotRow):
    """A snapshot with its messages."""

    messages: list[StoredSnapshotMessage] = []


class SnapshotShown(WireModel):
    """GET /api/snapshots/:id."""

    snapshot: Snapshot
