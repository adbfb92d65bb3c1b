"""Wire types of the graph and of reflection (contract 6.11, 6.12)."""

from typing import Annotated, Literal

from pydantic import Field

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.fields import Integer, Limit, Number, RequiredText, ScopeText
from memctl.wire.moments import MomentFields
from memctl.wire.recall import RecalledMemory

Entity = Annotated[str, RequiredText(500)]


class GraphStatusReply(WireModel):
    """GET /api/mcp/graph-status."""

    ok: Literal[True] = True
    total_nodes: int
    total_relations: int
    enriched_memories: int
    total_memories: int
    enrichment_percent: float


class WhoOwnsRequest(MomentFields):
    """POST /api/mcp/graph/who-owns."""

    entity: Entity
    channel: ScopeText = None
    agent_id: ScopeText = None
    limit: Annotated[int, Limit(1, 20)] = 5


class Evidence(WireModel):
    """A visible memory that supports an edge."""

    memory_id: str
    title: str


class Owner(WireModel):
    """A node that owns or is assigned to the entity."""

    id: str
    label: str
    type: str
    relation: str
    confidence: float
    evidence: list[Evidence]


class WhoOwnsReply(WireModel):
    """The owners of an entity; none for an unknown one."""

    entity: str
    owners: list[Owner] = []
    memories: list[RecalledMemory] = []


class ExplainConnectionRequest(MomentFields):
    """POST /api/mcp/graph/explain-connection."""

    entity_a: Entity
    entity_b: Entity
    channel: ScopeText = None
    agent_id: ScopeText = None


class Hop(WireModel):
    """One edge of a path."""

    from_: str = Field(validation_alias="from", serialization_alias="from")
    relation: str
    to: str
    direction: str
    evidence: list[Evidence]


class GraphPath(WireModel):
    """One or two edges between two entities."""

    hops: list[Hop]
    score: float


class ExplainConnectionReply(WireModel):
    """At most five paths between two entities."""

    entity_a: str
    entity_b: str
    connected: bool
    paths: list[GraphPath] = []
    memories: list[RecalledMemory] = []


class DependencyChainRequest(MomentFields):
    """POST /api/mcp/graph/dependency-chain."""

    entity: Entity
    max_depth: Annotated[int, Integer(1, 5)] = 3
    channel: ScopeText = None
    agent_id: ScopeText = None


class ChainLink(WireModel):
    """One edge of a chain of dependencies."""

    depth: int
    from_: str = Field(validation_alias="from", serialization_alias="from")
    relation: str
    to: str
    evidence: list[Evidence]


class DependencyChainReply(WireModel):
    """The dependencies of an entity, step by step."""

    entity: str
    max_depth: int
    chain: list[ChainLink] = []
    memories: list[RecalledMemory] = []
    cycles: bool = False


class ReflectRequest(RequestModel):
    """POST /api/mcp/reflect; the window is cut to 0.5–72 hours."""

    window_hours: Annotated[float, Number(0.5, 72, cut=True)] = 4.0
    session_id: ScopeText = None


class ReflectStats(WireModel):
    """Counts of what a reflection read and wrote."""

    memories_read: int = 0
    decisions_written: int = 0
    lessons_written: int = 0
    summary_written: int = 0
    open_loops_written: int = 0
    summary: str = ""
    skipped: str | None = absent()


class ReflectReply(WireModel):
    """The outcome of a reflection."""

    ok: Literal[True] = True
    method: Literal["extractive", "llm"]
    stats: ReflectStats
    memory_ids: list[str] = []
    degraded: bool | None = absent()
