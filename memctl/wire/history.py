"""Wire types of the history of memories, restoring and undoing (contract 17.5)."""

from typing import Annotated, Any, Literal

from pydantic import Field, computed_field

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import Category, HistoryAction, Store
from memctl.wire.fields import Flag, Integer, Limit, RequestId, ScopeText, Text500
from memctl.wire.time_window import Bound

VERSIONS_MAX = 1000


class HistoryRequest(RequestModel):
    """GET /api/memories/{id}/history; `channel` makes the visibility test, the newest `limit` versions are returned."""

    channel: ScopeText = None
    agent_id: ScopeText = None
    limit: Annotated[int, Limit(1, VERSIONS_MAX)] = 100


class VersionFields(WireModel):
    """The fields of a memory in a version."""

    title: str
    content: str
    store: Store
    category: Category
    tags: list[str] = []
    metadata: Any = None
    channel: str | None = None
    strength: float
    confidence: float
    valence: float
    arousal: float
    action_triggers: list[str] = []
    valid_from: int | None = None
    valid_until: int | None = None
    archived: bool
    archived_by: str | None = None
    superseded_by_memory_id: str | None = None
    dedupe_key: str | None = absent()


class MemoryVersion(WireModel):
    """A version and the change that made it; `changed_by` is the id of a key, null for a job.

    The texts of a version that the content policy blocks by now are left out: it is `blocked`.
    """

    version: int
    changed_at: int
    changed_by: str | None = None
    changed_by_label: str | None = absent()
    action: HistoryAction
    reason: str | None = absent()
    blocked: Literal[True] | None = absent()
    fields: VersionFields


class HistoryReply(WireModel):
    """The versions, oldest first; the last one is the stored memory."""

    memory_id: str
    versions: list[MemoryVersion]

    @computed_field
    @property
    def id(self) -> str:
        """The memory's id again."""
        return self.memory_id


class RestoreRequest(RequestModel):
    """POST /api/memories/{id}/restore: out of the archive, or the fields of `version` as a new version."""

    version: Annotated[int, Integer(1, 2_147_483_647)] | None = None
    reason: Text500 | None = None
    channel: ScopeText = None
    agent_id: ScopeText = None


class RestoreReply(WireModel):
    """The number of the stored version; `changed` is false when the memory was in that state already."""

    success: Literal[True] = True
    memory_id: str
    version: int
    archived: bool
    changed: bool

    @computed_field
    @property
    def id(self) -> str:
        """The memory's id again."""
        return self.memory_id


class UndoRequest(RequestModel):
    """POST /api/undo: the last write of the key, or all since `sinceMs` (contract 7.0), at most 24 hours back.

    `lastRequestId` of a dry run leaves out what the key has written after it.
    """

    since_ms: Bound = None
    last_request_id: RequestId | None = None
    dry_run: Flag = False


class UndoneWrite(WireModel):
    """A memory whose write was taken back; `action` is that write, `at` when it was made."""

    id: str
    action: HistoryAction
    title: str
    at: int


class SkippedWrite(UndoneWrite):
    """A memory that stays as it is, and why."""

    error: str


class UndoReply(WireModel):
    """The writes that were undone, newest first; with `dryRun`, those that would be.

    `sinceMs` is where it began, at most 24 hours ago, if the request names a moment. `lastRequestId` is the newest request
    among them. After the most that one call takes, `isDone` is false and
    `nextRequestId` is what to send as `lastRequestId` to go on. A dry run lists about 10,000 memories at most; where it
    stops within one request there is no `nextRequestId`.
    """

    undone: list[UndoneWrite]
    skipped: list[SkippedWrite] = Field(default_factory=list[SkippedWrite])
    dry_run: bool = False
    since_ms: int | None = absent()
    last_request_id: str | None = None
    is_done: bool = True
    next_request_id: str | None = None
