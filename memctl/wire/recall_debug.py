"""Debug output of a recall (contract 6.2)."""

from memctl.wire.base import WireModel


class DebugMemory(WireModel):
    """The way of one candidate through the lanes."""

    id: str
    lanes: list[str]
    components: dict[str, float]
    rank_score: float


class DroppedMemory(WireModel):
    """A candidate of the same user that was left out, and why."""

    id: str
    reason: str


class DebugVisibility(WireModel):
    """Whether a knowledge base was visible, and why."""

    knowledge_base_id: str
    visible: bool
    why: str


class RecallDebug(WireModel):
    """The addition of `?debugRecallOutput=true`; never ids of rows of other users."""

    candidates: dict[str, int]
    memories: list[DebugMemory]
    dropped: list[DroppedMemory]
    timings_ms: dict[str, float]
    visibility: list[DebugVisibility]
