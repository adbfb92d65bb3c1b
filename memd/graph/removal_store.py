"""The SQL that takes memories out of the graph permanently."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from memd.db.session import WriteSession

_NODES: Final = "SELECT node_id FROM memory_node WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)"
_DETACH: Final = f"""
UPDATE graph_relation r
SET evidence_memory_ids = ARRAY(SELECT one FROM unnest(r.evidence_memory_ids) AS one WHERE one <> ALL(%(ids)s)),
    channels = ARRAY(SELECT DISTINCT m.channel FROM memory m
                     WHERE m.user_id = %(user)s AND m.id = ANY(r.evidence_memory_ids) AND m.id <> ALL(%(ids)s)
                       AND m.channel IS NOT NULL ORDER BY m.channel)
WHERE r.user_id = %(user)s AND r.evidence_memory_ids && %(ids)s::uuid[] AND r.from_node_id IN ({_NODES})
"""
_UNPROVEN: Final = f"""
DELETE FROM graph_relation
WHERE user_id = %(user)s AND evidence_memory_ids = '{{}}' AND from_node_id IN ({_NODES})
"""
_UNLINK: Final = """
DELETE FROM memory_node WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s) RETURNING node_id
"""
_ORPHANED: Final = """
DELETE FROM graph_node n
WHERE n.user_id = %(user)s AND n.id = ANY(%(nodes)s)
  AND NOT EXISTS (SELECT FROM memory_node l WHERE l.user_id = %(user)s AND l.node_id = n.id)
  AND NOT EXISTS (SELECT FROM graph_relation r WHERE r.user_id = %(user)s AND r.from_node_id = n.id)
  AND NOT EXISTS (SELECT FROM graph_relation r WHERE r.user_id = %(user)s AND r.to_node_id = n.id)
"""
# A spelling (label, then aliases) stays when a memory that is left uses it. The first is the label, else the node's key.
_RESPELL: Final = """
UPDATE graph_node n
SET source_memory_ids = ARRAY(SELECT one FROM unnest(n.source_memory_ids) AS one WHERE one <> ALL(%(ids)s)),
    label = coalesce(used.spellings[1], split_part(n.canonical_key, ':', 2)),
    alias = coalesce(used.spellings[2:], '{}')
FROM (SELECT g.id, ARRAY(
        SELECT spelling FROM unnest(g.label || g.alias) AS spelling WHERE EXISTS (
          SELECT FROM memory_node l JOIN memory m ON m.user_id = %(user)s AND m.id = l.memory_id
          WHERE l.user_id = %(user)s AND l.node_id = g.id AND strpos(m.title || E'\\n' || m.content, spelling) > 0)
      ) AS spellings
      FROM graph_node g WHERE g.user_id = %(user)s AND g.id = ANY(%(nodes)s)) AS used
WHERE n.user_id = %(user)s AND n.id = used.id
"""


async def detach_all(session: WriteSession, memory_ids: Sequence[UUID]) -> dict[str, int]:
    """Take out of the graph what only these memories say; rows removed or changed by table.

    The caller holds the lock of the graph.
    """
    params: dict[str, Any] = {"user": session.user_id, "ids": list(memory_ids)}
    relations = await session.execute(_DETACH, params)
    await session.execute(_UNPROVEN, params)
    linked = await session.values(_UNLINK, params)
    params["nodes"] = list(set(linked))
    nodes = await session.execute(_ORPHANED, params)
    await session.execute(_RESPELL, params)
    return {"graph_relation": relations, "memory_node": len(linked), "graph_node": nodes}
