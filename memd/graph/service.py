"""What the graph adds to a recall, and how much of the memories it covers (contract 6.2, 6.12, 11.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memd.context import Context
from memd.db.typed_rows import Query
from memd.domain.graph_paths import Edge
from memd.domain.scoping import ChunkScope, VisibleScopes
from memd.graph import store
from memd.graph.store import EvidenceScope, GraphCounts, Node, StoredEdge

CONTEXT_NODES = 20
CONTEXT_RELATIONS = 40


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Nodes that memories speak of, and the edges among them."""

    nodes: list[Node]
    edges: list[Edge]

    @classmethod
    def of(cls, nodes: Sequence[Node], edges: Sequence[StoredEdge]) -> "Surroundings":
        """From the rows of the two statements of `context_for`."""
        return cls([*nodes], [store.edge(row) for row in edges])


def context_for(
    user_id: UUID,
    scopes: VisibleScopes,
    memory_ids: Sequence[UUID],
    *,
    chunks: Sequence[tuple[UUID, ChunkScope]] = (),
    ordinary: bool = True,
) -> tuple[Query[Node], Query[StoredEdge]]:
    """What finds that of which the returned memories speak: ≤ 20 nodes, ≤ 40 edges, as the request may see them.

    `memory_ids` are visible to the request already. `chunks` are its visible knowledge bases; `ordinary` is false when
    it names them, and then only their chunks count as evidence. `Surroundings.of` takes the rows.
    """
    scope = EvidenceScope(scopes, chunks, ordinary)
    return store.surroundings(user_id, scope, memory_ids, nodes=CONTEXT_NODES, edges=CONTEXT_RELATIONS)


async def status(context: Context) -> GraphCounts:
    """How much of the caller's memories the graph covers."""
    async with context.database.owner(context.user_id) as session:
        return await store.counts(session)
