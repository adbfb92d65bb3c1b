"""SQL: which graph nodes are the same person (contract 6.12)."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.session import ReadSession
from memd.db.sql.moment import tables_at
from memd.domain.types import NodeType
from memd.graph.store import EvidenceScope

_JOINED: Final = "[-''’.]"
"""In a first word, a sign that more than a first name is there: `Anna-Lena`, `Ken's wife Mia`."""


class _Named(NamedTuple):
    id: UUID
    full_name_id: UUID


async def full_names(session: ReadSession, scope: EvidenceScope, nodes: Sequence[UUID]) -> dict[UUID, UUID]:
    """Maps the nodes that are a first name to the node with the full name of the same person.

    That is the only full name beginning with it in memories that the request may see.
    """
    params: dict[str, Any] = {"user": session.user_id, "nodes": list(nodes), "person": NodeType.PERSON.value}
    rows = await session.rows(
        _Named,
        f"""
        SELECT first.id, (array_agg(whole.id))[1] AS full_name_id
        FROM graph_node first
        JOIN graph_node whole ON whole.user_id = %(user)s AND whole.id <> first.id
                             AND split_part(whole.canonical_key, '-', 1) = first.canonical_key
                             AND split_part(whole.label, ' ', 1) !~ '{_JOINED}'
        WHERE first.user_id = %(user)s AND first.id = ANY(%(nodes)s) AND first.node_type = %(person)s AND EXISTS (
          SELECT FROM memory_node n
          JOIN {tables_at(scope.moment, params, "n.memory_id").index} i
            ON i.user_id = %(user)s AND i.memory_id = n.memory_id
          WHERE n.user_id = %(user)s AND n.node_id = whole.id AND {scope.index_condition(params)})
        GROUP BY first.id HAVING count(*) = 1 AND bool_and(whole.id = ANY(%(nodes)s))
        """,
        params,
    )
    return dict(rows)
