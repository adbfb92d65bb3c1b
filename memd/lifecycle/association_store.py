"""The SQL of links between like memories."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from memd.db.session import ReadSession, WriteSession
from memd.domain.lifecycle.consolidation import Link


class _Linked(NamedTuple):
    low: UUID
    high: UUID
    at: int


async def linked_at(session: ReadSession, memory_ids: Sequence[UUID]) -> dict[tuple[UUID, UUID], int]:
    """When each pair with one of these memories was linked last, the smaller id first."""
    rows = await session.rows(
        _Linked,
        """
        SELECT least(from_memory_id, to_memory_id) AS low, greatest(from_memory_id, to_memory_id) AS high,
               max(updated_at) AS at
        FROM association WHERE user_id = %(user)s
          AND (from_memory_id = ANY(%(ids)s) OR to_memory_id = ANY(%(ids)s))
        GROUP BY 1, 2
        """,
        {"user": session.user_id, "ids": list(memory_ids)},
    )
    return {(row.low, row.high): row.at for row in rows}


async def put_links(session: WriteSession, links: Sequence[Link], now: int) -> None:
    """Write links between memories that are still there."""
    await session.execute_many(
        """
        INSERT INTO association (user_id, from_memory_id, to_memory_id, relationship_type, weight, created_at,
                                 updated_at)
        SELECT a.user_id, a.id, b.id, %(type)s, %(weight)s, %(now)s, %(now)s
        FROM memory a JOIN memory b ON b.user_id = %(user)s AND b.id = %(to)s
        WHERE a.user_id = %(user)s AND a.id = %(from)s
        ON CONFLICT (user_id, from_memory_id, to_memory_id, relationship_type) DO UPDATE
        SET weight = excluded.weight, updated_at = excluded.updated_at
        """,
        [
            {
                "user": session.user_id,
                "from": link.from_id,
                "to": link.to_id,
                "type": link.relationship,
                "weight": link.weight,
                "now": now,
            }
            for link in links
        ],
    )


async def mark_associated(session: WriteSession, memory_ids: Sequence[UUID], now: int) -> None:
    """Note that these memories were compared; they are locked in the order of their ids, as everybody locks them."""
    await session.execute(
        """
        UPDATE memory m SET associated_at = %(now)s
        FROM (SELECT id FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s) ORDER BY id FOR UPDATE) locked
        WHERE m.user_id = %(user)s AND m.id = locked.id
        """,
        {"user": session.user_id, "ids": list(memory_ids), "now": now},
    )
