"""The graph around recalled memories, and its coverage of all memories (contract 6.2, 6.12, 11.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memd.context import Context
from memd.db.session import ReadSession
from memd.domain.graph.paths import Edge
from memd.domain.periods.validity import Moment
from memd.domain.visibility.scoping import ChunkScope, VisibleScopes
from memd.graph import store
from memd.graph.store import EvidenceScope, GraphCounts, Node

CONTEXT_NODES = 20
CONTEXT_RELATIONS = 40


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Nodes that memories speak of, and the edges among them."""

    nodes: list[Node]
    edges: list[Edge]


async def surroundings(
    session: ReadSession,
    scopes: VisibleScopes,
    memory_ids: Sequence[UUID],
    moment: Moment,
    *,
    chunks: Sequence[tuple[UUID, ChunkScope]] = (),
    ordinary: bool = True,
) -> Surroundings:
    """The graph around the returned memories: ≤ 20 nodes, ≤ 40 edges, as the request may see them. One round trip.

    `memory_ids` are visible to the request already, and edges are those of the `moment`. `chunks` are its visible knowledge
    bases; `ordinary` is false when it names them, and then only their chunks count as evidence.
    """
    scope = EvidenceScope(scopes, moment, chunks, ordinary)
    statements = store.surroundings(session.user_id, scope, memory_ids, nodes=CONTEXT_NODES, edges=CONTEXT_RELATIONS)
    nodes, edges = await session.rows_of(*statements)
    return Surroundings([*nodes], [row.edge for row in edges])


async def status(context: Context) -> GraphCounts:
    """How much of the caller's memories the graph covers."""
    async with context.database.owner(context.user_id) as session:
        return await store.counts(session)
