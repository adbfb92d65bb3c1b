"""Wire types of recall (contract 6.2)."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, computed_field, model_validator

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import Category, ChunkKind, Fallback, RecallMode, RecallSection, SourceRole, Store
from memctl.wire.errors import Degradation
from memctl.wire.fields import (
    AnyJson,
    Flag,
    KnowledgeBaseId,
    Limit,
    QueryText,
    ScopeText,
    TagList,
    Text500,
    Unit,
    unique_within,
)
from memctl.wire.key_fields import NamespaceText, Where
from memctl.wire.limits import PREVIEW_DEFAULT, PREVIEW_MAX, RECALL_LIMIT_MAX
from memctl.wire.memories import MemoryIdTwins, ProjectId
from memctl.wire.messages import MessageHit
from memctl.wire.moments import MomentFields
from memctl.wire.recall_debug import RecallDebug
from memctl.wire.refusals import refused
from memctl.wire.time_window import TemporalHint, TimeWindowFields

Contested = Literal["newer", "older"]


class RecallRequest(TimeWindowFields, MomentFields):
    """POST /api/mcp/recall; an absent limit is the deployment's default, absent sections are all."""

    query: QueryText
    limit: Annotated[int, Limit(1, RECALL_LIMIT_MAX)] | None = None
    channel: ScopeText = None
    agent_id: ScopeText = None
    peer_scope: ScopeText = None
    include_graph_context: Flag = True
    knowledge_base_id: KnowledgeBaseId | None = None
    knowledge_base_ids: Annotated[list[KnowledgeBaseId], AfterValidator(unique_within(100))] = []
    category: Category | None = None
    categories: list[Category] = []
    store: Store | None = None
    stores: list[Store] = []
    tags: TagList = []
    mode: RecallMode | None = None
    sections: list[RecallSection] = []
    project_id: ProjectId | None = None
    repo_slug: Text500 | None = None
    session_key: ScopeText = None
    scope_to_session: Flag = False
    compact: Flag = False
    preview_length: Annotated[int, Limit(0, PREVIEW_MAX)] = PREVIEW_DEFAULT
    collapse_near_duplicates: Flag = True
    min_evidence: Unit = 0.0
    all_channels: Flag = False
    namespace: NamespaceText = None
    where: Where | None = None
    metadata: AnyJson = None

    @model_validator(mode="after")
    def bases_are_knowledge(self) -> Self:
        """Refuse knowledge bases whose chunks the sections leave out."""
        if self.sections and RecallSection.KNOWLEDGE not in self.sections and self.named_knowledge_bases():
            raise refused("sections without knowledge leave nothing of the knowledge bases that the request names")
        return self

    def named_knowledge_bases(self) -> list[str]:
        """The knowledge bases that the request names, each once."""
        first = [self.knowledge_base_id] if self.knowledge_base_id else []
        return list(dict.fromkeys(first + self.knowledge_base_ids))

    def wanted_categories(self) -> list[Category]:
        """The categories that the request names, each once; empty means no filter."""
        return list(dict.fromkeys(([self.category] if self.category else []) + self.categories))

    def wanted_stores(self) -> list[Store]:
        """The stores that the request names, each once; empty means no filter."""
        return list(dict.fromkeys(([self.store] if self.store else []) + self.stores))


class RecallQuery(RequestModel):
    """The query part of the URL of POST /api/mcp/recall."""

    debug_recall_output: Flag = False


class RankingSignals(WireModel):
    """The parts of a score (contract 11.2): those of the base within 0 and 1 before their weight; boosts as added.

    baseScore and evidenceScore are sums of their parts. vectorWeight and wordWeight are there where evidence does not
    weigh cosine and words by one half each. Three parts of contextScore have names: factScore, for stating the attribute that
    the query asks for, paraphraseScore, for a cosine that stands out where no row has a word of the query, and sourceScore,
    for a message that the memory was made from and that the query finds.
    """

    vector_score: float
    strength_score: float
    freshness_score: float
    access_score: float
    text_match_score: float
    base_score: float = 0.0
    evidence_score: float = 0.0
    word_score: float = 0.0
    pair_score: float = 0.0
    name_score: float = 0.0
    context_score: float = 0.0
    vector_weight: float | None = absent()
    word_weight: float | None = absent()
    graph_boost: float = 0.0
    project_boost: float = 0.0
    source_role_score: float | None = absent()
    salience_score: float = 0.0
    continuity_score: float | None = absent()
    knowledge_base_score: float | None = absent()
    rerank_score: float | None = absent()
    fact_score: float | None = absent()
    paraphrase_score: float | None = absent()
    source_score: float | None = absent()
    conflict_boost: float | None = absent()
    origin_boost: float | None = absent()


class RowConflict(WireModel):
    """An open conflict of a row: the other memory, its value of the attribute, and whether this row is the newer one."""

    id: str
    memory_id: str
    attribute: str
    value: str
    newer: bool


class RecalledMemory(MemoryIdTwins):
    """A memory or chunk that recall returns; relevance is within 0 and 1."""

    title: str
    content: str
    store: Store
    category: Category
    relevance: float
    created_at: int
    tags: list[str]
    strength: float
    confidence: float
    recall_text: str
    preview: str | None = absent()
    compact: bool | None = absent()
    weak: bool | None = absent()
    valid_from: int | None = absent()
    valid_until: int | None = absent()
    ended: bool | None = absent()
    conflicts: list[RowConflict] | None = absent()
    metadata: Any = absent()
    channel: str | None = absent()
    project_id: str | None = absent()
    last_accessed_at: int
    ranking_signals: RankingSignals
    knowledge_base_id: str | None = absent()
    knowledge_base_name: str | None = absent()
    dedupe_key: str | None = absent()
    chunk_kind: ChunkKind | None = absent()
    source_role: SourceRole | None = absent()

    @computed_field
    @property
    def score(self) -> float:
        """The relevance again."""
        return self.relevance

    def contested(self) -> Contested | None:
        """Whether the row contradicts another memory, and is older than any of those or newer than all."""
        if not self.conflicts:
            return None
        return "newer" if all(one.newer for one in self.conflicts) else "older"


class ContextNode(WireModel):
    """A graph node returned with a recall."""

    id: str
    label: str
    type: str
    confidence: float


class ContextRelation(WireModel):
    """A graph relation returned with a recall; its evidence lists visible memories only."""

    id: str
    from_: str = Field(validation_alias="from", serialization_alias="from")
    to: str
    type: str
    weight: float
    evidence_memory_ids: list[str]


class GraphContext(WireModel):
    """At most 20 nodes and 40 relations about the returned memories."""

    nodes: list[ContextNode] = []
    relations: list[ContextRelation] = []


class HiddenKnowledgeBase(WireModel):
    """An own knowledge base that gave nothing, and why."""

    knowledge_base_id: str
    reason: str

    def is_surprising(self) -> bool:
        """Whether its owner may have expected something of it: neither archived nor empty."""
        return self.reason not in {"archived", "empty"}


class AskedPast(WireModel):
    """The past month or year that a query names, and the `validAt` of a request that asks what was true at its end."""

    name: str
    valid_at: int


class Retrieval(WireModel):
    """The request as recall read it, and the counts of what it found.

    belowEvidence rows were left out by minEvidence; nothingRelevant says that no row of the answer has anything to do
    with the query. askedPast is there when the query names a past month or year and the request no time: the answer is
    as of now. knowledgeBasesSkipped counts visible ones that were not searched: a recall without names searches the best
    suited eight, or twelve.
    """

    requested_limit: int
    final_hits: int
    message_matches: int = 0
    starved: bool = False
    below_evidence: int = 0
    nothing_relevant: bool = False
    filters_applied: list[str] = []
    fallback: Fallback = Fallback.NONE
    hidden: list[HiddenKnowledgeBase] = []
    knowledge_bases_skipped: int | None = absent()
    asked_past: AskedPast | None = absent()


class Diagnostics(WireModel):
    """How the candidates came about."""

    recall_intent: str
    evidence_weight: float = 4.0
    rerank_weight: float | None = absent()
    knowledge_bases_searched: int = 0
    embedding_note: str | None = absent()
    candidate_counts: dict[str, int] = {}
    suppressions: dict[str, int] = {}


class RecallReply(WireModel):
    """The memories for a query, best first, and how they were found."""

    memories: list[RecalledMemory]
    message_matches: list[MessageHit] = []
    temporal_hint: TemporalHint | None = absent()
    asset_contexts: list[Any] = []
    graph_context: GraphContext | None = absent()
    degraded: bool = False
    degradation: Degradation | None = absent()
    retrieval: Retrieval
    diagnostics: Diagnostics
    debug: RecallDebug | None = absent()
    metadata: Any = absent()
