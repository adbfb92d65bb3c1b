"""The counters of a knowledge base, moved in the transaction that changes its chunks."""

from uuid import UUID

from memd.db.session import WriteSession
from memd.knowledge_bases import store


async def move(session: WriteSession, knowledge_base_id: UUID, *, chunks: int, characters: int, now: int) -> None:
    """Add to memoryCount and totalChars; numbers are differences."""
    await store.move_counters(session, knowledge_base_id, chunks, characters, now)
