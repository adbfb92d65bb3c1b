"""The graph in wire types, for its own routes and for recall."""

from memctl.wire.recall import ContextNode, ContextRelation, GraphContext
from memd.domain.ids import encode
from memd.graph.service import Surroundings


def graph_context(surroundings: Surroundings) -> GraphContext:
    """The `graphContext` of a recall (contract 6.2)."""
    nodes = [
        ContextNode(
            id=encode("node", node["id"]),
            label=node["label"],
            type=node["node_type"],
            confidence=round(node["confidence"], 4),
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
