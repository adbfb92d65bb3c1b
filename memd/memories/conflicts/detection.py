"""Finding contradictions: the facts of memories that were just read, compared with those of older ones.

The job that reads memories into the graph calls it, so that no write waits for it.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memd.context import Context
from memd.domain.facts import CERTAIN, certainty, find_facts
from memd.domain.ids import new_id
from memd.memories.conflicts import store
from memd.memories.conflicts.settling import supersede_existing
from memd.memories.conflicts.store import NewConflict
from memd.settings import SupersedeMode

MOST_RIVALS: Final = 2_000


async def note_facts(context: Context, memories: Sequence[tuple[UUID, str]]) -> None:
    """Keep the facts that these texts (memory, content) state, and note what they contradict.

    With `supersede.mode` auto, what is certain supersedes the older memory; off notes no contradiction.
    """
    facts = [(memory_id, place, fact) for memory_id, text in memories for place, fact in enumerate(find_facts(text))]
    ids = [memory_id for memory_id, _ in memories]
    async with context.database.write(context.user_id) as session:
        await store.put_facts(session, facts, ids)
    mode = context.services.settings.supersede_mode
    if not facts or mode is SupersedeMode.OFF:
        return
    async with context.database.owner(context.user_id) as session:
        rivals = await store.rivals(session, [memory_id for memory_id, _, _ in facts], MOST_RIVALS)
    weighed = [(rival, certainty(rival.old, rival.new)) for rival in rivals]
    found = [NewConflict(new_id(), rival, certain) for rival, certain in weighed if certain is not None]
    if not found:
        return
    async with context.database.write(context.user_id) as session:
        await store.put_conflicts(session, found, context.now)
    if mode is SupersedeMode.AUTO:
        for one in found:
            if one.certainty >= CERTAIN:
                await supersede_existing(context, one.rival.old_id, one.rival.new_id, one.rival.attribute)
