"""The SQL that writes edges of the graph, and associations of memories that share one; a page of memories at a time.

What returns nothing is sent together with the next statement that does.
"""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from psycopg.types.json import Jsonb

from memd.db.session import WriteSession
from memd.domain.graph_merging import MergedEdge
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
            "id": str(one.edge.id),
            "from": str(one.edge.from_node_id),
            "to": str(one.edge.to_node_id),
            "type": one.edge.relation.value,
            "weight": one.weight,
            "confidence": one.confidence,
            "evidence": [str(proof) for proof in one.edge.evidence_memory_ids],
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


def associate(session: WriteSession, stated: Sequence[StatedEdge], limit: int, now: int) -> None:
    """Relate each memory to the newest other ones of its channel and project that speak of both ends of its edge.

    At most `limit` for each edge; of the memories of one page, only to older ones.
    """
    rows = [
        {
            "place": place,
            "memory": str(one.memory.id),
            "channel": one.memory.channel,
            "project": one.memory.project_id,
            "from": str(one.edge.from_node_id),
            "to": str(one.edge.to_node_id),
            "kind": one.kind,
            "weight": one.weight,
        }
        for place, one in enumerate(stated)
    ]
    page = list({one.memory.id for one in stated})
    session.execute_later(
        (_ASSOCIATE, {"user": session.user_id, "rows": Jsonb(rows), "page": page, "limit": limit, "now": now})
    )


_ASSOCIATE = """
INSERT INTO association (user_id, from_memory_id, to_memory_id, relationship_type, weight, created_at, updated_at)
SELECT DISTINCT ON (r.memory, other.id, r.kind) own.user_id, r.memory, other.id, r.kind, r.weight, %(now)s, %(now)s
FROM totals own CROSS JOIN jsonb_to_recordset(%(rows)s)
     AS r(place int, memory uuid, channel text, project text, "from" uuid, "to" uuid, kind text, weight float8)
CROSS JOIN LATERAL (
  SELECT m.id FROM memory_node a
  JOIN memory_node b ON b.user_id = %(user)s AND b.memory_id = a.memory_id AND b.node_id = r."to"
  JOIN memory m ON m.user_id = %(user)s AND m.id = a.memory_id
  WHERE a.user_id = %(user)s AND a.node_id = r."from" AND m.id <> r.memory AND NOT m.archived
    AND m.knowledge_base_id IS NULL AND NOT (m.id = ANY(%(page)s) AND m.id > r.memory)
    AND m.channel IS NOT DISTINCT FROM r.channel AND m.project_id IS NOT DISTINCT FROM r.project
  ORDER BY m.created_at DESC, m.id LIMIT %(limit)s) other
WHERE own.user_id = %(user)s
ORDER BY r.memory, other.id, r.kind, r.place DESC
ON CONFLICT (user_id, from_memory_id, to_memory_id, relationship_type) DO UPDATE
SET weight = excluded.weight, updated_at = excluded.updated_at
"""
