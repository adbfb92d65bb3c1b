"""The ordinary memories of a recall: three lanes, fused (contract 11.1, steps 2–5)."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from uuid import UUID

from memd.context import Context
from memd.db.engine import ONE_PLAN, OWN_PLAN
from memd.domain.lanes import RECENT_DEPTH, text_depth, vector_depth
from memd.domain.ranking import Candidate
from memd.domain.recall_modes import NO_FILTER
from memd.domain.search_terms import MOST_TOGETHER, choose_terms, needs_shares
from memd.domain.text_match import QueryTerms
from memd.embed.service import Vector
from memd.embed.vector_index_store import searching
from memd.recall import store
from memd.recall.candidates import cosines_of, memory_candidate, memory_match_of
from memd.recall.ground import Ground
from memd.recall.plan import RecallPlan
from memd.recall.store import FoundMemory, VectorLane, WordLanes

ENOUGH_HITS: Final = 500
"""Rows that the text lane may be expected to rank; it passes on a tenth of them at most."""


@dataclass(frozen=True, slots=True)
class MemoriesFound:
    """The candidates, their stored rows, and how many each lane found."""

    candidates: Sequence[Candidate] = ()
    rows: Mapping[UUID, FoundMemory] = field(default_factory=dict[UUID, FoundMemory])
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


async def find_by_words(context: Context, plan: RecallPlan, ground: Ground) -> Sequence[FoundMemory]:
    """What the text and recent lanes find, which need no vector; among many memories the words are chosen first."""
    if plan.named or plan.scopes.memory.nothing:
        return []
    terms, model = ground.query.terms, context.services.model
    async with context.database.read(context.user_id, ONE_PLAN) as session:
        if needs_shares(terms, ground.memories, many_rows=4 * ENOUGH_HITS):
            shares = await context.services.word_shares.of(session, "memories", *store.sample(context.user_id))
            bounds = {"most_rows": ENOUGH_HITS, "most_together": MOST_TOGETHER}
            terms = choose_terms(terms, shares, ground.memories, **bounds)
        depths = text_depth(plan.limit), RECENT_DEPTH
        lanes = WordLanes(ground.scope, plan.wanted, terms, ground.memories, model, *depths, ground.charted)
        return await session.records(FoundMemory._make, *store.by_words(session.user_id, lanes))


async def find_memories(
    context: Context,
    plan: RecallPlan,
    ground: Ground,
    finding: Awaitable[Sequence[FoundMemory]],
    vector: Vector | None,
) -> MemoriesFound:
    """What the three lanes find together; every filter acts inside each lane, before its limit.

    `finding` is the work of the text and recent lanes. Naming knowledge bases leaves ordinary memories out.
    """
    if plan.named or plan.scopes.memory.nothing:
        return MemoriesFound()
    near, (worded, matches) = await asyncio.gather(
        _find_near(context, plan, ground, vector), _match(finding, plan.terms)
    )
    cosines = cosines_of(worded, vector)
    rows = {found.id: found for found in worded}
    further = [found for found in near if found.id not in rows]
    by_vector = {found.id for found in near}
    project_id = plan.wanted.project_id
    made = [
        memory_candidate(found, text_match, cosine, by_vector=found.id in by_vector, project_id=project_id)
        for found, text_match, cosine in zip(worded, matches, cosines, strict=True)
    ]
    made += [
        memory_candidate(found, memory_match_of(found, plan.terms), found.cosine, by_vector=True, project_id=project_id)
        for found in further
    ]
    rows.update((found.id, found) for found in further)
    counts = Counter(lane for row in made for lane in row.lanes)
    return MemoriesFound([row for row in made if row.lanes], rows, counts)


async def _match(
    finding: Awaitable[Sequence[FoundMemory]], terms: QueryTerms
) -> tuple[Sequence[FoundMemory], list[float]]:
    """What is found, and the keyword score of each; worked out while the search by vector waits for the database."""
    rows = await asyncio.shield(finding)  # who began it ends it, once: a second time costs the connection
    return rows, [memory_match_of(found, terms) for found in rows]


async def _find_near(
    context: Context, plan: RecallPlan, ground: Ground, vector: Vector | None
) -> Sequence[FoundMemory]:
    """What the vector lane finds; nothing without a vector.

    Where an index leaves the lane short, all vectors in scope are looked through.
    """
    if vector is None:
        return []
    depth = vector_depth(plan.limit)
    lane = VectorLane(ground.scope, plan.wanted, vector, context.services.model, depth, ground.charted, ground.indexed)
    async with context.database.read(context.user_id, _planning(plan, ground)) as session:
        near = await session.records(FoundMemory._make, *store.nearest(session.user_id, lane))
        if lane.indexed and len(near) < min(depth, ground.memories):
            exact = store.nearest(session.user_id, replace(lane, indexed=False))
            near = await session.records(FoundMemory._make, *exact)
    return near


def _planning(plan: RecallPlan, ground: Ground) -> Mapping[str, str]:
    """How the vector lane is planned: once, but where only a look at the values tells whether an index is worth it."""
    if not ground.indexed:
        return ONE_PLAN
    scope = plan.scopes.memory
    whole = (scope.everything or scope.all_but is not None) and plan.wanted == NO_FILTER
    return {**searching(ground.memories), **(ONE_PLAN if whole else OWN_PLAN)}
