"""The graph over HTTP (contract 6.12)."""

from collections.abc import Sequence
from uuid import UUID

from memctl.wire.graph import (
    ChainLink,
    DependencyChainReply,
    DependencyChainRequest,
    Evidence,
    ExplainConnectionReply,
    ExplainConnectionRequest,
    GraphPath,
    GraphStatusReply,
    Hop,
    Owner,
    WhoOwnsReply,
    WhoOwnsRequest,
)
from memctl.wire.recall import RecalledMemory
from memd.access.endpoint import Call, NoBody, Room
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.graph import questions, service
from memd.graph.questions import Named
from memd.graph.wire import recalled

room = Room("graph")


@room.endpoint("GET", "/api/mcp/graph-status", credits=1, scope=KeyScope.READ, reply=GraphStatusReply)
async def status(call: Call[NoBody]) -> GraphStatusReply:
    """How much of the memories the graph covers."""
    counts = await service.status(call.context)
    share = counts.enriched / counts.memories if counts.memories else 0.0
    return GraphStatusReply(
        total_nodes=counts.nodes,
        total_relations=counts.relations,
        enriched_memories=counts.enriched,
        total_memories=counts.memories,
        enrichment_percent=round(100 * share, 2),
    )


@room.endpoint(
    "POST", "/api/mcp/graph/who-owns", credits=10, scope=KeyScope.READ, body=WhoOwnsRequest, reply=WhoOwnsReply
)
async def who_owns(call: Call[WhoOwnsRequest]) -> WhoOwnsReply:
    """Who owns an entity, or whom it is assigned to."""
    found, known = await questions.who_owns(call.context, call.body)
    owners = [
        Owner(
            id=encode("node", owner.owner),
            label=known.nodes[owner.owner].label,
            type=known.nodes[owner.owner].node_type,
            relation=owner.relation,
            confidence=round(owner.confidence, 4),
            evidence=_evidence(known, owner.evidence),
        )
        for owner in found
    ]
    entity = call.body.entity
    return WhoOwnsReply(entity=entity, owners=owners, memories=_memories(known, entity, call.context.now))


@room.endpoint(
    "POST",
    "/api/mcp/graph/explain-connection",
    credits=10,
    scope=KeyScope.READ,
    body=ExplainConnectionRequest,
    reply=ExplainConnectionReply,
)
async def explain_connection(call: Call[ExplainConnectionRequest]) -> ExplainConnectionReply:
    """How two entities are connected."""
    found, known = await questions.explain_connection(call.context, call.body)
    paths = [
        GraphPath(
            hops=[
                Hop(
                    from_=_label(known, hop.start),
                    relation=hop.edge.relation,
                    to=_label(known, hop.end),
                    direction=hop.direction,
                    evidence=_evidence(known, hop.edge.evidence),
                )
                for hop in path.hops
            ],
            score=round(path.score, 4),
        )
        for path in found
    ]
    left, right = call.body.entity_a, call.body.entity_b
    memories = _memories(known, f"{left} {right}", call.context.now)
    return ExplainConnectionReply(entity_a=left, entity_b=right, connected=bool(paths), paths=paths, memories=memories)


@room.endpoint(
    "POST",
    "/api/mcp/graph/dependency-chain",
    credits=10,
    scope=KeyScope.READ,
    body=DependencyChainRequest,
    reply=DependencyChainReply,
)
async def dependency_chain(call: Call[DependencyChainRequest]) -> DependencyChainReply:
    """The dependencies of an entity."""
    chain, known = await questions.dependency_chain(call.context, call.body)
    links = [
        ChainLink(
            depth=link.depth,
            from_=_label(known, link.dependent),
            relation=link.edge.relation,
            to=_label(known, link.dependency),
            evidence=_evidence(known, link.edge.evidence),
        )
        for link in chain.links
    ]
    return DependencyChainReply(
        entity=call.body.entity,
        max_depth=call.body.max_depth,
        chain=links,
        memories=_memories(known, call.body.entity, call.context.now),
        cycles=chain.cycles,
    )


def _label(known: Named, node_id: UUID) -> str:
    return known.nodes[node_id].label


def _evidence(known: Named, memory_ids: Sequence[UUID]) -> list[Evidence]:
    return [
        Evidence(memory_id=encode("mem", memory_id), title=known.titles[memory_id])
        for memory_id in memory_ids
        if memory_id in known.titles
    ]


def _memories(known: Named, entity: str, now: int) -> list[RecalledMemory]:
    return [recalled(row, entity, now) for row in known.memories]
