"""What memd made of memories follows them: a reflection does not outlive the text that it repeats.

When a memory is forgotten, superseded or gets another text or channel, what was made of it (reflections, promotions,
consolidations) is archived, with `archivedBy: source` and in the same operation, so that undo brings both back. It leaves
the archive when all of its sources are as they were.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.types import HistoryAction
from memd.memories import store as memories
from memd.memories.history import following_store as store
from memd.memories.history.following_store import BY_SOURCE, Made
from memd.memories.history.recording import Cause, record_versions
from memd.memories.history.restoring import Target, write_states
from memd.stats import service as stats

__all__ = [
    "BY_SOURCE",
    "archive_all_outdated",
    "archive_made_of",
    "archive_outdated",
    "follow_sources",
    "lock_followers",
]

REASON: Final = "source changed"
PAGE: Final = 200


async def lock_followers(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Lock what was made of these memories, and of that, for a caller that moves totals before `follow_sources`.

    Whoever has moved totals must not wait for a memory: its holder may be waiting for the totals.
    """
    while memory_ids:
        memory_ids = await store.lock_all_made_of(session, memory_ids)


async def follow_sources(session: WriteSession, context: Context, memory_ids: Sequence[UUID], cause: Cause) -> None:
    """Archive what was made of these memories where a source went, and bring back what went for a source that is back.

    What may not come back, because an equal memory is active or the quota is full, stays in the archive.
    """
    await lock_followers(session, memory_ids)
    await archive_outdated(session, context, memory_ids, cause)
    because = _because(cause, HistoryAction.RESTORE)
    while back := [row.id for row in await _made_of(session, memory_ids) if row.archived and row.current]:
        refused = await write_states(session, context, [Target(one, archived=False) for one in back], because)
        memory_ids = [one for one in back if one not in refused]


async def archive_outdated(session: WriteSession, context: Context, memory_ids: Sequence[UUID], cause: Cause) -> None:
    """Archive what was made of these memories, and of that, where a source was forgotten, superseded or edited.

    Totals are moved last: whoever moves them waits for no memory any more.
    """
    because, archived = _because(cause, HistoryAction.ARCHIVE), 0
    while gone := [row.id for row in await _made_of(session, memory_ids) if row.outdated and not row.archived]:
        await _archive(session, context, gone, BY_SOURCE, because)
        archived += len(gone)
        memory_ids = gone
    if archived:
        await stats.move(session, context.now, active=-archived, archived=archived)


async def archive_made_of(session: WriteSession, context: Context, memory_ids: Sequence[UUID]) -> int:
    """Archive all that was made of memories that are about to be deleted; how many, for the caller to move in the totals.

    Nothing brings it back by itself, so what was archived because a source went is archived for good, too.
    """
    cause, archived = Cause(HistoryAction.ARCHIVE, REASON, undoable=False), 0
    while made := await _made_of(session, memory_ids):
        memory_ids = [row.id for row in made]
        await _archive(session, context, memory_ids, "user", cause)
        archived += sum(not row.archived for row in made)
    return archived


async def archive_all_outdated(context: Context) -> int:
    """Archive what repeats memories that have gone, as earlier releases left it, page by page; how many.

    What somebody has changed or restored since its source went is left alone.
    """
    done, after, cause = 0, UUID(int=0), Cause(HistoryAction.ARCHIVE, REASON)
    while True:
        async with context.database.write(context.user_id) as session:
            outdated = await store.lock_outdated(session, after, PAGE)
            if not outdated:
                return done
            await _archive(session, context, outdated, BY_SOURCE, cause)
            await archive_outdated(session, context, outdated, cause)
            await stats.move(session, context.now, active=-len(outdated), archived=len(outdated))
        done, after = done + len(outdated), outdated[-1]


def _because(cause: Cause, action: HistoryAction) -> Cause:
    """The cause of what follows from a change; what follows from an undo is undone with it."""
    return cause if cause.undoes is not None else replace(cause, action=action, reason=REASON)


async def _made_of(session: WriteSession, memory_ids: Sequence[UUID]) -> list[Made]:
    made = await store.lock_made_of(session, memory_ids) if memory_ids else []
    return await store.judge(session, made) if made else []


async def _archive(session: WriteSession, context: Context, memory_ids: Sequence[UUID], by: str, cause: Cause) -> None:
    await record_versions(session, context, memory_ids, cause)
    for memory_id in memory_ids:
        await memories.archive(session, memory_id, by, context.now)
