"""Wire types of the query of a knowledge base (contract 8.8)."""

from typing import Annotated

from pydantic import computed_field

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import ChunkKind, Fallback
from memctl.wire.errors import Degradation
from memctl.wire.fields import Limit, QueryText, ScopeText, Unit
from memctl.wire.knowledge_bases import ChunkSource, KnowledgeBaseRow
from memctl.wire.limits import KB_QUERY_DEFAULT, KB_QUERY_MAX
from memctl.wire.recall import HiddenKnowledgeBase, RecalledMemory


class QueryKnowledgeBaseRequest(RequestModel):
    """POST /api/knowledge-bases/:id/query."""

    query: QueryText
    limit: Annotated[int, Limit(1, KB_QUERY_MAX)] = KB_QUERY_DEFAULT
    threshold: Unit = 0.0
    agent_id: ScopeText = None
    channel: ScopeText = None
    peer_scope: ScopeText = None


class QueryHitSource(ChunkSource):
    """Where a hit comes from."""

    source_type: str | None = None
    chunk_kind: ChunkKind


class QueryHit(WireModel):
    """A chunk that a query found; relevance and similarity are within 0 and 1.

    relevance = 0.5 × similarity + 0.5 × textScore + 0.1 × pairScore + neighbourLift, cut to 0..1; without a similarity
    textScore + neighbourLift. `weak` is true for one that is barely related to the query (contract 11.2), else absent.
    """

    chunk_id: str
    title: str = ""
    content: str
    metadata: QueryHitSource
    relevance: float
    similarity: float | None = None
    text_score: float = 0.0
    pair_score: float = 0.0
    neighbour_lift: float = 0.0
    weak: bool | None = absent()
    dedupe_key: str | None = None
    created_at: int

    @computed_field
    @property
    def id(self) -> str:
        """The chunk's id again."""
        return self.chunk_id


class QueryRetrieval(WireModel):
    """How the hits came about."""

    vector_count: int = 0
    lexical_count: int = 0
    indexed_fill_count: int = 0
    fallback: Fallback = Fallback.NONE
    vector_attempted: bool = False
    lexical_attempted: bool = False
    result_count: int = 0
    hidden: list[HiddenKnowledgeBase] = []


class QueryReply(WireModel):
    """The hits of a query, best first; `memories` holds the same hits in the shape of recall."""

    results: list[QueryHit] = []
    retrieval: QueryRetrieval
    knowledge_base: KnowledgeBaseRow
    memories: list[RecalledMemory] = []
    degraded: bool = False
    degradation: Degradation | None = absent()

    def weak_chunks(self) -> set[str]:
        """The ids of the hits that are barely related to the query (contract 11.2)."""
        return {memory.id for memory in self.memories if memory.weak}

    def has_only_weak(self) -> bool:
        """Whether there are hits and all are weak."""
        return bool(self.results) and len(self.weak_chunks()) == len(self.results)
