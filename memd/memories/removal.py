"""Deleting memories and chunks for good, for other rooms."""

from collections.abc import Sequence
from uuid import UUID

from memd.db.session import WriteSession
from memd.memories import store


async def remove(session: WriteSession, memory_ids: Sequence[UUID]) -> int:
    """Delete rows with all that depends on them; how many there were. Counters are the caller's."""
    return await store.remove(session, memory_ids) if memory_ids else 0
