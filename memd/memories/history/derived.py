"""Derived memories (reflections, promotions, consolidations) when their sources change.

When a memory is forgotten, superseded or gets another text or channel, what was derived from it is archived, with
`archivedBy: source` and in the same operation, so that undo brings both back. It leaves the archive when all of its
sources are as they were.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.types import HistoryAction
from memd.memories import store as memories
from memd.memories.history import derived_store as store
from memd.memories.history.derived_store import BY_SOURCE, DerivedMemory
from memd.memories.history.recording import Cause, record_versions
from memd.memories.history.restoring import Target, write_states
from memd.stats import service as stats

__all__ = [
    "BY_SOURCE",
    "archive_all_derived",
    "archive_outdated_backlog",
    "archive_outdated_derived",
    "lock_derived",
    "sync_derived",
]

REASON: Final = "source changed"
PAGE: Final = 200


async def lock_derived(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Lock what was derived from these memories, and from that, for a caller that moves totals before `sync_derived`.

    Whoever has moved totals must not wait for a memory: its holder may be waiting for the totals.
    """
    while memory_ids:
        memory_ids = await store.lock_all_derived(session, memory_ids)


async def sync_derived(session: WriteSession, context: Context, memory_ids: Sequence[UUID], cause: Cause) -> None:
    """Archive what was derived from these memories where a source is gone, and restore it where all sources are back.

    What may not come back, because it has a duplicate or the quota is full, stays in the archive.
    """
    await lock_derived(session, memory_ids)
    await archive_outdated_derived(session, context, memory_ids, cause)
    consequence = _consequence(cause, HistoryAction.RESTORE)
    while back := [row.id for row in await _derived_from(session, memory_ids) if row.archived and row.current]:
        refused = await write_states(session, context, [Target(one, archived=False) for one in back], consequence, {})
        memory_ids = [one for one in back if one not in refused]


async def archive_outdated_derived(
    session: WriteSession, context: Context, memory_ids: Sequence[UUID], cause: Cause
) -> None:
    """Archive the memories derived, directly or not, from these if a source was forgotten, superseded or edited.

    Totals are updated last, so that a transaction that holds their lock waits for no memory.
    """
    consequence, archived = _consequence(cause, HistoryAction.ARCHIVE), 0
    while outdated := [row.id for row in await _derived_from(session, memory_ids) if row.outdated and not row.archived]:
        await _archive(session, context, outdated, BY_SOURCE, consequence)
        archived += len(outdated)
        memory_ids = outdated
    if archived:
        await stats.move(session, context.now, active=-archived, archived=archived)


async def archive_all_derived(session: WriteSession, context: Context, memory_ids: Sequence[UUID]) -> int:
    """Archive all that was derived from memories that are about to be deleted; returns how many, for the caller's totals.

    Its sources cannot come back, so what was archived with `archivedBy: source` becomes `archivedBy: user`.
    """
    cause, archived = Cause(HistoryAction.ARCHIVE, REASON, undoable=False), 0
    while rows := await _derived_from(session, memory_ids):
        memory_ids = [row.id for row in rows]
        await _archive(session, context, memory_ids, "user", cause)
        archived += sum(not row.archived for row in rows)
    return archived


async def archive_outdated_backlog(context: Context) -> int:
    """Archive outdated derived memories that earlier releases left active, page by page; returns how many.

    What somebody has changed or restored since its source changed is left alone.
    """
    done, after, cause = 0, UUID(int=0), Cause(HistoryAction.ARCHIVE, REASON)
    while True:
        async with context.database.write(context.user_id) as session:
            outdated = await store.lock_outdated(session, after, PAGE)
            if not outdated:
                return done
            await _archive(session, context, outdated, BY_SOURCE, cause)
            await archive_outdated_derived(session, context, outdated, cause)
            await stats.move(session, context.now, active=-len(outdated), archived=len(outdated))
        done, after = done + len(outdated), outdated[-1]


def _consequence(cause: Cause, action: HistoryAction) -> Cause:
    """The cause of what follows from a change; what follows from an undo is undone with it."""
    return cause if cause.undoes is not None else replace(cause, action=action, reason=REASON)


async def _derived_from(session: WriteSession, memory_ids: Sequence[UUID]) -> list[DerivedMemory]:
    ids = await store.lock_derived(session, memory_ids) if memory_ids else []
    return await store.read_sources_state(session, ids) if ids else []


async def _archive(session: WriteSession, context: Context, memory_ids: Sequence[UUID], by: str, cause: Cause) -> None:
    await record_versions(session, context, memory_ids, cause)
    await memories.archive(session, memory_ids, by, context.now)
