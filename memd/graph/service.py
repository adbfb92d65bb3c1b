"""What the graph adds to a recall, and how much of the memories it covers (contract 6.2, 6.12, 11.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memd.context import Context
from memd.db.session import ReadSession, Row
from memd.domain.graph_paths import Edge
from memd.domain.scoping import ChunkScope, VisibleScopes
from memd.graph import store
from memd.graph.store import EvidenceScope

CONTEXT_NODES = 20
CONTEXT_RELATIONS = 40


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Nodes (id, label, node_type, confidence) that memories speak of, and the edges among them."""

    nodes: list[Row]
    edges: list[Edge]


async def context_for(
    session: ReadSession,
    scopes: VisibleScopes,
    memory_ids: Sequence[UUID],
    *,
    chunks: Sequence[tuple[UUID, ChunkScope]] = (),
    ordinary: bool = True,
) -> Surroundings:
    """What the returned memories speak of: ≤ 20 nodes, ≤ 40 edges; an edge and its evidence as the request may see.

    `memory_ids` are visible to the request already. `chunks` are its visible knowledge bases; `ordinary` is false when
    it names them, and then only their chunks count as evidence.
    """
    if not memory_ids:
        return Surroundings([], [])
    node_ids = await store.linked_nodes(session, memory_ids, CONTEXT_NODES)
    known = await store.nodes(session, node_ids)
    scope = EvidenceScope(scopes, chunks, ordinary)
    edges = await store.edges(session, scope, list(known), limit=CONTEXT_RELATIONS, inside=True)
    return Surroundings([known[node_id] for node_id in node_ids if node_id in known], edges)


async def link_confidence(session: ReadSession, memory_ids: Sequence[UUID]) -> dict[UUID, float]:
    """The best linkConfidence of each memory that the graph knows."""
    return await store.link_confidence(session, memory_ids) if memory_ids else {}


async def status(context: Context) -> Row:
    """nodes, relations, enriched, memories of the caller."""
    async with context.database.read(context.user_id) as session:
        return await store.counts(session, context.scopes(None, None))
