"""Junk: memories that extraction made and that its present rules would not make again (contract 17.9).

`find` reports them; the scheduled job `junk` archives those that were never used, if the setting `junk_per_run` says so.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

from memd.accounts import service as accounts
from memd.accounts.every_user import JobResult, for_found_users
from memd.context import Context, Services
from memd.domain.extraction.extracted_memory import MAX_IMPORTANCE
from memd.domain.extraction.junk import RULES, junk_reason
from memd.domain.types import HistoryAction
from memd.extraction.rereading import read_again
from memd.lifecycle import junk_store as store
from memd.lifecycle.junk_store import ExtractedRow
from memd.lifecycle.retention_store import archive_rows
from memd.memories.history.recording import Cause, record_versions
from memd.off_loop import in_thread
from memd.stats import service as stats

PAGE: Final = 50
"""Memories that are judged at once: about a second of computing where messages are short, some seconds where they are long."""


class Junk(NamedTuple):
    """A memory that is junk, and why."""

    id: UUID
    reason: str


class JunkPage(NamedTuple):
    """The junk among some memories; `last` is where the next page begins after, None at the end."""

    found: list[Junk]
    last: UUID | None


async def find(context: Context, after: UUID | None, limit: int) -> JunkPage:
    """The junk among the next `limit` memories of extraction; none where a chat model extracts, whose choice nothing repeats."""
    if context.services.llm is not None:
        return JunkPage([], None)
    async with context.database.owner(context.user_id) as session:
        rows = await store.extracted(session, after, limit, MAX_IMPORTANCE)
    return JunkPage(await _judge(context, rows), rows[-1].id if len(rows) == limit else None)


async def archive_all(services: Services) -> JobResult:
    """Archive junk that was never used, at most `junk_per_run` of each user; rows = memories archived."""
    if services.settings.junk_per_run == 0 or services.llm is not None:
        return JobResult()
    return await for_found_users(services, partial(store.users_to_judge, rules=RULES), archive_junk)


async def archive_junk(context: Context) -> int:
    """Judge what the job has not judged yet and archive junk, until `junk_per_run` memories are archived; returns how many."""
    remaining = context.services.settings.junk_per_run
    archived = 0
    async with context.database.owner(context.user_id) as session:
        after = await store.judged_until(session, RULES)
    while True:
        async with context.database.owner(context.user_id) as session:
            rows = await store.extracted(session, after, PAGE, MAX_IMPORTANCE)
        if not rows:
            return archived
        found = await _judge(context, [row for row in rows if row.unused])
        leaving = found[: remaining - archived]
        after = leaving[-1].id if len(leaving) < len(found) else rows[-1].id
        archived += await _archive(context, leaving, after)
        if archived >= remaining or len(rows) < PAGE:
            return archived


async def _judge(context: Context, rows: Sequence[ExtractedRow]) -> list[Junk]:
    """The junk among the rows; it is computed in a thread, since long messages take a tenth of a second each."""
    readings = await read_again(context, {one for row in rows for one in row.sources})

    def judged() -> Iterator[Junk]:
        for row in rows:
            reason = junk_reason(row.content, [readings[one] for one in row.sources if one in readings])
            if reason:
                yield Junk(row.id, reason)

    return await in_thread(lambda: list(judged()))


async def _archive(context: Context, leaving: Sequence[Junk], judged: UUID) -> int:
    """One transaction: archive what is still unchanged and unused, counters, audit, how far was judged."""
    async with context.database.write(context.user_id) as session:
        ids = await store.lock_unused(session, [one.id for one in leaving], MAX_IMPORTANCE)
        for reason in sorted({one.reason for one in leaving}):
            same = [one.id for one in leaving if one.reason == reason and one.id in ids]
            await record_versions(session, context, same, Cause(HistoryAction.ARCHIVE, f"junk: {reason}"))
        count = await archive_rows(session, dict.fromkeys(ids), context.now)
        if count:
            await stats.move(session, context.now, active=-count, archived=count)
            await accounts.audit(session, context, "junk", meta={"archived": count})
        await store.record_judged(session, judged, RULES)
    return count
