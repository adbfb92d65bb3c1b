"""The SQL behind trace, triggers and the export."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from memd.db.scope_sql import memory_condition
from memd.db.session import OwnerSession, ReadSession, Row
from memd.domain.scoping import ChunkScope, VisibleScopes

_MESSAGE = "id, role, content, timestamp, channel, session_key"
_EXPORT = """
id, title, content, recall_text, chunk_kind, store, category, tags, channel, source, strength, confidence, valence,
arousal, archived, metadata, action_triggers, agent_id, project_id, session_key, knowledge_base_id, dedupe_key,
source_url, source_type, chunk_index, total_chunks, created_at, last_accessed_at
"""


async def messages(session: OwnerSession, ids: Sequence[UUID]) -> list[Row]:
    """The messages that a memory was made from, oldest first; its channel rule was tested before."""
    return await session.rows(
        f"SELECT {_MESSAGE} FROM message WHERE user_id = %(user)s AND id = ANY(%(ids)s) ORDER BY timestamp, id",
        {"user": session.user_id, "ids": list(ids)},
    )


async def neighbours(session: OwnerSession, edge: Row, limit: int, *, before: bool) -> list[Row]:
    """Messages next to `edge` with its sessionKey and its channel, oldest first."""
    sign, order = ("<", "DESC") if before else (">", "ASC")
    rows = await session.rows(
        f"""
        SELECT {_MESSAGE} FROM message
        WHERE user_id = %(user)s AND session_key = %(session)s AND channel IS NOT DISTINCT FROM %(channel)s
          AND (timestamp, id) {sign} (%(timestamp)s, %(id)s)
        ORDER BY timestamp {order}, id {order} LIMIT %(limit)s
        """,
        {
            "user": session.user_id,
            "session": edge["session_key"],
            "channel": edge["channel"],
            "timestamp": edge["timestamp"],
            "id": edge["id"],
            "limit": limit,
        },
    )
    return rows[::-1] if before else rows


async def snapshot(session: OwnerSession, snapshot_id: UUID) -> Row | None:
    """The snapshot that a memory names."""
    return await session.row(
        "SELECT id, messages, message_count, reason, created_at FROM snapshot WHERE user_id = %(user)s AND id = %(id)s",
        {"user": session.user_id, "id": snapshot_id},
    )


async def source_memories(session: OwnerSession, ids: Sequence[UUID]) -> list[Row]:
    """The memories that a memory was made from, oldest first, archived ones too; they share its channel (11.6)."""
    return await session.rows(
        """
        SELECT id, title, content, store, category, source, created_at, archived FROM memory
        WHERE user_id = %(user)s AND id = ANY(%(ids)s) AND NOT blocked ORDER BY created_at, id
        """,
        {"user": session.user_id, "ids": list(ids)},
    )


async def triggered(
    session: ReadSession,
    scopes: VisibleScopes,
    tools: Sequence[str],
    chunks: Sequence[tuple[UUID, ChunkScope]],
    limit: int,
) -> list[Row]:
    """Active, visible, not superseded memories tied to the tools, the last accessed first, at most `limit` a tool."""
    params: dict[str, Any] = {"user": session.user_id, "tools": list(tools), "limit": limit}
    visible = memory_condition(scopes.memory, chunks, "m", params)
    return await session.rows(
        f"""
        SELECT DISTINCT ON (m.last_accessed_at, m.id) m.id, m.title, m.content, m.recall_text, m.store, m.category,
               m.tags, m.action_triggers, m.created_at
        FROM unnest(%(tools)s::text[]) AS wanted(tool)
        CROSS JOIN LATERAL (
          SELECT m.* FROM trigger t JOIN memory m ON m.user_id = t.user_id AND m.id = t.memory_id
          WHERE t.user_id = %(user)s AND t.tool_name = wanted.tool
            AND NOT m.archived AND NOT m.blocked AND m.superseded_by_memory_id IS NULL AND {visible}
          ORDER BY m.last_accessed_at DESC, m.id LIMIT %(limit)s
        ) m
        ORDER BY m.last_accessed_at DESC, m.id LIMIT %(limit)s
        """,
        params,
    )


async def export_page(
    session: OwnerSession, filters: dict[str, Any], after: tuple[int, UUID] | None, limit: int
) -> list[Row]:
    """Active rows of all channels, newest first, after a position; one statement, so that a page is of one moment."""
    created_at, memory_id = after or (2**62, UUID(int=2**128 - 1))
    return await session.rows(
        f"""
        SELECT {_EXPORT} FROM memory
        WHERE user_id = %(user)s AND NOT archived AND (created_at, id) < (%(created_at)s, %(id)s)
          AND (%(store)s::text IS NULL OR store = %(store)s)
          AND (%(category)s::text IS NULL OR category = %(category)s)
          AND (%(bases)s OR knowledge_base_id IS NULL)
          AND created_at BETWEEN coalesce(%(from)s, 0) AND coalesce(%(to)s, {2**62})
        ORDER BY created_at DESC, id DESC LIMIT %(limit)s
        """,
        {**filters, "user": session.user_id, "created_at": created_at, "id": memory_id, "limit": limit},
    )
