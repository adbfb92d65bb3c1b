"""The SQL of junk: memories that extraction made, and how far the job has judged them."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, SystemSession, WriteSession

_EXTRACTED: Final = """
(m.source_message_ids <> '{}' OR m.source_memory_ids <> '{}') AND m.source = 'conversation' AND m.version = 1
AND NOT m.archived AND m.knowledge_base_id IS NULL
"""
"""Active memories that extraction made, and that nobody has changed or restored since; by the index ix_memory_derived."""
_UNUSED: Final = "m.access_count = 0 AND m.strength <= %(strongest)s AND m.action_triggers = '{}'"
_JUDGED_UNTIL: Final = "CASE WHEN t.junk_rules = %(rules)s THEN t.junk_judged_until END"
_START: Final = UUID(int=0)
MAX_SOURCES: Final = 12
"""Messages of a memory that are read: what is said every day has hundreds, each of which says the same."""


class ExtractedRow(NamedTuple):
    """A memory that extraction made, the first of its messages, and whether it was never used."""

    id: UUID
    content: str
    sources: list[UUID]
    unused: bool


async def extracted(session: OwnerSession, after: UUID | None, limit: int, strongest: float) -> list[ExtractedRow]:
    """Memories of extraction by id, after `after`; one that is stronger than `strongest` counts as used."""
    return await session.rows(
        ExtractedRow,
        f"""
        SELECT m.id, m.content, m.source_message_ids[1:{MAX_SOURCES}] AS sources, {_UNUSED} AS unused FROM memory m
        WHERE m.user_id = %(user)s AND m.id > %(after)s AND {_EXTRACTED}
        ORDER BY m.id LIMIT %(limit)s
        """,
        {"user": session.user_id, "after": after or _START, "limit": limit, "strongest": strongest},
    )


async def lock_unused(session: WriteSession, memory_ids: Sequence[UUID], strongest: float) -> list[UUID]:
    """Lock those of the memories that are still unchanged and unused until the transaction ends."""
    return await session.values(
        f"""
        SELECT m.id FROM memory m
        WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s) AND {_EXTRACTED} AND {_UNUSED} ORDER BY m.id FOR UPDATE
        """,
        {"user": session.user_id, "ids": list(memory_ids), "strongest": strongest},
    )


async def users_to_judge(session: SystemSession, rules: str) -> list[UUID]:
    """Users with memories of extraction that the job has not judged by these rules."""
    return await session.values(
        f"""
        SELECT t.user_id FROM totals t CROSS JOIN LATERAL (
          SELECT FROM memory m
          WHERE m.user_id = t.user_id AND m.id > coalesce({_JUDGED_UNTIL}, %(start)s) AND {_EXTRACTED} LIMIT 1) found
        ORDER BY t.user_id
        """,
        {"rules": rules, "start": _START},
    )


async def judged_until(session: OwnerSession, rules: str) -> UUID | None:
    """The last memory that the job has judged by these rules."""
    return await session.value(
        f"SELECT {_JUDGED_UNTIL} FROM totals t WHERE t.user_id = %(user)s", {"user": session.user_id, "rules": rules}
    )


async def record_judged(session: WriteSession, memory_id: UUID, rules: str) -> None:
    """Note the last memory that the job has judged."""
    await session.execute(
        "UPDATE totals SET junk_judged_until = %(id)s, junk_rules = %(rules)s WHERE user_id = %(user)s",
        {"user": session.user_id, "id": memory_id, "rules": rules},
    )
