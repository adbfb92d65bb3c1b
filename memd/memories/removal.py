"""Archiving memories and chunks, and deleting them permanently, for other rooms."""

from collections.abc import Sequence
from uuid import UUID

from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.types import HistoryAction
from memd.memories import store
from memd.memories.history.recording import Cause, record_versions


async def archive(session: WriteSession, context: Context, memory_ids: Sequence[UUID], reason: str) -> None:
    """Archive active rows as if the user had forgotten them. Counters, and what was derived from them, are the caller's."""
    await record_versions(session, context, memory_ids, Cause(HistoryAction.ARCHIVE, reason))
    await store.archive(session, memory_ids, "user", context.now)


async def remove(session: WriteSession, memory_ids: Sequence[UUID]) -> int:
    """Delete rows with all that depends on them; returns how many there were. Counters are the caller's."""
    return await store.remove(session, memory_ids) if memory_ids else 0
