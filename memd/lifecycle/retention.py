"""The scheduled jobs `decay`, `cleanup` and `message_expiry`: what leaves, in pages of 200 (contract 13)."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias
from uuid import UUID

from memd.accounts import service as accounts
from memd.accounts.every_user import JobResult, for_found_users, with_memories
from memd.context import Context, Services
from memd.db.session import WriteSession
from memd.devices import service as devices
from memd.domain.dates.time_window import DAY_MS
from memd.domain.lifecycle.retention import (
    MIN_DECAYING,
    CleanupRow,
    DecayRow,
    Fate,
    decay,
    decay_excess,
    fate,
)
from memd.domain.types import Category, HistoryAction, Store
from memd.jobs import enqueue
from memd.lifecycle import retention_store as store
from memd.lifecycle.retention_store import AgedMemory
from memd.memories.history.recording import Cause, record_versions
from memd.memories.removal import remove
from memd.rankings import service as rankings
from memd.sessions.snapshots import service as snapshots
from memd.stats import service as stats

PAGE: Final = 200
RECALLS_KEPT_MS: Final = 90 * DAY_MS
CHANGED_MS: Final = 7 * DAY_MS
"""The graph of a user without changes for this long has been cleared already."""
FAILED_JOBS_KEPT_MS: Final = 30 * DAY_MS
Step: TypeAlias = Callable[[WriteSession], Awaitable[int]]


async def decay_all(services: Services) -> JobResult:
    """Archive the weakest memories of users whose quota is nearly full; rows = memories archived."""
    return await for_found_users(services, with_memories(MIN_DECAYING), decay_memories)


async def clean_up(services: Services) -> JobResult:
    """Archive and remove what has had its time; rows = everything archived or removed."""
    now = services.clock()
    find = partial(store.users_to_clear, now=now, before=now - RECALLS_KEPT_MS, since=now - CHANGED_MS)
    result = await for_found_users(services, find, clear_away)
    async with services.database.system() as session:
        result.rows += await devices.forget_expired(session, now)
        result.rows += await enqueue.delete_failed(session, now - FAILED_JOBS_KEPT_MS)
    return result


async def expire_messages(services: Services) -> JobResult:
    """Remove expired messages and snapshots; rows = those removed."""
    return await for_found_users(services, partial(store.users_with_expired, now=services.clock()), remove_expired)


async def decay_memories(context: Context) -> int:
    """Archive the lowest scores down to 85 % of the quota, once 90 % are reached; returns how many."""
    quota = context.principal.allowance.memories
    if quota is None:
        return 0
    async with context.database.owner(context.user_id) as session:
        if decay_excess(await stats.active_memories(session), quota) == 0:
            return 0
        rows = await store.decay_rows(session)
    leaving = decay((DecayRow(*row) for row in rows), quota, context.now)
    removed = 0
    for start in range(0, len(leaving), PAGE):
        removed += await _archive(context, {one.id: one.strength for one in leaving[start : start + PAGE]}, "decay")
    return removed


async def _archive(context: Context, strengths: Mapping[UUID, float | None], action: str) -> int:
    """One transaction: archive, counters, audit."""
    async with context.database.write(context.user_id) as session:
        await record_versions(session, context, list(strengths), Cause(HistoryAction.ARCHIVE, action))
        count = await store.archive_rows(session, strengths, context.now)
        await stats.move(session, context.now, active=-count, archived=count)
        await accounts.audit(session, context, action, meta={"archived": count})
    return count


async def clear_away(context: Context) -> int:
    """Clean up behind one user; returns how many rows were archived or removed."""
    removed = await _clear_memories(context)
    before = context.now - RECALLS_KEPT_MS
    removed += await _until_none(context, lambda session: store.remove_expired_metrics(session, context.now, PAGE))
    removed += await _until_none(context, lambda session: store.remove_old_recalls(session, before, PAGE))
    removed += await _until_none(context, lambda session: rankings.remove_expired(session, context.now, PAGE))
    removed += await _until_none(context, lambda session: store.remove_unproven_edges(session, PAGE))
    return removed + await _until_none(context, lambda session: store.remove_lonely_nodes(session, PAGE))


async def _clear_memories(context: Context) -> int:
    removed, after = 0, UUID(int=0)
    while True:
        async with context.database.owner(context.user_id) as session:
            rows = await store.cleanup_rows(session, after, context.now, PAGE)
        fates = {row.id: fate(_cleanup_row(row), context.now) for row in rows}
        archived = [one for one, what in fates.items() if what is Fate.ARCHIVE]
        if archived:
            removed += await _archive(context, dict.fromkeys(archived), "cleanup")
        removed += await _remove(context, [one for one, what in fates.items() if what is Fate.REMOVE])
        if len(rows) < PAGE:
            return removed
        after = rows[-1].id


def _cleanup_row(row: AgedMemory) -> CleanupRow:
    fields: dict[str, Any] = row._asdict() | {"store": Store(row.store), "category": Category(row.category)}
    return CleanupRow(**fields)


async def _remove(context: Context, memory_ids: Sequence[UUID]) -> int:
    if not memory_ids:
        return 0
    async with context.database.write(context.user_id) as session:
        count = await remove(session, await store.lock_archived(session, memory_ids))
        await stats.move(session, context.now, archived=-count)
        await accounts.audit(session, context, "cleanup", meta={"removed": count})
    return count


async def remove_expired(context: Context) -> int:
    """Remove the expired messages and snapshots of a user; returns how many."""

    async def page(session: WriteSession) -> int:
        count = await store.remove_expired_messages(session, context.now, PAGE)
        await stats.move(session, context.now, messages=-count)
        return count

    messages = await _until_none(context, page)
    return messages + await _until_none(context, lambda session: snapshots.remove_expired(session, context.now, PAGE))


async def _until_none(context: Context, step: Step) -> int:
    """Repeat a step, a transaction each, until it finds less than a page; returns how many rows in all."""
    total = 0
    while True:
        async with context.database.write(context.user_id) as session:
            count = await step(session)
        total += count
        if count < PAGE:
            return total
