"""The SQL that writes edges of the graph, and associations of memories that share one; a page of memories at a time.

What returns nothing is sent together with the next statement that does.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg.types.json import Jsonb

from memd.db.session import WriteSession
from memd.domain.graph.merging import MergedEdge
from memd.domain.types import RelationType
from memd.graph.enrichment_store import Unread


class KnownEdge(NamedTuple):
    """An edge that exists already."""

    id: UUID
    from_node_id: UUID
    relation: str
    to_node_id: UUID
    evidence_memory_ids: list[UUID]
    channels: list[str]


class Evidence(NamedTuple):
    """A memory that proves an edge."""

    id: UUID
    channel: str | None


class StatedEdge(NamedTuple):
    """A memory that states an edge, and the strength of the edge with this proof."""

    memory: Unread
    edge: MergedEdge
    kind: str
    weight: float
    confidence: float


async def known_edges(session: WriteSession, edges: Sequence[tuple[UUID, RelationType, UUID]]) -> list[KnownEdge]:
    """Those of the edges (from, relation, to) that exist already."""
    return await session.rows(
        KnownEdge,
        """
        SELECT r.id, r.from_node_id, r.relation_type AS relation, r.to_node_id, r.evidence_memory_ids, r.channels
        FROM graph_relation r
        JOIN unnest(%(from)s::uuid[], %(types)s::text[], %(to)s::uuid[]) AS e(from_id, type, to_id)
          ON r.from_node_id = e.from_id AND r.to_node_id = e.to_id AND r.relation_type = e.type
        WHERE r.user_id = %(user)s
        """,
        {
            "user": session.user_id,
            "from": [edge[0] for edge in edges],
            "types": [edge[1].value for edge in edges],
            "to": [edge[2] for edge in edges],
        },
    )


async def evidence(session: WriteSession, memory_ids: Sequence[UUID]) -> list[Evidence]:
    """Those of the memories that still exist, with their channels."""
    return await session.rows(
        Evidence,
        "SELECT id, channel FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s)",
        {"user": session.user_id, "ids": list(memory_ids)},
    )


def put_edges(session: WriteSession, stated: Sequence[StatedEdge], now: int) -> None:
    """Insert or replace the edges; of several statements of an edge, the last one has its strength."""
    rows = [
        {
            "id": one.edge.id.hex,
            "from": one.edge.from_node_id.hex,
            "to": one.edge.to_node_id.hex,
            "type": one.edge.relation.value,
            "weight": one.weight,
            "confidence": one.confidence,
            "evidence": [proof.hex for proof in one.edge.evidence_memory_ids],
            "channels": one.edge.channels,
        }
        for one in {one.edge.id: one for one in stated}.values()
    ]
    session.execute_later(
        (
            """
            INSERT INTO graph_relation (user_id, id, from_node_id, to_node_id, relation_type, weight, confidence,
                                        evidence_memory_ids, channels, created_at, updated_at)
            SELECT own.user_id, id, "from", "to", type, weight, confidence, evidence, channels, %(now)s, %(now)s
            FROM totals own CROSS JOIN jsonb_to_recordset(%(rows)s)
                 AS r(id uuid, "from" uuid, "to" uuid, type text, weight float8, confidence float8, evidence uuid[],
                      channels text[])
            WHERE own.user_id = %(user)s
            ON CONFLICT (user_id, from_node_id, to_node_id, relation_type) DO UPDATE
            SET weight = excluded.weight, confidence = excluded.confidence, channels = excluded.channels,
                evidence_memory_ids = excluded.evidence_memory_ids, updated_at = excluded.updated_at
            """,
            {"user": session.user_id, "rows": Jsonb(rows), "now": now},
        )
    )


class Sharing(NamedTuple):
    """A memory or chunk that mentions both nodes of a pair; `place` is the position of the pair, from 1."""

    place: int
    memory_id: UUID


class Related(NamedTuple):
    """An active memory that others can be linked to."""

    id: UUID
    created_at: int
    channel: str | None
    project_id: str | None


# The newest memories of one node that also mention the other. OFFSET 0 forces one index lookup per memory, even when
# the planner's statistics say that the user has few rows.
_RECENT: Final = """
(SELECT a.memory_id
 FROM (SELECT memory_id FROM memory_node
       WHERE user_id = %(user)s AND node_id = p.{node} AND memory_id <> ALL(%(page)s)
       ORDER BY memory_id DESC LIMIT %(window)s) a
 CROSS JOIN LATERAL (
   SELECT FROM memory_node b
   WHERE b.user_id = %(user)s AND b.node_id = p.{other} AND b.memory_id = a.memory_id OFFSET 0) b)"""
_SHARING: Final = f"""
SELECT p.place::int AS place, r.memory_id
FROM unnest(%(from)s::uuid[], %(to)s::uuid[]) WITH ORDINALITY AS p(from_id, to_id, place)
CROSS JOIN LATERAL (
  {_RECENT.format(node="from_id", other="to_id")} UNION {_RECENT.format(node="to_id", other="from_id")}
  ORDER BY memory_id DESC LIMIT %(limit)s) r
"""


async def sharing(
    session: WriteSession, pairs: Sequence[tuple[UUID, UUID]], page: Sequence[UUID], window: int, limit: int
) -> list[Sharing]:
    """For each pair of nodes the newest memories and chunks outside of the page that mention both, at most `limit`.

    Only the newest `window` memories of each node are read, so the cost is bounded.
    """
    return await session.rows(
        Sharing,
        _SHARING,
        {
            "user": session.user_id,
            "from": [pair[0] for pair in pairs],
            "to": [pair[1] for pair in pairs],
            "page": list(page),
            "window": window,
            "limit": limit,
        },
    )


async def related(session: WriteSession, memory_ids: Sequence[UUID]) -> list[Related]:
    """Those of the memories that are active and no chunks."""
    return await session.rows(
        Related,
        """
        SELECT id, created_at, channel, project_id FROM memory
        WHERE user_id = %(user)s AND id = ANY(%(ids)s) AND NOT archived AND knowledge_base_id IS NULL
        """,
        {"user": session.user_id, "ids": list(memory_ids)},
    )


class NewAssociation(NamedTuple):
    """A typed link from a memory to an older one."""

    from_memory_id: UUID
    to_memory_id: UUID
    kind: str
    weight: float


def put_associations(session: WriteSession, links: Sequence[NewAssociation], now: int) -> None:
    """Insert the associations, or give those that exist their new weight."""
    session.execute_later(
        (
            """
            INSERT INTO association (user_id, from_memory_id, to_memory_id, relationship_type, weight, created_at,
                                     updated_at)
            SELECT own.user_id, r.*, %(now)s, %(now)s
            FROM totals own CROSS JOIN
                 unnest(%(from)s::uuid[], %(to)s::uuid[], %(kinds)s::text[], %(weights)s::float8[]) AS r
            WHERE own.user_id = %(user)s
            ON CONFLICT (user_id, from_memory_id, to_memory_id, relationship_type) DO UPDATE
            SET weight = excluded.weight, updated_at = excluded.updated_at
            """,
            {
                "user": session.user_id,
                "now": now,
                "from": [link.from_memory_id for link in links],
                "to": [link.to_memory_id for link in links],
                "kinds": [link.kind for link in links],
                "weights": [link.weight for link in links],
            },
        )
    )
