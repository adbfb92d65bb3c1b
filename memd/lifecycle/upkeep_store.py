"""The SQL of upkeep: rows that lack something, rows checked by older rules, and totals counted again."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, SystemSession, WriteSession


class TextRow(NamedTuple):
    """A row without recallText."""

    id: UUID
    content: str


class CheckedRow(NamedTuple):
    """A memory or chunk as the content policy reads it; `metadata` any JSON."""

    id: UUID
    title: str
    content: str
    tags: list[str]
    action_triggers: list[str]
    metadata: Any
    policy_flags: list[str]


async def users_with_pending(session: SystemSession, model: int) -> list[UUID]:
    """Users with messages or memories that wait for their vector of the model."""
    return await session.values(
        """
        SELECT user_id FROM message WHERE embedding_pending AND refused_by IS DISTINCT FROM %(model)s
        UNION SELECT user_id FROM memory
        WHERE embedding_pending AND NOT archived AND refused_by IS DISTINCT FROM %(model)s ORDER BY user_id
        """,
        {"model": model},
    )


async def users_with_unenriched(session: SystemSession) -> list[UUID]:
    """Users with memories or chunks that the graph has not read."""
    return await session.values(
        """
        SELECT user_id FROM memory WHERE NOT graph_enriched AND NOT archived AND knowledge_base_id IS NULL
        UNION SELECT user_id FROM memory
        WHERE NOT graph_enriched AND NOT archived AND knowledge_base_id IS NOT NULL AND chunk_kind <> 'config'
        ORDER BY user_id
        """
    )


async def users_without_recall_text(session: SystemSession) -> list[UUID]:
    """Users with rows that have no recallText."""
    return await session.values("SELECT DISTINCT user_id FROM memory WHERE recall_text IS NULL ORDER BY user_id")


async def users_checked_by_other_rules(session: SystemSession, version: str) -> list[UUID]:
    """Users with rows that another version of the policy has judged; reads every row."""
    return await session.values(
        "SELECT DISTINCT user_id FROM memory WHERE policy_version <> %(version)s ORDER BY user_id", {"version": version}
    )


async def without_recall_text(session: WriteSession, limit: int) -> list[TextRow]:
    """Rows without recallText, locked."""
    return await session.rows(
        TextRow,
        """
        SELECT id, content FROM memory WHERE user_id = %(user)s AND recall_text IS NULL
        ORDER BY id LIMIT %(limit)s FOR UPDATE
        """,
        {"user": session.user_id, "limit": limit},
    )


async def set_recall_texts(session: WriteSession, texts: dict[UUID, str]) -> None:
    """Write recallTexts."""
    await session.execute(
        """
        UPDATE memory m SET recall_text = made.text
        FROM unnest(%(ids)s::uuid[], %(texts)s::text[]) AS made(id, text)
        WHERE m.user_id = %(user)s AND m.id = made.id
        """,
        {"user": session.user_id, "ids": list(texts), "texts": list(texts.values())},
    )


async def recount(session: WriteSession, now: int) -> bool:
    """Recount the totals of the user under a lock; returns whether they were wrong."""
    params = {"user": session.user_id, "now": now}
    await session.execute(
        "INSERT INTO totals (user_id, updated_at) VALUES (%(user)s, %(now)s) ON CONFLICT DO NOTHING", params
    )
    await session.execute("SELECT FROM totals WHERE user_id = %(user)s FOR UPDATE", params)
    return bool(
        await session.execute(
            """
            UPDATE totals t SET active_memories = m.active, archived_memories = m.archived, total_messages = g.messages,
                                updated_at = %(now)s
            FROM (SELECT count(*) FILTER (WHERE NOT archived)::int AS active,
                         count(*) FILTER (WHERE archived)::int AS archived
                  FROM memory WHERE user_id = %(user)s AND knowledge_base_id IS NULL) m,
                 (SELECT count(*)::int AS messages FROM message WHERE user_id = %(user)s) g
            WHERE t.user_id = %(user)s
              AND (t.active_memories, t.archived_memories, t.total_messages) <> (m.active, m.archived, g.messages)
            """,
            params,
        )
    )


async def checked_by_other_rules(session: OwnerSession, version: str, after: UUID, limit: int) -> list[CheckedRow]:
    """Rows, chunks and archived ones too, that another version of the policy has judged, by id, behind `after`."""
    return await session.rows(
        CheckedRow,
        """
        SELECT id, title, content, tags, action_triggers, metadata, policy_flags FROM memory
        WHERE user_id = %(user)s AND id > %(after)s AND policy_version <> %(version)s ORDER BY id LIMIT %(limit)s
        """,
        {"user": session.user_id, "after": after, "version": version, "limit": limit},
    )


async def judge(session: WriteSession, row: CheckedRow, version: str, flags: Sequence[str], *, blocked: bool) -> bool:
    """Write the verdict on a row, unless its text has changed since; returns whether `blocked` has changed."""
    return bool(
        await session.value(
            """
            WITH before AS (
              SELECT id, blocked FROM memory
              WHERE user_id = %(user)s AND id = %(id)s AND title = %(title)s AND content = %(content)s FOR UPDATE)
            UPDATE memory m SET blocked = %(blocked)s, policy_version = %(version)s, policy_flags = %(flags)s
            FROM before WHERE m.user_id = %(user)s AND m.id = before.id
            RETURNING before.blocked <> %(blocked)s
            """,
            {
                "user": session.user_id,
                "id": row.id,
                "title": row.title,
                "content": row.content,
                "blocked": blocked,
                "version": version,
                "flags": list(flags),
            },
        )
    )
