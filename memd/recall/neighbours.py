"""Evidence of the ordinary memories, first by themselves, then with the neighbours of the best (contract 11.2)."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memd.context import Context
from memd.db.engine import GENERIC_PLAN
from memd.domain.evidence import (
    CONTEXT_ROWS,
    Arms,
    Evidence,
    EvidenceQuery,
    gate,
    name_test,
    weigh,
)
from memd.domain.word_pairs import word_pairs
from memd.embed.service import Vector
from memd.recall import neighbour_store
from memd.recall.candidates import Pool, memory_match_of
from memd.recall.lane_store import MemorySearch
from memd.recall.neighbour_store import Neighbour
from memd.recall.plan import RecallPlan

FEWEST_FINDS: Final = 10
"""With fewer finds the gate stays closed: its two means are of so few cosines that chance opens it for unrelated rows."""


async def weigh_in_context(
    context: Context,
    plan: RecallPlan,
    search: MemorySearch,
    vector: Vector | None,
    pool: Pool,
    rarities: Sequence[float],
) -> list[Evidence]:
    """The evidence of each row of the pool; the neighbours of the best are added to it where the gate is open.

    `rarities` is the idf of each word of the search. As of a past moment every row stands for itself.
    """
    query = EvidenceQuery(rarities, word_pairs(search.terms), search.terms.character_pairs)
    named = name_test(plan.text)
    arms = [Arms(row.cosine, row.found.words, row.found.pairs, named(row.found.title)) for row in pool.rows]
    alone = weigh(arms, query)
    if len(arms) < FEWEST_FINDS or plan.moment.travels:
        return alone
    finds = [pool.rows[place].found for place in _best(pool, alone)]
    async with context.database.read(context.user_id, GENERIC_PLAN) as session:
        statement = neighbour_store.neighbours(session.user_id, search, vector, finds, pool.places)
        beside = await session.rows(Neighbour, *statement)
    if not beside:
        return alone
    new = [row.memory for row in beside if row.memory is not None]
    pool.add(new, [row.cosine for row in new], [memory_match_of(row, plan.terms) for row in new])
    arms += [Arms(row.cosine, row.words, row.pairs, named(row.title)) for row in new]
    return weigh(arms, query, _adjacent(beside, pool), gate(beside[0].onward, beside[0].apart))


def _best(pool: Pool, evidence: Sequence[Evidence]) -> list[int]:
    """The places of the best rows by evidence; ties go to the newer one, then to the smaller id."""

    def order(place: int) -> tuple[float, int, UUID]:
        found = pool.rows[place].found
        return -evidence[place].total, -found.created_at, found.id

    return sorted(range(len(pool.rows)), key=order)[:CONTEXT_ROWS]


def _adjacent(beside: Sequence[Neighbour], pool: Pool) -> dict[int, list[int]]:
    """For each row with known neighbours the places of those."""
    adjacent: dict[int, list[int]] = {}
    for row in beside:
        place = pool.places[row.memory_id]
        for find in (row.follows, row.precedes):
            if find is not None:
                other = pool.places[find]
                adjacent.setdefault(place, []).append(other)
                adjacent.setdefault(other, []).append(place)
    return adjacent
