"""Wire types of conflicts between memories (contract 17.5)."""

from enum import StrEnum
from typing import Annotated, Literal

from memctl.wire.base import RequestModel, WireModel
from memctl.wire.fields import Cursor, Limit, ScopeText


class ConflictState(StrEnum):
    """The decision about a conflict, or that there is none yet."""

    OPEN = "open"
    SUPERSEDED = "superseded"
    KEPT = "kept"
    REJECTED = "rejected"


class ConflictDecision(StrEnum):
    """A decision about a conflict."""

    SUPERSEDE = "supersede"
    KEEP_BOTH = "keep_both"
    REJECT = "reject"


class ConflictsRequest(RequestModel):
    """GET /api/conflicts."""

    state: ConflictState = ConflictState.OPEN
    channel: ScopeText = None
    agent_id: ScopeText = None
    limit: Annotated[int, Limit(1, 200)] = 50
    cursor: Cursor | None = None


class MemoryConflict(WireModel):
    """Two memories that give the same attribute of a subject different values; certainty is within 0 and 1."""

    id: str
    old_id: str
    new_id: str
    old_title: str
    new_title: str
    subject: str
    attribute: str
    old_value: str
    new_value: str
    certainty: float
    state: ConflictState
    created_at: int
    decided_at: int | None = None


class ConflictsReply(WireModel):
    """A page of conflicts, newest first."""

    conflicts: list[MemoryConflict]
    is_done: bool
    continue_cursor: str


class DecideRequest(RequestModel):
    """POST /api/conflicts/{id}."""

    decision: ConflictDecision
    channel: ScopeText = None
    agent_id: ScopeText = None


class DecideReply(WireModel):
    """The decision that was carried out."""

    success: Literal[True] = True
    id: str
    decision: ConflictDecision
