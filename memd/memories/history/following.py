"""What memd made of memories follows them: a reflection does not outlive the text that it repeats.

When a memory is forgotten, superseded or gets another text, the reflections, promotions and consolidations made of it are
archived, with `archivedBy: source` and in the same operation, so that undo brings both back. They leave the archive when
all of their sources are as they were.
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

__all__ = ["BY_SOURCE", "archive_all_outdated", "archive_made_of", "archive_outdated", "follow_sources"]

REASON: Final = "source changed"
PAGE: Final = 200


async def follow_sources(session: WriteSession, context: Context, memory_ids: Sequence[UUID], cause: Cause) -> None:
    """Archive what was made of these memories where a source went, and bring back what went for a source that is back.

    What may not come back, because an equal memory is active or the quota is full, stays in the archive.
    """
    await archive_outdated(session, context, memory_ids, cause)
    because = _because(cause, HistoryAction.RESTORE)
    while back := [row.id for row in await _made_of(session, memory_ids) if row.archived and row.current]:
        refused = await write_states(session, context, [Target(one, archived=False) for one in back], because)
        memory_ids = [one for one in back if one not in refused]


async def archive_outdated(session: WriteSession, context: Context, memory_ids: Sequence[UUID], cause: Cause) -> None:
    """Archive what was made of these memories, and of that, where a source was forgotten, superseded or edited."""
    because = _because(cause, HistoryAction.ARCHIVE)
    while gone := [row.id for row in await _made_of(session, memory_ids) if row.outdated and not row.archived]:
        await _archive(session, context, gone, BY_SOURCE, because)
        memory_ids = gone


async def archive_made_of(session: WriteSession, context: Context, memory_ids: Sequence[UUID]) -> None:
    """Archive all that was made of memories that are about to be deleted; nothing brings it back by itself."""
    cause = Cause(HistoryAction.ARCHIVE, REASON, undoable=False)
    while gone := [row.id for row in await _made_of(session, memory_ids) if not row.archived]:
        await _archive(session, context, gone, "user", cause)
        memory_ids = gone


async def archive_all_outdated(context: Context) -> int:
    """Archive what repeats memories that have gone, page by page, as a release left it that did not; how many."""
    done = 0
    while True:
        async with context.database.write(context.user_id) as session:
            sources = await store.gone_sources(session, PAGE)
            await archive_outdated(session, context, sources, Cause(HistoryAction.ARCHIVE, REASON))
        done += len(sources)
        if len(sources) < PAGE:
            return done


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
    await stats.move(session, context.now, active=-len(memory_ids), archived=len(memory_ids))
