"""The SQL of totals and statistics."""

from typing import NamedTuple
from uuid import UUID

from memd.db.session import ReadSession, Statement, WriteSession
from memd.db.typed_rows import Query


class Totals(NamedTuple):
    """The counters of a user; memories without the chunks of knowledge bases."""

    active_memories: int
    archived_memories: int
    total_messages: int


class MemoryGroup(NamedTuple):
    """Active ordinary memories of one store and category: how many, the sum of their strength, how many are enriched."""

    store: str
    category: str
    memories: int
    strength: float
    enriched: int


class StrongRow(NamedTuple):
    """One of the strongest memories."""

    id: UUID
    title: str
    store: str
    category: str
    strength: float


class DayCount(NamedTuple):
    """How many rows a day has; days are counted from a start."""

    day: int
    number: int


class BaseCounts(NamedTuple):
    """Active and archived knowledge bases, and the chunks of the active ones."""

    active: int
    archived: int
    chunks: int


_MOVE = """
INSERT INTO totals (user_id, active_memories, archived_memories, total_messages, last_capture, updated_at)
VALUES (%(user)s, greatest(0, %(active)s), greatest(0, %(archived)s), greatest(0, %(messages)s), %(captured)s, %(now)s)
ON CONFLICT (user_id) DO UPDATE
SET active_memories = greatest(0, totals.active_memories + %(active)s),
    archived_memories = greatest(0, totals.archived_memories + %(archived)s),
    total_messages = greatest(0, totals.total_messages + %(messages)s),
    last_capture = coalesce(%(captured)s, totals.last_capture),
    updated_at = %(now)s
"""


def moving(
    session: WriteSession, now: int, *, active: int = 0, archived: int = 0, messages: int = 0, captured: bool = False
) -> Statement:
    """The statement that moves the counters, for the transaction that causes it; numbers are differences."""
    return (
        _MOVE,
        {
            "user": session.user_id,
            "active": active,
            "archived": archived,
            "messages": messages,
            "captured": now if captured else None,
            "now": now,
        },
    )


def totals(user_id: UUID, *, lock: bool = False) -> Query[Totals]:
    """One row, zeros before the first write; with `lock` they stay as they are until the write ends."""
    return Query(
        Totals,
        f"""
        SELECT coalesce(t.active_memories, 0) AS active_memories, coalesce(t.archived_memories, 0) AS archived_memories,
               coalesce(t.total_messages, 0) AS total_messages
        FROM (SELECT 1) one
        LEFT JOIN (SELECT * FROM totals WHERE user_id = %(user)s {"FOR UPDATE" if lock else ""}) t ON true
        """,
        {"user": user_id},
    )


async def account_use(session: ReadSession, resource: str, *, lock: bool = False) -> int:
    """The amount of a resource that the user's account and all its end users store; `lock` makes its other writers wait."""
    return await session.value("SELECT memd_account_use(%(resource)s, %(lock)s)", {"resource": resource, "lock": lock})


async def snapshots(session: ReadSession) -> int:
    """How many snapshots of sessions the user has."""
    return await session.value("SELECT count(*)::int FROM snapshot WHERE user_id = %(user)s", {"user": session.user_id})


async def groups(session: ReadSession) -> list[MemoryGroup]:
    """Active ordinary memories by store and category."""
    return await session.rows(
        MemoryGroup,
        """
        SELECT store, category, count(*)::int AS memories, sum(strength)::float8 AS strength,
               count(*) FILTER (WHERE graph_enriched)::int AS enriched
        FROM memory WHERE user_id = %(user)s AND NOT archived AND knowledge_base_id IS NULL
        GROUP BY store, category
        """,
        {"user": session.user_id},
    )


async def captured_since(session: ReadSession, since: int) -> int:
    """Active ordinary memories created after `since` (epoch ms)."""
    return await session.value(
        "SELECT count(*)::int FROM memory WHERE user_id = %(user)s AND NOT archived AND knowledge_base_id IS NULL "
        "AND created_at >= %(since)s",
        {"user": session.user_id, "since": since},
    )


async def captures_by_day(session: ReadSession, start: int) -> list[DayCount]:
    """Memories without chunks by the day they were created on, archived ones too; `start` in epoch ms."""
    return await session.rows(
        DayCount,
        """
        SELECT ((created_at - %(start)s) / 86400000)::int AS day, count(*)::int AS number
        FROM memory WHERE user_id = %(user)s AND knowledge_base_id IS NULL AND created_at >= %(start)s
        GROUP BY 1
        """,
        {"user": session.user_id, "start": start},
    )


async def messages_by_day(session: ReadSession, start: int) -> list[DayCount]:
    """Messages by the day they are dated to; `start` in epoch ms."""
    return await session.rows(
        DayCount,
        """
        SELECT (("timestamp" - %(start)s) / 86400000)::int AS day, count(*)::int AS number
        FROM message WHERE user_id = %(user)s AND "timestamp" >= %(start)s
        GROUP BY 1
        """,
        {"user": session.user_id, "start": start},
    )


async def strongest(session: ReadSession, limit: int) -> list[StrongRow]:
    """The strongest active ordinary memories."""
    return await session.rows(
        StrongRow,
        """
        SELECT id, title, store, category, strength FROM memory
        WHERE user_id = %(user)s AND NOT archived AND knowledge_base_id IS NULL AND NOT blocked
        ORDER BY strength DESC, last_accessed_at DESC, id LIMIT %(limit)s
        """,
        {"user": session.user_id, "limit": limit},
    )


async def knowledge_bases(session: ReadSession) -> BaseCounts:
    """How many knowledge bases are active and archived, and the chunks of the active ones."""
    (counts,) = await session.rows(
        BaseCounts,
        """
        SELECT count(*) FILTER (WHERE NOT archived)::int AS active, count(*) FILTER (WHERE archived)::int AS archived,
               coalesce(sum(memory_count) FILTER (WHERE NOT archived), 0)::int AS chunks
        FROM knowledge_base WHERE user_id = %(user)s
        """,
        {"user": session.user_id},
    )
    return counts
