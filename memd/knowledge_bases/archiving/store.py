"""The SQL of changing, archiving, restoring and removing knowledge bases; chunks in pages, all their rows at once."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from memd.db.session import WriteSession
from memd.db.sql.assignments import assigned


class MovedChunk(NamedTuple):
    """A chunk that went into the archive or came out of it; `size` in characters."""

    id: UUID
    size: int


_CHUNK_TABLES = {"memory": "id", "memory_index": "memory_id", "memory_vector": "memory_id"}


async def set_columns(session: WriteSession, base_id: UUID, columns: Mapping[str, Any], now: int) -> None:
    """Set columns of a knowledge base; `columns` holds names of this room's own callers, never of a client."""
    assignments, values = assigned(columns)
    await session.execute(
        f"UPDATE knowledge_base SET updated_at = %(now)s{assignments} WHERE user_id = %(user)s AND id = %(base)s",
        {**values, "user": session.user_id, "base": base_id, "now": now},
    )


async def move_chunks(
    session: WriteSession, base_id: UUID, old_channel: str, new_channel: str | None, limit: int
) -> int:
    """Give the next chunks of one channel another one, in the rows that the lanes read as well; returns how many."""
    ids = await session.values(
        """
        SELECT id FROM memory
        WHERE user_id = %(user)s AND knowledge_base_id = %(base)s AND channel = %(old)s LIMIT %(limit)s FOR UPDATE
        """,
        {"user": session.user_id, "base": base_id, "old": old_channel, "limit": limit},
    )
    params = {"user": session.user_id, "ids": ids, "new": new_channel}
    for table, key in _CHUNK_TABLES.items():
        await session.execute(
            f"UPDATE {table} SET channel = %(new)s WHERE user_id = %(user)s AND {key} = ANY(%(ids)s)", params
        )
    return len(ids)


async def next_page(session: WriteSession, base_id: UUID, limit: int, *, archived: bool) -> list[MovedChunk]:
    """The next active chunks, or the next ones that were archived with their knowledge base; locked."""
    moved = "archived AND archived_by = 'knowledge_base'" if archived else "NOT archived"
    return await session.rows(
        MovedChunk,
        f"""
        SELECT id, length(content) AS size FROM memory
        WHERE user_id = %(user)s AND knowledge_base_id = %(base)s AND {moved} ORDER BY id LIMIT %(limit)s FOR UPDATE
        """,
        {"user": session.user_id, "base": base_id, "limit": limit},
    )


async def archive_chunks(session: WriteSession, chunk_ids: Sequence[UUID], now: int) -> None:
    """Archive chunks, without their triggers."""
    params = {"user": session.user_id, "ids": list(chunk_ids), "now": now}
    await session.execute(
        """
        UPDATE memory SET archived = true, archived_at = %(now)s, archived_by = 'knowledge_base', updated_at = %(now)s
        WHERE user_id = %(user)s AND id = ANY(%(ids)s)
        """,
        params,
    )
    await session.execute("DELETE FROM trigger WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)", params)


async def restore_chunks(session: WriteSession, chunk_ids: Sequence[UUID], now: int) -> None:
    """Make archived chunks active again, with their triggers."""
    params = {"user": session.user_id, "ids": list(chunk_ids), "now": now}
    await session.execute(
        """
        UPDATE memory SET archived = false, archived_at = NULL, archived_by = NULL, updated_at = %(now)s
        WHERE user_id = %(user)s AND id = ANY(%(ids)s)
        """,
        params,
    )
    await session.execute(
        """
        INSERT INTO trigger (user_id, memory_id, tool_name, created_at)
        SELECT user_id, id, unnest(action_triggers), %(now)s FROM memory
        WHERE user_id = %(user)s AND id = ANY(%(ids)s)
        ON CONFLICT DO NOTHING
        """,
        params,
    )


async def remove_base(session: WriteSession, base_id: UUID) -> None:
    """Delete a knowledge base that has no chunks left, with the record of its imports."""
    params = {"user": session.user_id, "base": base_id}
    await session.execute("DELETE FROM import_run WHERE user_id = %(user)s AND knowledge_base_id = %(base)s", params)
    await session.execute("DELETE FROM knowledge_base WHERE user_id = %(user)s AND id = %(base)s", params)
