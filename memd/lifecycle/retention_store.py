"""The SQL of retention: memories that decay or are cleaned up, expired messages, and what depends on them."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, SystemSession, WriteSession
from memd.db.sql.work import LEAVING
from memd.memories import visibility


class StrengthRow(NamedTuple):
    """An active memory as decay reads it."""

    id: UUID
    strength: float
    last_accessed_at: int


class AgedMemory(NamedTuple):
    """A memory as clean-up reads it; times in epoch ms."""

    id: UUID
    store: str
    category: str
    strength: float
    created_at: int
    last_accessed_at: int
    archived: bool
    archived_by_job_at: int | None
    consolidated_at: int | None
    last_recalled_at: int | None
    observation_count: float | None


_MESSAGE_TABLES: Final = (("message_vector", "message_id"), ("message_index", "message_id"), ("message", "id"))


async def users_to_clear(session: SystemSession, *, now: int, before: int, since: int) -> list[UUID]:
    """Users with memories that may leave, metrics expired at `now`, recalls from before `before`, or changes `since`."""
    return await session.values(
        f"""
        SELECT user_id FROM memory WHERE {LEAVING}
        UNION SELECT user_id FROM metric_row WHERE expires_at <= %(now)s
        UNION SELECT user_id FROM recall_activity WHERE at < %(before)s
        UNION SELECT user_id FROM totals WHERE updated_at >= %(since)s ORDER BY user_id
        """,
        {"now": now, "before": before, "since": since},
    )


async def users_with_expired(session: SystemSession, *, now: int) -> list[UUID]:
    """Users with messages or snapshots that have expired at `now` (epoch ms)."""
    return await session.values(
        """
        SELECT user_id FROM message WHERE expires_at <= %(now)s
        UNION SELECT user_id FROM snapshot WHERE expires_at <= %(now)s ORDER BY user_id
        """,
        {"now": now},
    )


async def decay_rows(session: OwnerSession) -> list[StrengthRow]:
    """All active ordinary memories."""
    return await session.rows(
        StrengthRow,
        """
        SELECT id, strength, last_accessed_at FROM memory
        WHERE user_id = %(user)s AND NOT archived AND knowledge_base_id IS NULL
        """,
        {"user": session.user_id},
    )


async def archive_rows(session: WriteSession, strengths: Mapping[UUID, float | None], now: int) -> int:
    """Archive active ordinary memories in the name of a job; each gets the strength given, None keeps it. How many."""
    ids = await session.values(
        """
        UPDATE memory m SET archived = true, archived_at = %(now)s, archived_by = 'job', updated_at = %(now)s,
                            strength = coalesce(leaving.strength, m.strength)
        FROM unnest(%(ids)s::uuid[], %(strengths)s::float8[]) AS leaving(id, strength)
        WHERE m.user_id = %(user)s AND m.id = leaving.id AND NOT m.archived AND m.knowledge_base_id IS NULL
        RETURNING m.id
        """,
        {"user": session.user_id, "ids": list(strengths), "strengths": list(strengths.values()), "now": now},
    )
    await session.execute(
        "DELETE FROM trigger WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)",
        {"user": session.user_id, "ids": ids},
    )
    await visibility.sync(session, ids)
    return len(ids)


async def cleanup_rows(session: OwnerSession, after: UUID, now: int, limit: int) -> list[AgedMemory]:
    """Candidates for the clean-up by id, after `after`, with their last recall and observation count."""
    return await session.rows(
        AgedMemory,
        f"""
        SELECT m.id, m.store, m.category, m.strength, m.created_at, m.last_accessed_at, m.archived,
               CASE WHEN m.archived_by = 'job' THEN m.archived_at END AS archived_by_job_at, m.consolidated_at,
               (SELECT max(at) FROM recall_activity a WHERE a.user_id = %(user)s AND a.memory_id = m.id)
                 AS last_recalled_at,
               CASE WHEN json_typeof(m.metadata->'observationCount') = 'number'
                    THEN (m.metadata->>'observationCount')::float8 END AS observation_count
        FROM memory m
        WHERE m.user_id = %(user)s AND m.id > %(after)s AND m.knowledge_base_id IS NULL
          AND {LEAVING} AND (NOT m.archived OR m.archived_at < %(now)s)
        ORDER BY m.id LIMIT %(limit)s
        """,
        {"user": session.user_id, "after": after, "now": now, "limit": limit},
    )


async def lock_archived(session: WriteSession, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Lock those of the memories that a job has archived and that have not been restored since; returns their ids."""
    return await session.values(
        """
        SELECT id FROM memory
        WHERE user_id = %(user)s AND id = ANY(%(ids)s) AND archived AND archived_by = 'job' ORDER BY id FOR UPDATE
        """,
        {"user": session.user_id, "ids": list(memory_ids)},
    )


async def remove_expired_messages(session: WriteSession, now: int, limit: int) -> int:
    """Delete messages that have expired at `now` (epoch ms) with their narrow rows; returns how many."""
    ids = await session.values(
        """
        SELECT id FROM message WHERE user_id = %(user)s AND expires_at <= %(now)s
        ORDER BY expires_at, id LIMIT %(limit)s FOR UPDATE
        """,
        {"user": session.user_id, "now": now, "limit": limit},
    )
    for table, column in _MESSAGE_TABLES:
        await session.execute(
            f"DELETE FROM {table} WHERE user_id = %(user)s AND {column} = ANY(%(ids)s)",
            {"user": session.user_id, "ids": ids},
        )
    return len(ids)


async def remove_expired_metrics(session: WriteSession, now: int, limit: int) -> int:
    """Delete metric rows that have expired at `now` (epoch ms); returns how many."""
    return await session.execute(
        """
        DELETE FROM metric_row WHERE user_id = %(user)s AND id = ANY(ARRAY(
            SELECT id FROM metric_row WHERE user_id = %(user)s AND expires_at <= %(now)s LIMIT %(limit)s))
        """,
        {"user": session.user_id, "now": now, "limit": limit},
    )


async def remove_old_recalls(session: WriteSession, before: int, limit: int) -> int:
    """Delete recall activity from before `before` (epoch ms); returns how many rows."""
    return await session.execute(
        """
        WITH old AS MATERIALIZED (
            SELECT memory_id, request_id FROM recall_activity
            WHERE user_id = %(user)s AND at < %(before)s LIMIT %(limit)s)
        DELETE FROM recall_activity a USING old
        WHERE a.user_id = %(user)s AND a.memory_id = old.memory_id AND a.request_id = old.request_id
        """,
        {"user": session.user_id, "before": before, "limit": limit},
    )


async def remove_unproven_edges(session: WriteSession, limit: int) -> int:
    """Delete edges of the graph without remaining evidence; returns how many."""
    return await session.execute(
        """
        DELETE FROM graph_relation WHERE user_id = %(user)s AND id = ANY(ARRAY(
            SELECT r.id FROM graph_relation r WHERE r.user_id = %(user)s AND NOT EXISTS (
                SELECT FROM memory m WHERE m.user_id = %(user)s AND m.id = ANY(r.evidence_memory_ids))
            LIMIT %(limit)s))
        """,
        {"user": session.user_id, "limit": limit},
    )


async def remove_lonely_nodes(session: WriteSession, limit: int) -> int:
    """Delete nodes of the graph that no memory mentions and no edge touches; returns how many."""
    return await session.execute(
        """
        DELETE FROM graph_node WHERE user_id = %(user)s AND id = ANY(ARRAY(
            SELECT n.id FROM graph_node n WHERE n.user_id = %(user)s
              AND NOT EXISTS (SELECT FROM memory_node l WHERE l.user_id = %(user)s AND l.node_id = n.id)
              AND NOT EXISTS (SELECT FROM graph_relation r WHERE r.user_id = %(user)s AND r.from_node_id = n.id)
              AND NOT EXISTS (SELECT FROM graph_relation r WHERE r.user_id = %(user)s AND r.to_node_id = n.id)
            LIMIT %(limit)s))
        """,
        {"user": session.user_id, "limit": limit},
    )
