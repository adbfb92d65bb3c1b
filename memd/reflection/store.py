"""The SQL of reflection: what may be reflected on, and what earlier reflections have read and written."""

from collections.abc import Collection
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.advisory_locks import Seed
from memd.db.session import OwnerSession, WriteSession
from memd.db.sql.term import statement_query
from memd.domain.lifecycle.reflection import ReflectionGroup, ReflectionInput, statement_key
from memd.domain.text_analysis.language import Language
from memd.domain.types import Category, MemorySource, Store

MAX_ROWS: Final = 1000
CANDIDATES: Final = 200
"""Memories with all words of a statement that are compared with it."""


class _Text(NamedTuple):
    title: str
    content: str


class EarlierReflection(NamedTuple):
    """A memory that a reflection has written, and when (epoch ms); `metadata` is JSON."""

    title: str
    metadata: Any
    created_at: int


class _Input(NamedTuple):
    id: UUID
    title: str
    content: str
    store: str
    category: str
    source: str
    created_at: int
    channel: str | None
    project_id: str | None
    edited_at: int


async def inputs(session: OwnerSession, since: int, session_key: str | None) -> list[ReflectionInput]:
    """The newest thousand memories of sensory and episodic kind made at `since` (epoch ms) or later, of one session."""
    rows = await session.rows(
        _Input,
        """
        SELECT m.id, m.title, m.content, m.store, m.category, m.source, m.created_at, m.channel, m.project_id, coalesce((
          SELECT max(v.recorded_until) FROM memory_version v WHERE v.user_id = %(user)s AND v.memory_id = m.id
            AND (v.fields->>'title', v.fields->>'content') IS DISTINCT FROM (m.title, m.content)), 0) AS edited_at
        FROM memory m
        WHERE m.user_id = %(user)s AND NOT m.archived AND NOT m.blocked AND m.knowledge_base_id IS NULL
          AND m.store IN ('sensory', 'episodic') AND m.source <> 'inference' AND m.created_at >= %(since)s
          AND (%(session)s::text IS NULL OR m.session_key = %(session)s)
        ORDER BY m.created_at DESC, m.id DESC LIMIT %(limit)s
        """,
        {"user": session.user_id, "since": since, "session": session_key, "limit": MAX_ROWS},
    )
    return [_input(row) for row in rows]


def _input(row: _Input) -> ReflectionInput:
    fields: dict[str, Any] = row._asdict() | {
        "store": Store(row.store),
        "category": Category(row.category),
        "source": MemorySource(row.source),
    }
    return ReflectionInput(**fields)


async def earlier(session: OwnerSession, group: ReflectionGroup) -> list[EarlierReflection]:
    """The memories that reflections of the group have written since its oldest row, oldest first; forgotten ones too.

    Without those that were archived because a source is gone: the remaining sources are reflected on again.
    """
    return await session.rows(
        EarlierReflection,
        """
        SELECT title, metadata, created_at FROM memory
        WHERE user_id = %(user)s AND created_at >= %(since)s AND knowledge_base_id IS NULL
          AND channel IS NOT DISTINCT FROM %(channel)s AND project_id IS NOT DISTINCT FROM %(project)s
          AND source = 'inference' AND 'reflection' = ANY(tags) AND archived_by IS DISTINCT FROM 'source'
        ORDER BY created_at
        """,
        {
            "user": session.user_id,
            "channel": group.channel,
            "project": group.project_id,
            "since": group.since,
        },
    )


async def stated(session: OwnerSession, group: ReflectionGroup, texts: Collection[str], default: Language) -> set[str]:
    """The statement keys (`domain.reflection`) of active memories of the group that have all words of one of the texts.

    Decisions, lessons and goals count: a lesson is drawn from an event that somebody noted.
    """
    queries = [query for text in texts if (query := statement_query(session.user_id, text, default))]
    if not queries:
        return set()
    rows = await session.rows(
        _Text,
        f"""
        SELECT m.title, m.content FROM memory_index i JOIN memory m ON m.user_id = %(user)s AND m.id = i.memory_id
        WHERE i.user_id = %(user)s AND i.live AND i.tsv @@ %(texts)s::tsquery
          AND NOT m.archived AND NOT m.blocked AND m.knowledge_base_id IS NULL
          AND m.channel IS NOT DISTINCT FROM %(channel)s AND m.project_id IS NOT DISTINCT FROM %(project)s
          AND m.category IN ('decision', 'lesson', 'goal')
        ORDER BY m.created_at DESC LIMIT {CANDIDATES}
        """,
        {
            "user": session.user_id,
            "channel": group.channel,
            "project": group.project_id,
            "texts": " | ".join(f"({query})" for query in queries),
        },
    )
    return {statement_key(text) for row in rows for text in row}


async def lock_group(session: WriteSession, group: ReflectionGroup) -> None:
    """Serialize reflections on one group until the transaction ends."""
    key = f"{session.user_id}:{group.channel}:{group.project_id}"
    await session.execute(f"SELECT pg_advisory_xact_lock(hashtextextended(%(key)s, {Seed.REFLECTION}))", {"key": key})


class _Locked(NamedTuple):
    id: UUID
    title: str
    content: str


async def lock_inputs(session: WriteSession, group: ReflectionGroup) -> bool:
    """Whether all memories of the group are active in it with the texts that were read; if so, they stay so until the end.

    A memory that is forgotten while a model words the summary would come back in it otherwise.
    """
    locked = await session.rows(
        _Locked,
        """
        SELECT id, title, content FROM memory
        WHERE user_id = %(user)s AND id = ANY(%(ids)s) AND NOT archived AND channel IS NOT DISTINCT FROM %(channel)s
        ORDER BY id FOR SHARE
        """,
        {"user": session.user_id, "ids": [row.id for row in group.rows], "channel": group.channel},
    )
    return set(locked) == {_Locked(row.id, row.title, row.content) for row in group.rows}
