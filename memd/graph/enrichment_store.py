"""The SQL that writes the graph; one writer a user at a time, so that nodes and edges are made once.

What returns nothing is sent together with the next statement that does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, WriteSession
from memd.domain.edge_strength import EdgeStrength
from memd.domain.types import LinkRole, NodeType, RelationType

EVIDENCE: Final = 200
SOURCES: Final = 50


@dataclass(frozen=True, slots=True)
class NewNode:
    """A node to make, or to be found again under its key."""

    id: UUID
    label: str
    node_type: NodeType
    key: str
    strength: float
    confidence: float


def lock_graph(session: WriteSession) -> None:
    """Make writers of the user's graph take turns until the transaction ends."""
    session.execute_later(
        ("SELECT pg_advisory_xact_lock(hashtextextended(%(key)s, 2))", {"key": f"graph:{session.user_id}"})
    )


class ReadMemory(NamedTuple):
    """A memory as enrichment reads it."""

    id: UUID
    title: str
    content: str
    channel: str | None
    project_id: str | None
    archived: bool
    graph_enriched: bool


_FIND = f"""
SELECT {", ".join(ReadMemory._fields)} FROM memory
WHERE user_id = %(user)s AND id = %(id)s
"""


async def find_memory(session: OwnerSession, memory_id: UUID) -> ReadMemory | None:
    """A memory as enrichment reads it; None when it is gone."""
    return await session.row(ReadMemory, _FIND, {"user": session.user_id, "id": memory_id})


async def lock_memory(session: WriteSession, memory_id: UUID) -> ReadMemory | None:
    """As `find_memory`, and the row stays locked until the transaction ends."""
    return await session.row(ReadMemory, _FIND + " FOR UPDATE", {"user": session.user_id, "id": memory_id})


async def known_types(session: WriteSession, slug: str) -> list[NodeType]:
    """The types under which a slug is known already, oldest node first."""
    keys = [f"{node_type.value}:{slug}" for node_type in NodeType]
    types = await session.values(
        "SELECT node_type FROM graph_node WHERE user_id = %(user)s AND canonical_key = ANY(%(keys)s) ORDER BY id",
        {"user": session.user_id, "keys": keys},
    )
    return list(map(NodeType, types))


async def put_node(session: WriteSession, node: NewNode, memory_id: UUID, now: int) -> UUID:
    """Make the node or add the memory to its newest sources; its id. Another spelling becomes an alias."""
    return await session.value(
        """
        INSERT INTO graph_node AS n (user_id, id, label, node_type, canonical_key, strength, confidence,
                                     source_memory_ids, created_at, updated_at)
        VALUES (%(user)s, %(id)s, %(label)s, %(type)s, %(key)s, %(strength)s, %(confidence)s, ARRAY[%(memory)s],
                %(now)s, %(now)s)
        ON CONFLICT (user_id, canonical_key) DO UPDATE
        SET alias = CASE WHEN n.label = excluded.label OR excluded.label = ANY(n.alias) THEN n.alias
                         ELSE (n.alias || excluded.label)[1:10] END,
            source_memory_ids = (%(memory)s || array_remove(n.source_memory_ids, %(memory)s))[1:%(sources)s],
            updated_at = %(now)s
        RETURNING id
        """,
        {
            "user": session.user_id,
            "id": node.id,
            "label": node.label,
            "type": node.node_type,
            "key": node.key,
            "strength": node.strength,
            "confidence": node.confidence,
            "memory": memory_id,
            "sources": SOURCES,
            "now": now,
        },
    )


def link(session: WriteSession, memory_id: UUID, node_id: UUID, role: LinkRole, confidence: float, now: int) -> None:
    """Tie a memory to a node."""
    session.execute_later(
        (
            """
            INSERT INTO memory_node (user_id, memory_id, node_id, role, link_confidence, created_at)
            VALUES (%(user)s, %(memory)s, %(node)s, %(role)s, %(confidence)s, %(now)s)
            ON CONFLICT (user_id, memory_id, node_id) DO UPDATE
            SET role = excluded.role, link_confidence = greatest(memory_node.link_confidence, excluded.link_confidence)
            """,
            {
                "user": session.user_id,
                "memory": memory_id,
                "node": node_id,
                "role": role,
                "confidence": confidence,
                "now": now,
            },
        )
    )


async def add_evidence(
    session: WriteSession, edge: tuple[UUID, RelationType, UUID], new_id: UUID, memory: ReadMemory, now: int
) -> int:
    """Make the edge or add the memory to its evidence; how many memories prove it now.

    Of one channel at most 200 stay, the newest, so that no channel takes the proof away that another sees.
    """
    subject, relation, other = edge
    return await session.value(
        """
        INSERT INTO graph_relation AS r (user_id, id, from_node_id, to_node_id, relation_type, weight, confidence,
                                         evidence_memory_ids, channels, created_at, updated_at)
        VALUES (%(user)s, %(id)s, %(from)s, %(to)s, %(type)s, 0, 0, ARRAY[%(memory)s],
                array_remove(ARRAY[%(channel)s::text], NULL), %(now)s, %(now)s)
        ON CONFLICT (user_id, from_node_id, to_node_id, relation_type) DO UPDATE
        SET evidence_memory_ids = %(memory)s || array_remove(
              CASE WHEN cardinality(r.evidence_memory_ids) < %(most)s THEN r.evidence_memory_ids
                   ELSE array_remove(r.evidence_memory_ids, (
                     SELECT m.id FROM memory m WHERE m.user_id = %(user)s AND m.id = ANY(r.evidence_memory_ids)
                       AND m.channel IS NOT DISTINCT FROM %(channel)s ORDER BY m.id LIMIT 1)) END,
              %(memory)s),
            channels = CASE WHEN %(channel)s IS NULL OR %(channel)s = ANY(r.channels) THEN r.channels
                            ELSE r.channels || %(channel)s::text END,
            updated_at = %(now)s
        RETURNING cardinality(evidence_memory_ids)
        """,
        {
            "user": session.user_id,
            "id": new_id,
            "from": subject,
            "to": other,
            "type": relation,
            "memory": memory.id,
            "channel": memory.channel,
            "most": EVIDENCE,
            "now": now,
        },
    )


def set_strength(session: WriteSession, edge: tuple[UUID, RelationType, UUID], strength: EdgeStrength) -> None:
    """Write weight and confidence of an edge."""
    subject, relation, other = edge
    session.execute_later(
        (
            """
            UPDATE graph_relation SET weight = %(weight)s, confidence = %(confidence)s
            WHERE user_id = %(user)s AND from_node_id = %(from)s AND to_node_id = %(to)s AND relation_type = %(type)s
            """,
            {
                "user": session.user_id,
                "from": subject,
                "to": other,
                "type": relation,
                "weight": strength.weight,
                "confidence": strength.confidence,
            },
        )
    )


_DETACH = (
    """
    UPDATE graph_relation SET evidence_memory_ids = array_remove(evidence_memory_ids, %(memory)s)
    WHERE user_id = %(user)s AND %(memory)s = ANY(evidence_memory_ids)
      AND from_node_id IN (SELECT node_id FROM memory_node WHERE user_id = %(user)s AND memory_id = %(memory)s)
    """,
    """
    DELETE FROM graph_relation WHERE user_id = %(user)s AND evidence_memory_ids = '{}'
      AND from_node_id IN (SELECT node_id FROM memory_node WHERE user_id = %(user)s AND memory_id = %(memory)s)
    """,
    "DELETE FROM memory_node WHERE user_id = %(user)s AND memory_id = %(memory)s",
)


def detach(session: WriteSession, memory_id: UUID) -> None:
    """Remove from the graph everything that came from an earlier text of the memory."""
    params = {"user": session.user_id, "memory": memory_id}
    session.execute_later(*((statement, params) for statement in _DETACH))


async def speakers_of(session: WriteSession, memory: ReadMemory, node_ids: Sequence[UUID], limit: int) -> list[UUID]:
    """The newest other active memories of the same channel and project that speak of all these nodes."""
    return await session.values(
        """
        SELECT m.id FROM memory m
        WHERE m.user_id = %(user)s AND m.id <> %(memory)s AND NOT m.archived AND m.knowledge_base_id IS NULL
          AND m.channel IS NOT DISTINCT FROM %(channel)s AND m.project_id IS NOT DISTINCT FROM %(project)s
          AND m.id IN (SELECT memory_id FROM memory_node WHERE user_id = %(user)s AND node_id = ANY(%(nodes)s)
                       GROUP BY memory_id HAVING count(*) = cardinality(%(nodes)s))
        ORDER BY m.created_at DESC, m.id LIMIT %(limit)s
        """,
        {
            "user": session.user_id,
            "memory": memory.id,
            "channel": memory.channel,
            "project": memory.project_id,
            "nodes": list(node_ids),
            "limit": limit,
        },
    )


def associate(session: WriteSession, from_id: UUID, to_id: UUID, kind: str, weight: float, now: int) -> None:
    """Note how one memory relates to another."""
    session.execute_later(
        (
            """
            INSERT INTO association (user_id, from_memory_id, to_memory_id, relationship_type, weight, created_at, updated_at)
            VALUES (%(user)s, %(from)s, %(to)s, %(type)s, %(weight)s, %(now)s, %(now)s)
            ON CONFLICT (user_id, from_memory_id, to_memory_id, relationship_type) DO UPDATE
            SET weight = excluded.weight, updated_at = excluded.updated_at
            """,
            {"user": session.user_id, "from": from_id, "to": to_id, "type": kind, "weight": weight, "now": now},
        )
    )


def mark_enriched(session: WriteSession, memory_id: UUID, now: int) -> None:
    """Note that the graph has read the memory as it stands."""
    session.execute_later(
        (
            """
            UPDATE memory SET graph_enriched = true, graph_enriched_at = %(now)s
            WHERE user_id = %(user)s AND id = %(id)s
            """,
            {"user": session.user_id, "id": memory_id, "now": now},
        )
    )
