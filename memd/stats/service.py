"""Totals that follow every write, and the statistics made of them."""

from dataclasses import dataclass
from uuid import UUID

from memd.context import Context
from memd.db.languages_sql import rows_by_language
from memd.db.session import ReadSession, Statement, WriteSession
from memd.db.typed_rows import Query
from memd.embed import service as embedding
from memd.stats import store
from memd.stats.store import BaseCounts, MemoryGroup, StrongRow, Totals

RECENT_MS = 86_400_000
STRONGEST = 10


def moving(
    session: WriteSession, now: int, *, active: int = 0, archived: int = 0, messages: int = 0, captured: bool = False
) -> Statement:
    """What moves the counters, for the transaction that causes it; numbers are differences."""
    return store.moving(
        session, active=active, archived=archived, messages=messages, captured=now if captured else None, now=now
    )


async def move(
    session: WriteSession, now: int, *, active: int = 0, archived: int = 0, messages: int = 0, captured: bool = False
) -> None:
    """Move the counters inside the transaction that causes it."""
    moved = moving(session, now, active=active, archived=archived, messages=messages, captured=captured)
    await session.execute(*moved)


def totals(user_id: UUID, *, lock: bool = False) -> Query[Totals]:
    """One row.

    With `lock` they stay as they are until the write ends.
    """
    return store.totals(user_id, lock=lock)


async def active_memories(session: ReadSession, *, lock: bool = False) -> int:
    """Active memories without KB chunks; with `lock` they stay as they are until the write ends."""
    (row,) = await session.rows(totals(session.user_id, lock=lock))
    return row.active_memories


async def total_messages(session: ReadSession, *, lock: bool = False) -> int:
    """Stored messages; with `lock` they stay as they are until the write ends."""
    (row,) = await session.rows(totals(session.user_id, lock=lock))
    return row.total_messages


@dataclass(frozen=True, slots=True)
class Statistics:
    """Everything that the stats endpoint tells, as rows and numbers."""

    groups: list[MemoryGroup]
    totals: Totals
    recent: int
    strongest: list[StrongRow]
    knowledge_bases: BaseCounts
    embeddings_today: int
    languages: dict[str, int]


async def statistics(context: Context) -> Statistics:
    """Read all numbers of the caller in one transaction."""
    async with context.database.read(context.user_id) as session:
        (totals_row,) = await session.rows(totals(context.user_id))
        return Statistics(
            groups=await store.groups(session),
            totals=totals_row,
            recent=await store.captured_since(session, context.now - RECENT_MS),
            strongest=await store.strongest(session, STRONGEST),
            knowledge_bases=await store.knowledge_bases(session),
            languages=dict(await session.rows(rows_by_language(context.user_id))),
            embeddings_today=await embedding.used_today(session, context.now),
        )
