"""Finding conflicts: the facts of memories that were just read, compared with those of older ones.

The job that reads memories into the graph calls it, so that no write waits for it.
"""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from memd.context import Context
from memd.db.session import OwnerSession, WriteSession
from memd.domain.facts.activities import activities
from memd.domain.facts.facts import BACKDATED, CERTAIN, Fact, certainty, find_facts
from memd.domain.facts.full_names import with_full_names
from memd.domain.facts.relationships import with_relations
from memd.domain.facts.rivals import DatedMemory, rival
from memd.domain.ids import new_id
from memd.memories.conflicts import fact_store, store
from memd.memories.conflicts.fact_store import SameAttribute
from memd.memories.conflicts.resolution import resolve_by_superseding
from memd.memories.conflicts.store import NewConflict
from memd.off_loop import in_thread
from memd.settings import SupersedeMode

MAX_RIVALS: Final = 2_000
SCANNED: Final = 200
"""How many facts about the same attribute are read for a fact, newest first."""
WINDOW: Final = 50
"""How many of those that may contradict it a fact is compared with, newest first."""
MIN_COMPARED: Final = 5
MAX_PAIRS: Final = 20_000
"""Pairs of facts that one call compares; with many facts each is compared with fewer."""


async def read_facts(texts: Mapping[UUID, str]) -> dict[UUID, list[Fact]]:
    """The facts that these texts (memory → content) state; read in a thread, outside any transaction."""
    return await in_thread(lambda: {memory_id: _facts(text) for memory_id, text in texts.items()})


def _facts(text: str) -> list[Fact]:
    return with_full_names(with_relations(find_facts(text))) + [Fact(*one) for one in activities(text)]


async def record_facts(
    session: WriteSession, context: Context, facts: Mapping[UUID, Sequence[Fact]]
) -> list[NewConflict]:
    """Replace the facts of these memories, and note what they contradict unless `supersede.mode` is off; returns the new ones.

    A known conflict is not returned: a decision about it, or an undone one, remains. Open ones that
    the new facts no longer support are withdrawn.

    Part of the transaction that reads the memories into the graph: its lock keeps both memories of a conflict from
    being deleted meanwhile.
    """
    rows = [(memory_id, index, fact) for memory_id, stated in facts.items() for index, fact in enumerate(stated)]
    fact_store.put_facts(session, rows, list(facts))
    store.withdraw(session, list(facts))
    if not rows or context.services.settings.supersede_mode is SupersedeMode.OFF:
        return []
    found = await find_conflicts(session, list({memory_id for memory_id, _, _ in rows}), len(rows))
    if not found:
        return []
    added = await store.put_conflicts(session, found, context.now)
    return [one for one in found if one.id in added]


async def find_conflicts(session: OwnerSession, memory_ids: Sequence[UUID], facts: int) -> list[NewConflict]:
    """The conflicts of the stored facts of these memories, at most 2,000 rivals, the oldest new memory first.

    Of two memories the most certain conflict comes first. `facts` is how many facts these memories have.
    """
    window = min(WINDOW, max(MIN_COMPARED, MAX_PAIRS // max(1, facts)))
    pairs = await fact_store.same_attribute(session, memory_ids, scanned=SCANNED, window=window)
    if not pairs:
        return []
    ids = {memory_id for pair in pairs for memory_id in (pair.page_id, pair.other_id)}
    dated = await fact_store.dated_memories(session, list(ids))
    return await in_thread(_compare, pairs, {memory.id: memory for memory in dated})


def _compare(pairs: Sequence[SameAttribute], dated: Mapping[UUID, DatedMemory]) -> list[NewConflict]:
    rivals = {
        found
        for pair in pairs
        if pair.page_id in dated and pair.other_id in dated
        if (found := rival((dated[pair.page_id], pair.page_fact), (dated[pair.other_id], pair.other_fact))) is not None
    }
    compared = sorted(rivals, key=lambda one: one.order)[:MAX_RIVALS]
    noted = [
        NewConflict(new_id(), one, min(certain, BACKDATED) if one.backdated else certain)
        for one in compared
        if (certain := certainty(one.old, one.new)) is not None
    ]
    return sorted(noted, key=_weight)


def _weight(one: NewConflict) -> tuple[object, ...]:
    """The order of conflicts; of two memories' values of one attribute, the first pair is stored."""
    return (*one.rival.order, -one.certainty, one.rival.old.value, one.rival.new.value)


async def supersede_certain(context: Context, found: Sequence[NewConflict]) -> None:
    """With `supersede.mode` auto, supersede the older memory of each certain conflict, one transaction for each."""
    if context.services.settings.supersede_mode is not SupersedeMode.AUTO:
        return
    for one in found:
        if one.certainty >= CERTAIN:
            async with context.database.write(context.user_id) as session:
                await resolve_by_superseding(session, context, one.rival.old_id, one.rival.new_id, decided=False)
