"""The graph in wire types, for its own routes and for recall."""

from typing import Any

from memctl.wire.limits import PREVIEW_DEFAULT
from memctl.wire.recall import ContextNode, ContextRelation, GraphContext, RecalledMemory
from memd.domain.ids import encode
from memd.domain.ranking.rank_score import Candidate, RankQuery, score
from memd.domain.search.source_roles import KnowledgeSource, role_of
from memd.domain.search.text_match import memory_match, query_terms
from memd.graph.service import Surroundings
from memd.graph.store import Proof
from memd.recall.replies import base_fields, recalled_row


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
    return recalled_row(score(candidate, RankQuery(now)), PREVIEW_DEFAULT, **_base_of(row))


def _base_of(row: Proof) -> dict[str, Any]:
    if row.knowledge_base_id is None:
        return {}
    source = KnowledgeSource.stored(row.knowledge_base_id, row.knowledge_base_name or "", row.source_role)
    return base_fields(source.id, source.name, role_of(source), dedupe_key=row.dedupe_key, chunk_kind=row.chunk_kind)
