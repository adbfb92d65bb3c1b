"""What being recalled leaves on a memory: a count, a moment, and one row of activity (contract 6.2, rule 8)."""

from collections.abc import Sequence
from uuid import UUID

from memd.context import Context
from memd.memories import store


def note_recall(context: Context, memory_ids: Sequence[UUID], source: str) -> None:
    """Count the access of returned memories once the reply is on its way; `source` names what returned them."""
    if memory_ids:
        context.services.afterwards.run(_note(context, memory_ids, source), "note_recall")


async def _note(context: Context, memory_ids: Sequence[UUID], source: str) -> None:
    async with context.database.write(context.user_id) as session:
        await store.count_access(session, memory_ids, context.now)
        await store.add_recall_activity(session, memory_ids, context.request_id, context.now, source)
