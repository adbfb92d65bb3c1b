"""The SQL of the memories that say what an extracted row says, or said before it was corrected."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, WriteSession
from memd.db.sql.derived import last_said
from memd.db.sql.term import statement_query
from memd.domain.distilling.wording import undated
from memd.domain.text.duplicates import content_hash
from memd.domain.text_analysis.language import Language
from memd.memories.new import SOURCES_MAX, NewMemory

CANDIDATES: Final = 20
"""Memories with all words of a statement that are compared with it."""
_SAME_PLACE: Final = """
m.channel IS NOT DISTINCT FROM %(channel)s AND m.project_id IS NOT DISTINCT FROM %(project)s
AND NOT m.archived AND m.knowledge_base_id IS NULL
"""
_CONTESTED: Final = f"""
EXISTS (SELECT FROM memory_conflict c JOIN memory n ON n.user_id = %(user)s AND n.id = c.new_id
        WHERE c.user_id = %(user)s AND c.old_id = m.id AND c.state = 'open' AND NOT n.archived
          AND coalesce(n.valid_from, (SELECT at FROM ({last_said("n")}) said), n.created_at) <= asked.said)
"""
"""Whether `m` is the older side of an open conflict whose newer side began, or was said, before the row was said."""
_ASKED: Final = """
unnest(%(ids)s::uuid[], %(hashes)s::text[], %(said)s::int8[], %(words)s::text[]::tsquery[]) AS asked(id, hash, said, words)
"""


class _Candidate(NamedTuple):
    row_id: UUID
    id: UUID
    content: str
    equal: bool


async def known_as(session: OwnerSession, rows: Sequence[NewMemory], default: Language) -> dict[UUID, UUID]:
    """By row, the oldest active memory of its content, channel and project, else of its statement said on another day.

    Memories that are contested by something newer are left out: saying one again after that is a new statement.
    """
    if not rows:
        return {}
    statements = {row.id: undated(row.content) for row in rows}
    candidates = await session.rows(
        _Candidate,
        f"""
        SELECT asked.id AS row_id, found.* FROM {_ASKED} CROSS JOIN LATERAL (
          (SELECT m.id, m.content, true AS equal FROM memory m
           WHERE m.user_id = %(user)s AND m.content_hash = asked.hash AND {_SAME_PLACE} AND NOT {_CONTESTED}
           ORDER BY m.created_at, m.id LIMIT 1)
          UNION ALL
          (SELECT m.id, m.content, false FROM memory_index i JOIN memory m ON m.user_id = %(user)s AND m.id = i.memory_id
           WHERE i.user_id = %(user)s AND i.live AND i.tsv @@ asked.words AND m.source = 'conversation'
             AND {_SAME_PLACE} AND NOT {_CONTESTED}
           ORDER BY m.created_at, m.id LIMIT {CANDIDATES})
        ) found
        """,
        {
            **_asked(session, rows),
            "words": [statement_query(session.user_id, statement, default) for statement in statements.values()],
        },
    )
    known: dict[UUID, UUID] = {}
    for one in sorted(candidates, key=lambda one: not one.equal):
        if one.equal or undated(one.content) == statements[one.row_id]:
            known.setdefault(one.row_id, one.id)
    return known


class _Contested(NamedTuple):
    id: UUID
    row_id: UUID


async def contested(session: WriteSession, rows: Sequence[NewMemory]) -> list[_Contested]:
    """The active memories of the content, channel and project of a row that are contested by something newer, each with it."""
    if not rows:
        return []
    return await session.rows(
        _Contested,
        f"""
        SELECT m.id, asked.id AS row_id FROM {_ASKED}
        JOIN memory m ON m.user_id = %(user)s AND m.content_hash = asked.hash AND {_SAME_PLACE} AND {_CONTESTED}
        ORDER BY m.id
        """,
        {**_asked(session, rows), "words": [None] * len(rows)},
    )


def _asked(session: OwnerSession, rows: Sequence[NewMemory]) -> dict[str, Any]:
    """The parameters of `_ASKED` but for `words`; all rows of a window are of one channel and project."""
    return {
        "user": session.user_id,
        "channel": rows[0].channel,
        "project": rows[0].project_id,
        "ids": [row.id for row in rows],
        "hashes": [row.content_hash for row in rows],
        "said": [row.created_at for row in rows],
    }


async def made_before(session: WriteSession, row: NewMemory, contents: Sequence[str]) -> list[UUID]:
    """The active memories with one of the contents that were derived from the messages of a row."""
    return await session.values(
        f"""
        SELECT id FROM memory m WHERE user_id = %(user)s AND content_hash = ANY(%(hashes)s) AND {_SAME_PLACE}
          AND source = 'conversation' AND source_message_ids && %(messages)s
        """,
        {
            "user": session.user_id,
            "channel": row.channel,
            "project": row.project_id,
            "hashes": [content_hash(content) for content in contents],
            "messages": list(row.source_message_ids),
        },
    )


async def add_sources(session: WriteSession, memory_id: UUID, row: NewMemory) -> None:
    """Name the messages that the row was made from among the sources of a memory that says the same, up to the limit."""
    await session.execute(
        """
        UPDATE memory SET source_message_ids = (source_message_ids || ARRAY(
            SELECT one FROM unnest(%(sources)s::uuid[]) AS one WHERE one <> ALL(source_message_ids)))[:%(most)s]
        WHERE user_id = %(user)s AND id = %(id)s AND cardinality(source_message_ids) < %(most)s
        """,
        {"user": session.user_id, "id": memory_id, "sources": row.source_message_ids, "most": SOURCES_MAX},
    )
