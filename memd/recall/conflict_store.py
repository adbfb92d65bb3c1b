"""The SQL of a recall on open conflicts of the memories that it found."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memd.db.session import OwnerSession
from memd.db.sql.version import unchanged
from memd.domain.ranking.contested import OpenConflict

MAX_CONFLICTS: Final = 200


def _was_active(row: str) -> str:
    """Whether the memory `row` is active, or was at the past moment."""
    return f"(NOT {row}.archived OR {row}.archived_at > %(known_at)s) AND NOT {row}.blocked"


async def open_conflicts(session: OwnerSession, memory_ids: Sequence[UUID], known_at: int | None) -> list[OpenConflict]:
    """The open conflicts that name any of these memories, the last noted first.

    Of a past moment (`known_at`, epoch ms; None for now) those that were open then, and those of memories that were
    stored then and whose conflict was noted later: an import brings older memories. Both memories are active and of one
    channel, so who sees one sees the other.
    """
    return await session.rows(
        OpenConflict,
        f"""
        SELECT c.id, c.old_id, c.new_id, c.attribute, c.old_value, c.new_value,
               coalesce(n.valid_from, n.created_at) AS new_since
        FROM memory_conflict c
        JOIN memory o ON o.user_id = %(user)s AND o.id = c.old_id
        JOIN memory n ON n.user_id = %(user)s AND n.id = c.new_id
        WHERE c.user_id = %(user)s AND (c.state = 'open' OR c.decided_at > %(known_at)s)
          AND (c.old_id = ANY(%(ids)s) OR c.new_id = ANY(%(ids)s))
          AND (%(known_at)s::int8 IS NULL OR c.created_at <= %(known_at)s OR ({unchanged("o")} AND {unchanged("n")}))
          AND {_was_active("o")} AND {_was_active("n")}
          AND o.channel IS NOT DISTINCT FROM n.channel
        ORDER BY c.id DESC LIMIT {MAX_CONFLICTS}
        """,
        {"user": session.user_id, "ids": list(memory_ids), "known_at": known_at},
    )
