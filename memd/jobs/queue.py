"""What follows a write: the jobs that rooms defer inside their transactions."""

from collections.abc import Sequence
from uuid import UUID

from memd.context import Context
from memd.db.session import Deferral, WriteSession


def defer_embedding(session: WriteSession, context: Context) -> None:
    """Embed what the user has stored without a vector; one such job waits at a time."""
    session.defer(Deferral("embed", {}, once=f"embed:{context.user_id}"))


def defer_memory_jobs(session: WriteSession, context: Context, memory_ids: Sequence[UUID]) -> None:
    """Enrich new or changed memories with entities and relations."""
    del context
    session.defer(Deferral("graph_enrich", {"memoryIds": [str(memory_id) for memory_id in memory_ids]}))
