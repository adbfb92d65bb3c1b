"""The graph in wire types, for its own routes and for recall."""

from typing import Any, Final
from uuid import UUID

from memctl.wire.limits import PREVIEW_DEFAULT, RECALL_TEXT_MAX
from memctl.wire.recall import ContextNode, ContextRelation, GraphContext, RankingSignals, RecalledMemory
from memd.domain.ids import encode
from memd.domain.ranking import Candidate, RankQuery, score
from memd.domain.source_roles import KnowledgeSource, role_of
from memd.domain.text_match import memory_match, query_terms
from memd.domain.types import SourceRole
from memd.graph.service import Surroundings
from memd.graph.store import Proof

_SAME: Final = (
    "title",
    "content",
    "store",
    "category",
    "created_at",
    "last_accessed_at",
    "tags",
    "strength",
    "confidence",
    "metadata",
    "channel",
    "project_id",
)


def graph_context(surroundings: Surroundings) -> GraphContext:
    """The `graphContext` of a recall (contract 6.2)."""
    nodes = [
        ContextNode(
            id=encode("node", node.id),
            label=node.label,
            type=node.node_type,
            confidence=round(node.confidence, 4),
        )
        for node in surroundings.nodes
    ]
    relations = [
        ContextRelation(
            id=encode("rel", edge.id),
            from_=encode("node", edge.subject),
            to=encode("node", edge.object),
            type=edge.relation,
            weight=round(edge.weight, 4),
            evidence_memory_ids=[encode("mem", memory_id) for memory_id in edge.evidence],
        )
        for edge in surroundings.edges
    ]
    return GraphContext(nodes=nodes, relations=relations)


def recalled(row: Proof, entity: str, now: int) -> RecalledMemory:
    """A proof as a recall row; it was not found by a vector, so its score is that of everything else."""
    candidate = Candidate(
        row,
        text_match=memory_match(query_terms(entity), row.title, row.content, row.tags),
        graph_link_confidence=row.link_confidence,
    )
    ranked = score(candidate, RankQuery(now))
    signals = {name: value for name, value in ranked.signals._asdict().items() if value is not None}
    return RecalledMemory(
        id=encode("mem", row.id),
        relevance=ranked.relevance,
        ranking_signals=RankingSignals(**signals),
        recall_text=row.recall_text or row.content[:RECALL_TEXT_MAX],
        preview=row.content[:PREVIEW_DEFAULT],
        **{name: getattr(row, name) for name in _SAME},
        **_base_of(row),
    )


def base_fields(
    base_id: UUID, name: str, role: SourceRole, *, dedupe_key: str | None, chunk_kind: str
) -> dict[str, Any]:
    """The fields of a chunk that name its knowledge base."""
    return {
        "knowledge_base_id": encode("kb", base_id),
        "knowledge_base_name": name,
        "dedupe_key": dedupe_key,
        "chunk_kind": chunk_kind,
        "source_role": role,
    }


def _base_of(row: Proof) -> dict[str, Any]:
    if row.knowledge_base_id is None:
        return {}
    source = KnowledgeSource.stored(row.knowledge_base_id, row.knowledge_base_name or "", row.source_role)
    return base_fields(source.id, source.name, role_of(source), dedupe_key=row.dedupe_key, chunk_kind=row.chunk_kind)
