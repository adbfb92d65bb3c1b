"""The SQL of single memories; recall has its own store."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np
from pgvector import HalfVector

from memd.db.session import ReadSession, WriteSession
from memd.db.sql.assignments import assigned
from memd.memories.new import Vector


async def snapshot_exists(session: ReadSession, snapshot_id: UUID) -> bool:
    """Whether the user has a snapshot of this id."""
    return await session.value(
        "SELECT EXISTS (SELECT FROM snapshot WHERE user_id = %(user)s AND id = %(id)s)",
        {"user": session.user_id, "id": snapshot_id},
    )


async def is_key_taken(session: WriteSession, base_id: UUID, dedupe_key: str) -> bool:
    """Whether an active chunk of the knowledge base has this key."""
    return await session.value(
        """
        SELECT EXISTS (SELECT FROM memory WHERE user_id = %(user)s AND knowledge_base_id = %(base)s
                       AND dedupe_key = %(key)s AND NOT archived)
        """,
        {"user": session.user_id, "base": base_id, "key": dedupe_key},
    )


async def vector(session: ReadSession, memory_id: UUID, model: int) -> list[float]:
    """The stored embedding, `[]` when it has to follow."""
    value = await session.value(
        "SELECT embedding FROM memory_vector WHERE user_id = %(user)s AND model = %(model)s AND memory_id = %(id)s",
        {"user": session.user_id, "model": model, "id": memory_id},
    )
    return [] if value is None else value.to_list()


async def touch(session: WriteSession, memory_id: UUID, now: int, tags: Sequence[str] | None = None) -> None:
    """Move the last access to `now`; with `tags`, they become the row's own."""
    await session.execute(
        """
        UPDATE memory SET last_accessed_at = %(now)s, tags = coalesce(%(tags)s, tags)
        WHERE user_id = %(user)s AND id = %(id)s
        """,
        {"user": session.user_id, "id": memory_id, "now": now, "tags": None if tags is None else list(tags)},
    )


async def sync_filters(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Bring the filters of the narrow rows up to the wide one; lexemes and embedding stay.

    New lexemes are written by `text_index_store`: they are computed before the transaction, for a thread may be waited for.
    """
    params = {"user": session.user_id, "ids": list(memory_ids)}
    await session.execute(
        """
        UPDATE memory_index i
        SET live = NOT m.archived AND NOT m.blocked, knowledge_base_id = m.knowledge_base_id, channel = m.channel,
            store = m.store, category = m.category, project_id = m.project_id, config = m.chunk_kind = 'config',
            valid_from = m.valid_from, valid_until = m.valid_until, tags = m.tags, length = length(m.content)
        FROM memory m
        WHERE i.user_id = %(user)s AND i.memory_id = ANY(%(ids)s) AND m.user_id = %(user)s AND m.id = i.memory_id
        """,
        params,
    )
    await session.execute(
        """
        UPDATE memory_vector v
        SET live = NOT m.archived AND NOT m.blocked, knowledge_base_id = m.knowledge_base_id, channel = m.channel,
            store = m.store, category = m.category, project_id = m.project_id, config = m.chunk_kind = 'config',
            valid_from = m.valid_from, valid_until = m.valid_until
        FROM memory m
        WHERE v.user_id = %(user)s AND v.memory_id = ANY(%(ids)s) AND m.user_id = %(user)s AND m.id = v.memory_id
        """,
        params,
    )


async def set_live(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Show rows to the lanes or hide them, as their archived and blocked marks say."""
    for table in ("memory_index", "memory_vector"):
        await session.execute(
            f"""
            UPDATE {table} n SET live = NOT m.archived AND NOT m.blocked, valid_until = m.valid_until FROM memory m
            WHERE n.user_id = %(user)s AND n.memory_id = ANY(%(ids)s) AND m.user_id = %(user)s AND m.id = n.memory_id
            """,
            {"user": session.user_id, "ids": list(memory_ids)},
        )


async def archive(session: WriteSession, memory_ids: Sequence[UUID], by: str, now: int) -> None:
    """Mark the rows archived and take their triggers away."""
    params = {"user": session.user_id, "ids": list(memory_ids), "by": by, "now": now}
    await session.execute(
        """
        UPDATE memory SET archived = true, archived_at = coalesce(archived_at, %(now)s), archived_by = %(by)s,
                          updated_at = %(now)s
        WHERE user_id = %(user)s AND id = ANY(%(ids)s)
        """,
        params,
    )
    await session.execute("DELETE FROM trigger WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)", params)
    await set_live(session, memory_ids)


_DEPENDENTS = (
    "SELECT FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s) ORDER BY id FOR UPDATE",
    "DELETE FROM recall_activity WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)",
    "DELETE FROM memory_node WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)",
    "DELETE FROM association WHERE user_id = %(user)s AND from_memory_id = ANY(%(ids)s)",
    "DELETE FROM association WHERE user_id = %(user)s AND to_memory_id = ANY(%(ids)s)",
    "DELETE FROM trigger WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)",
    "DELETE FROM memory_vector WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)",
    "DELETE FROM memory_index WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)",
    "DELETE FROM memory_version WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)",
    "DELETE FROM memory_version_index WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)",
    "DELETE FROM memory_fact WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)",
    "DELETE FROM standing_line WHERE user_id = %(user)s AND row_id = ANY(%(ids)s)",
    "DELETE FROM memory_conflict WHERE user_id = %(user)s AND (old_id = ANY(%(ids)s) OR new_id = ANY(%(ids)s))",
)


async def remove(session: WriteSession, memory_ids: Sequence[UUID]) -> int:
    """Delete rows permanently, what depends on them first (contract 5); returns how many there were."""
    params = {"user": session.user_id, "ids": list(memory_ids)}
    for statement in _DEPENDENTS:
        await session.execute(statement, params)
    return await session.execute("DELETE FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s)", params)


async def update_columns(session: WriteSession, memory_id: UUID, columns: Mapping[str, Any], now: int) -> None:
    """Set columns of a row; `columns` holds names of this module's own callers, never of a client."""
    assignments, values = assigned(columns)
    await session.execute(
        f"UPDATE memory SET updated_at = %(now)s{assignments} WHERE user_id = %(user)s AND id = %(id)s",
        {**values, "user": session.user_id, "id": memory_id, "now": now},
    )


async def set_vector(session: WriteSession, memory_id: UUID, model: int, vector: Vector) -> None:
    """Replace the embedding of a row, also where a re-embedding has made one; its filters follow by `sync_filters`."""
    params = {"user": session.user_id, "id": memory_id, "model": model, "vector": HalfVector(vector.astype(np.float16))}
    await session.execute(
        "DELETE FROM memory_vector WHERE user_id = %(user)s AND memory_id = %(id)s AND model <> %(model)s", params
    )
    await session.execute(
        """
        INSERT INTO memory_vector (user_id, memory_id, model, live, store, category, config, embedding)
        VALUES (%(user)s, %(id)s, %(model)s, false, '', '', false, %(vector)s)
        ON CONFLICT (user_id, memory_id, model) DO UPDATE SET embedding = excluded.embedding
        """,
        params,
    )
    await session.execute(
        "UPDATE memory SET embedding_pending = false, refused_by = NULL WHERE user_id = %(user)s AND id = %(id)s",
        params,
    )


async def set_triggers(session: WriteSession, memory_ids: Sequence[UUID], now: int) -> None:
    """Set the triggers of the rows: their tools if a row is active, else none."""
    params = {"user": session.user_id, "ids": list(memory_ids), "now": now}
    await session.execute("DELETE FROM trigger WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)", params)
    await session.execute(
        """
        INSERT INTO trigger (user_id, memory_id, tool_name, created_at)
        SELECT user_id, id, unnest(action_triggers), %(now)s FROM memory
        WHERE user_id = %(user)s AND id = ANY(%(ids)s) AND NOT archived
        """,
        params,
    )


async def untie_archived(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Take the triggers of those rows away that are archived."""
    await session.execute(
        """
        DELETE FROM trigger t USING memory m
        WHERE t.user_id = %(user)s AND t.memory_id = ANY(%(ids)s) AND m.user_id = %(user)s AND m.id = t.memory_id
          AND m.archived
        """,
        {"user": session.user_id, "ids": list(memory_ids)},
    )


async def lock_stored(session: WriteSession, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Those of the memories that still exist; none of them is deleted before the transaction ends."""
    return await session.values(
        "SELECT id FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s) ORDER BY id FOR KEY SHARE",
        {"user": session.user_id, "ids": list(memory_ids)},
    )


async def link_superseded(session: WriteSession, old_id: UUID, new_id: UUID, now: int) -> None:
    """Point an old row to the one that took its place."""
    await session.execute(
        """
        UPDATE memory SET superseded_by_memory_id = %(new)s, superseded_at = %(now)s
        WHERE user_id = %(user)s AND id = %(old)s
        """,
        {"user": session.user_id, "old": old_id, "new": new_id, "now": now},
    )
