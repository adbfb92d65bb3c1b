"""Recording accesses of recalled memories: a count, a time, and one row of activity (contract 6.2, rule 8)."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from uuid import UUID

from memd.context import Context
from memd.db.session import Database
from memd.memories import access_store as store
from memd.memories.access_store import RecallTrace


def note_recall(context: Context, memory_ids: Sequence[UUID], source: str) -> None:
    """Count the access of returned memories after the reply; `source` names what returned them."""
    if memory_ids:
        trace = RecallTrace(memory_ids, context.request_id, context.now, source)
        write = partial(_write, context.database, context.user_id)
        context.services.background_tasks.gather("note_recall", context.user_id, trace, write)


async def _write(database: Database, user_id: UUID, replies: Sequence[RecallTrace]) -> None:
    counts = Counter(memory_id for reply in replies for memory_id in reply.memory_ids)
    last = {memory_id: reply.at for reply in sorted(replies, key=_moment) for memory_id in reply.memory_ids}
    async with database.write(user_id) as session:
        await store.count_access(session, counts, last)
        await store.add_recall_activity(session, replies)


def _moment(reply: RecallTrace) -> int:
    return reply.at
