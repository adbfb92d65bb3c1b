"""The SQL behind trace, triggers and the export."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from memd.db.page_bytes import bounded
from memd.db.session import OwnerSession, ReadSession
from memd.db.sql.metadata import metadata_condition, namespace_condition
from memd.db.sql.moment import period_condition, tables_at
from memd.db.sql.scope import memory_condition
from memd.domain.dates.time_window import Window
from memd.domain.periods.validity import Moment
from memd.domain.search.metadata_filter import Condition, Namespace
from memd.domain.visibility.scoping import ChunkScope, VisibleScopes


class SourceMessage(NamedTuple):
    """A message of the conversation behind a memory."""

    id: UUID
    role: str
    content: str
    timestamp: int
    channel: str | None
    session_key: str | None


class StoredSnapshot(NamedTuple):
    """The messages of a session as they were at one moment."""

    id: UUID
    messages: list[dict[str, Any]]
    message_count: int
    reason: str
    created_at: int
    channel: str | None


class SourceMemory(NamedTuple):
    """A memory that another one was made from."""

    id: UUID
    title: str
    content: str
    store: str
    category: str
    source: str
    created_at: int
    archived: bool
    channel: str | None


class TriggeredRow(NamedTuple):
    """A memory that is tied to a tool."""

    id: UUID
    title: str
    content: str
    recall_text: str | None
    store: str
    category: str
    tags: list[str]
    action_triggers: list[str]
    created_at: int


class ExportedRow(NamedTuple):
    """A memory or chunk with everything that an export holds."""

    id: UUID
    title: str
    content: str
    recall_text: str | None
    chunk_kind: str
    store: str
    category: str
    tags: list[str]
    channel: str | None
    source: str
    strength: float
    confidence: float
    valence: float
    arousal: float
    archived: bool
    metadata: Any
    action_triggers: list[str]
    agent_id: str | None
    project_id: str | None
    session_key: str | None
    namespace: str | None
    key: str | None
    knowledge_base_id: UUID | None
    dedupe_key: str | None
    source_url: str | None
    source_type: str | None
    chunk_index: int | None
    total_chunks: int | None
    created_at: int
    last_accessed_at: int
    valid_from: int | None
    valid_until: int | None


_MESSAGE = ", ".join(SourceMessage._fields)
_EXPORT = ", ".join(ExportedRow._fields)


async def messages(session: OwnerSession, ids: Sequence[UUID]) -> list[SourceMessage]:
    """The messages that a memory was made from, oldest first; their channel rule is the caller's."""
    return await session.rows(
        SourceMessage,
        f"SELECT {_MESSAGE} FROM message WHERE user_id = %(user)s AND id = ANY(%(ids)s) ORDER BY timestamp, id",
        {"user": session.user_id, "ids": list(ids)},
    )


async def neighbours(session: OwnerSession, edge: SourceMessage, limit: int, *, before: bool) -> list[SourceMessage]:
    """Messages next to `edge` with its sessionKey and its channel, oldest first."""
    sign, order = ("<", "DESC") if before else (">", "ASC")
    rows = await session.rows(
        SourceMessage,
        f"""
        SELECT {_MESSAGE} FROM message
        WHERE user_id = %(user)s AND session_key = %(session)s AND channel IS NOT DISTINCT FROM %(channel)s
          AND (timestamp, id) {sign} (%(timestamp)s, %(id)s)
        ORDER BY timestamp {order}, id {order} LIMIT %(limit)s
        """,
        {
            "user": session.user_id,
            "session": edge.session_key,
            "channel": edge.channel,
            "timestamp": edge.timestamp,
            "id": edge.id,
            "limit": limit,
        },
    )
    return rows[::-1] if before else rows


async def snapshot(session: OwnerSession, snapshot_id: UUID) -> StoredSnapshot | None:
    """The snapshot that a memory names."""
    return await session.row(
        StoredSnapshot,
        "SELECT id, messages, message_count, reason, created_at, channel FROM snapshot WHERE user_id = %(user)s AND id = %(id)s",
        {"user": session.user_id, "id": snapshot_id},
    )


async def source_memories(session: OwnerSession, ids: Sequence[UUID]) -> list[SourceMemory]:
    """The memories that a memory was made from, oldest first, archived ones too; their channel rule is the caller's."""
    return await session.rows(
        SourceMemory,
        """
        SELECT id, title, content, store, category, source, created_at, archived, channel FROM memory
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
) -> list[TriggeredRow]:
    """Active, visible, not superseded memories tied to the tools, the last accessed first, at most `limit` a tool."""
    params: dict[str, Any] = {"user": session.user_id, "tools": list(tools), "limit": limit}
    visible = memory_condition(scopes.memory, chunks, "m", params)
    return await session.rows(
        TriggeredRow,
        f"""
        SELECT DISTINCT ON (m.last_accessed_at, m.id) m.id, m.title, m.content, m.recall_text, m.store, m.category,
               m.tags, m.action_triggers, m.created_at
        FROM unnest(%(tools)s::text[]) AS wanted(tool)
        CROSS JOIN LATERAL (
          SELECT m.* FROM trigger t JOIN memory m ON m.user_id = %(user)s AND m.id = t.memory_id
          WHERE t.user_id = %(user)s AND t.tool_name = wanted.tool
            AND NOT m.archived AND NOT m.blocked AND m.superseded_by_memory_id IS NULL AND {visible}
          ORDER BY m.last_accessed_at DESC, m.id LIMIT %(limit)s
        ) m
        ORDER BY m.last_accessed_at DESC, m.id LIMIT %(limit)s
        """,
        params,
    )


@dataclass(frozen=True, slots=True)
class ExportFilter:
    """Which memories are exported: those true at the moment and created in the window; None for any value."""

    store: str | None
    category: str | None
    with_chunks: bool
    window: Window
    namespace: Namespace | None
    where: Sequence[Condition]
    moment: Moment


async def export_page(
    session: OwnerSession, chosen: ExportFilter, after: tuple[int, UUID] | None, limit: int
) -> list[ExportedRow]:
    """Active rows of all channels that the filter lets through, newest first, after a position.

    One statement, so that a page is of one state of the database.
    """
    created_at, memory_id = after or (2**62, UUID(int=2**128 - 1))
    params: dict[str, Any] = {"user": session.user_id, "created_at": created_at, "id": memory_id, "limit": limit}
    params |= {"store": chosen.store, "category": chosen.category, "bases": chosen.with_chunks}
    params |= {"from": chosen.window.from_ms, "to": chosen.window.to_ms}
    named = namespace_condition(chosen.namespace, "memory", params)
    condition = metadata_condition(chosen.where, "memory", params)
    period = period_condition(chosen.moment, "memory", params)
    return await session.rows(
        ExportedRow,
        bounded(
            _EXPORT,
            f"""SELECT {_EXPORT} FROM {tables_at(chosen.moment, params).memory} memory
        WHERE user_id = %(user)s AND NOT archived AND {period} AND (created_at, id) < (%(created_at)s, %(id)s)
          AND (%(store)s::text IS NULL OR store = %(store)s)
          AND (%(category)s::text IS NULL OR category = %(category)s)
          AND (%(bases)s OR knowledge_base_id IS NULL)
          AND {named} AND {condition}
          AND created_at BETWEEN coalesce(%(from)s, 0) AND coalesce(%(to)s, {2**62})
        ORDER BY created_at DESC, id DESC LIMIT %(limit)s""",
            "created_at DESC, id DESC",
        ),
        params,
    )
