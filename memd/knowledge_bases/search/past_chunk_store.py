"""The SQL of chunks that were stored at a past moment and have been archived since (contract 17.5)."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession

_GONE: Final = """SELECT gone.id FROM memory gone
            WHERE gone.user_id = %(user)s AND gone.knowledge_base_id = ANY(%(bases)s) AND gone.archived
              AND NOT gone.blocked AND gone.created_at <= %(known_at)s
              AND coalesce(gone.archived_at, gone.updated_at) > %(known_at)s"""


class Forgotten(NamedTuple):
    """How many chunks of a knowledge base have been archived since a moment, and their characters."""

    base_id: UUID
    chunks: int
    chars: int


async def forgotten_since(session: OwnerSession, base_ids: Sequence[UUID], known_at: int) -> list[Forgotten]:
    """The amounts of chunks that were stored at `known_at` (epoch ms) and have been archived since."""
    return await session.rows(
        Forgotten,
        f"""
        SELECT i.knowledge_base_id AS base_id, count(*) AS chunks, sum(i.length)::int8 AS chars FROM memory_index i
        WHERE i.user_id = %(user)s AND i.memory_id IN ({_GONE}) GROUP BY i.knowledge_base_id
        """,
        {"user": session.user_id, "bases": list(base_ids), "known_at": known_at},
    )


def past_chunks(params: dict[str, Any], known_at: int) -> dict[str, str]:
    """The common table expression `gone` for `archived_since`; `params` has `user` and `bases`."""
    params["known_at"] = known_at
    return {"gone": _GONE}


def archived_since(alias: str) -> str:
    """The condition that a row of a narrow table belongs to a chunk that has been archived since the moment."""
    return f"{alias}.memory_id IN (SELECT id FROM gone)"
