"""The SQL that writes the graph: pages of memories of one user, one statement a table, one writer a user at a time.

What returns nothing is sent together with the next statement that does.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg.types.json import Jsonb

from memd.db.advisory_locks import Seed
from memd.db.session import OwnerSession, WriteSession
from memd.db.sql.derived import restates
from memd.domain.graph.entities import NODE_CONFIDENCE, NODE_STRENGTH
from memd.domain.graph.merging import MergedNode
from memd.domain.types import LinkRole, NodeType

_COLUMNS: Final = (
    "id, title, content, content_hash, channel, project_id, knowledge_base_id IS NOT NULL AS is_chunk, "
    f"{restates('memory')} AS restates, created_at"
)
_UNREAD: Final = "NOT graph_enriched AND NOT archived AND chunk_kind IS DISTINCT FROM 'config'"
_UNREAD_MEMORY: Final = "NOT graph_enriched AND NOT archived AND knowledge_base_id IS NULL"
_UNREAD_CHUNK: Final = (
    "NOT graph_enriched AND NOT archived AND knowledge_base_id IS NOT NULL AND chunk_kind <> 'config'"
)


class Unread(NamedTuple):
    """A memory or chunk as the graph reads it; one that `restates` others states no facts itself."""

    id: UUID
    title: str
    content: str
    content_hash: str
    channel: str | None
    project_id: str | None
    is_chunk: bool
    restates: bool
    created_at: int


class KnownNode(NamedTuple):
    """A node that exists already."""

    id: UUID
    label: str
    node_type: str
    key: str
    alias: list[str]
    source_memory_ids: list[UUID]


class Link(NamedTuple):
    """A memory and a node that it mentions."""

    memory_id: UUID
    node_id: UUID
    role: LinkRole
    confidence: float


def lock_graph(session: WriteSession) -> None:
    """Serialize writers of the user's graph until the transaction ends."""
    session.execute_later(
        (f"SELECT pg_advisory_xact_lock(hashtextextended(%(key)s, {Seed.NAMED}))", {"key": f"graph:{session.user_id}"})
    )


async def find_unread(session: OwnerSession, memory_ids: Sequence[UUID]) -> list[Unread]:
    """Those of the memories and chunks that the graph has to read, oldest first."""
    return await session.rows(
        Unread,
        f"SELECT {_COLUMNS} FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s) AND {_UNREAD} ORDER BY id",
        {"user": session.user_id, "ids": list(memory_ids)},
    )


async def unread_memories(session: OwnerSession, limit: int) -> list[Unread]:
    """The oldest active memories that the graph has not read, without chunks."""
    return await session.rows(
        Unread,
        f"SELECT {_COLUMNS} FROM memory WHERE user_id = %(user)s AND {_UNREAD_MEMORY} ORDER BY id LIMIT %(limit)s",
        {"user": session.user_id, "limit": limit},
    )


async def unread_chunks(session: OwnerSession, limit: int) -> list[Unread]:
    """The oldest active chunks that the graph has not read; configuration is left out."""
    return await session.rows(
        Unread,
        f"SELECT {_COLUMNS} FROM memory WHERE user_id = %(user)s AND {_UNREAD_CHUNK} ORDER BY id LIMIT %(limit)s",
        {"user": session.user_id, "limit": limit},
    )


async def lock_unread(session: WriteSession, memory_ids: Sequence[UUID]) -> list[Unread]:
    """As `find_unread`; until the transaction ends none of them can be deleted, while edits and recalls go on."""
    return await session.rows(
        Unread,
        f"""
        SELECT {_COLUMNS} FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s) AND {_UNREAD}
        ORDER BY id FOR KEY SHARE
        """,
        {"user": session.user_id, "ids": list(memory_ids)},
    )


async def known_nodes(session: WriteSession, slugs: Sequence[str]) -> list[KnownNode]:
    """The nodes of these slugs under any type, oldest first."""
    return await session.rows(
        KnownNode,
        """
        SELECT id, label, node_type, canonical_key AS key, alias, source_memory_ids FROM graph_node
        WHERE user_id = %(user)s AND canonical_key = ANY(ARRAY(
          SELECT type || ':' || slug FROM unnest(%(types)s::text[]) AS type, unnest(%(slugs)s::text[]) AS slug))
        ORDER BY id
        """,
        {"user": session.user_id, "types": [node_type.value for node_type in NodeType], "slugs": slugs},
    )


def put_nodes(session: WriteSession, nodes: Sequence[MergedNode], now: int) -> None:
    """Insert or replace the nodes."""
    rows = [
        {
            "id": node.id.hex,
            "label": node.label,
            "type": node.node_type.value,
            "key": node.key,
            "alias": node.alias,
            "sources": [one.hex for one in node.source_memory_ids],
        }
        for node in nodes
    ]
    session.execute_later(
        (
            """
            INSERT INTO graph_node (user_id, id, label, node_type, canonical_key, alias, source_memory_ids, strength,
                                    confidence, created_at, updated_at)
            SELECT own.user_id, id, label, type, key, alias, sources, %(strength)s, %(confidence)s, %(now)s, %(now)s
            FROM totals own CROSS JOIN jsonb_to_recordset(%(rows)s)
                 AS r(id uuid, label text, type text, key text, alias text[], sources uuid[])
            WHERE own.user_id = %(user)s
            ON CONFLICT (user_id, canonical_key) DO UPDATE
            SET alias = excluded.alias, source_memory_ids = excluded.source_memory_ids, updated_at = excluded.updated_at
            """,
            {
                "user": session.user_id,
                "rows": Jsonb(rows),
                "strength": NODE_STRENGTH,
                "confidence": NODE_CONFIDENCE,
                "now": now,
            },
        )
    )


def retype_nodes(session: WriteSession, nodes: Sequence[MergedNode]) -> None:
    """Give stored nodes their new type and key."""
    if not nodes:
        return
    session.execute_later(
        (
            """
            UPDATE graph_node n SET node_type = r.type, canonical_key = r.key
            FROM jsonb_to_recordset(%(rows)s) AS r(id uuid, type text, key text)
            WHERE n.user_id = %(user)s AND n.id = r.id
            """,
            {
                "user": session.user_id,
                "rows": Jsonb([{"id": node.id.hex, "type": node.node_type.value, "key": node.key} for node in nodes]),
            },
        )
    )


def put_links(session: WriteSession, links: Sequence[Link], now: int) -> None:
    """Tie memories to nodes."""
    session.execute_later(
        (
            """
            INSERT INTO memory_node (user_id, memory_id, node_id, role, link_confidence, created_at)
            SELECT own.user_id, memory_id, node_id, role, confidence, %(now)s
            FROM totals own CROSS JOIN unnest(%(memories)s::uuid[], %(nodes)s::uuid[], %(roles)s::text[], %(confidences)s::float8[])
                 AS r(memory_id, node_id, role, confidence)
            WHERE own.user_id = %(user)s
            ON CONFLICT (user_id, memory_id, node_id) DO UPDATE
            SET role = excluded.role, link_confidence = greatest(memory_node.link_confidence, excluded.link_confidence)
            """,
            {
                "user": session.user_id,
                "memories": [link.memory_id for link in links],
                "nodes": [link.node_id for link in links],
                "roles": [link.role.value for link in links],
                "confidences": [link.confidence for link in links],
                "now": now,
            },
        )
    )


_DETACH = (
    """
    UPDATE graph_relation SET evidence_memory_ids = ARRAY(
      SELECT proof FROM unnest(evidence_memory_ids) WITH ORDINALITY AS e(proof, place)
      WHERE proof <> ALL(%(memories)s) ORDER BY place)
    WHERE user_id = %(user)s AND evidence_memory_ids && %(memories)s::uuid[]
      AND from_node_id IN (SELECT node_id FROM memory_node WHERE user_id = %(user)s AND memory_id = ANY(%(memories)s))
    """,
    """
    DELETE FROM graph_relation WHERE user_id = %(user)s AND evidence_memory_ids = '{}'
      AND from_node_id IN (SELECT node_id FROM memory_node WHERE user_id = %(user)s AND memory_id = ANY(%(memories)s))
    """,
    "DELETE FROM memory_node WHERE user_id = %(user)s AND memory_id = ANY(%(memories)s)",
)


def detach(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Remove everything from the graph that earlier texts of the memories stated."""
    params = {"user": session.user_id, "memories": list(memory_ids)}
    session.execute_later(*((statement, params) for statement in _DETACH))


async def mark_enriched(session: WriteSession, memories: Sequence[Unread], now: int) -> int:
    """Note that the graph has read these texts; returns how many. A memory that was edited since has a separate job."""
    return await session.execute(
        """
        WITH seen AS (
          SELECT m.id FROM memory m
          JOIN unnest(%(ids)s::uuid[], %(titles)s::text[], %(hashes)s::text[]) AS s(id, title, hash) ON m.id = s.id
          WHERE m.user_id = %(user)s AND m.title = s.title AND m.content_hash = s.hash
          ORDER BY m.id FOR NO KEY UPDATE OF m)
        UPDATE memory m SET graph_enriched = true, graph_enriched_at = %(now)s
        FROM seen WHERE m.user_id = %(user)s AND m.id = seen.id
        """,
        {
            "user": session.user_id,
            "ids": [memory.id for memory in memories],
            "titles": [memory.title for memory in memories],
            "hashes": [memory.content_hash for memory in memories],
            "now": now,
        },
    )
