"""Taking memories out of the graph permanently, with the nodes, edges and spellings that only they account for."""

from collections.abc import Sequence
from uuid import UUID

from memd.db.session import WriteSession
from memd.graph import enrichment_store, removal_store


async def lock(session: WriteSession) -> None:
    """Serialize writers of the user's graph until the transaction ends; taken before memories are locked."""
    enrichment_store.lock_graph(session)
    await session.flush()


async def remove(session: WriteSession, memory_ids: Sequence[UUID]) -> dict[str, int]:
    """Remove what only these memories say; rows removed or changed by table. The caller holds `lock`."""
    return await removal_store.detach_all(session, memory_ids)
