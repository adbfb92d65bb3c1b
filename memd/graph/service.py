"""What the graph adds to a recall, and how much of the memories it covers (contract 6.2, 6.12, 11.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memd.context import Context
from memd.db.session import Row, Statement
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

    @classmethod
    def of(cls, nodes: Sequence[Row], edges: Sequence[Row]) -> "Surroundings":
        """From the rows of the two statements of `context_for`."""
        return cls([*nodes], [store.edge(row) for row in edges])


def has_graph(user_id: UUID) -> Statement:
    """One row (has_graph): whether the graph knows anything of the user."""
    return store.has_graph(user_id)


def context_for(
    user_id: UUID,
    scopes: VisibleScopes,
    memory_ids: Sequence[UUID],
    *,
    chunks: Sequence[tuple[UUID, ChunkScope]] = (),
    ordinary: bool = True,
) -> tuple[Statement, Statement]:
    """What finds that of which the returned memories speak: ≤ 20 nodes, ≤ 40 edges, as the request may see them.

    `memory_ids` are visible to the request already. `chunks` are its visible knowledge bases; `ordinary` is false when
    it names them, and then only their chunks count as evidence. `Surroundings.of` takes the rows.
    """
    scope = EvidenceScope(scopes, chunks, ordinary)
    return store.surroundings(user_id, scope, memory_ids, nodes=CONTEXT_NODES, edges=CONTEXT_RELATIONS)


async def status(context: Context) -> Row:
    """nodes, relations, enriched, memories of the caller."""
    async with context.database.owner(context.user_id) as session:
        return await store.counts(session)
