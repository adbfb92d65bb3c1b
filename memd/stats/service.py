"""Totals that follow every write, and the statistics made of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from memd.context import Context
from memd.db.session import ReadSession, WriteSession
from memd.db.sql.languages import rows_by_language
from memd.domain.dates.time_window import DAY_MS
from memd.embed import service as embedding
from memd.stats import store
from memd.stats.store import BaseCounts, DayCount, MemoryGroup, StrongRow, Totals, moving, totals

__all__ = ["moving", "totals"]  # of the store, for transactions and reads of other rooms

RECENT_MS = DAY_MS
STRONGEST = 10


async def move(
    session: WriteSession, now: int, *, active: int = 0, archived: int = 0, messages: int = 0, captured: bool = False
) -> None:
    """Move the counters inside the transaction that causes it, as `moving`."""
    await session.execute(*moving(session, now, active=active, archived=archived, messages=messages, captured=captured))


async def active_memories(session: ReadSession, *, lock: bool = False) -> int:
    """Active memories without KB chunks; with `lock` they stay as they are until the write ends."""
    (row,) = await session.rows(totals(session.user_id, lock=lock))
    return row.active_memories


async def stored_messages(session: ReadSession, *, lock: bool = False) -> int:
    """Stored messages and snapshots; with `lock` they stay as they are until the write ends."""
    (row,) = await session.rows(totals(session.user_id, lock=lock))
    return row.total_messages + await store.snapshots(session)


@dataclass(frozen=True, slots=True)
class Statistics:
    """Everything that the stats endpoint returns, as rows and numbers."""

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


class Activity(NamedTuple):
    """Numbers of each day (UTC), oldest first, from `first_day` (ISO date) to the current one."""

    first_day: str
    captures: list[int]
    messages: list[int]


async def activity(context: Context, days: int) -> Activity:
    """The number of captures and messages of the caller on each of the last `days` days."""
    start = (context.now // DAY_MS - days + 1) * DAY_MS
    async with context.database.read(context.user_id) as session:
        captures = await store.captures_by_day(session, start)
        messages = await store.messages_by_day(session, start)
    first_day = datetime.fromtimestamp(start / 1000, UTC).date().isoformat()
    return Activity(first_day, _by_day(captures, days), _by_day(messages, days))


def _by_day(rows: Iterable[DayCount], days: int) -> list[int]:
    counts = [0] * days
    for row in rows:
        if row.day < days:  # a client may date a message into the future
            counts[row.day] = row.number
    return counts
