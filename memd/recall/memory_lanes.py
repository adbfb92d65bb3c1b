"""The memories of a recall: three lanes and the context of what they find (contract 11.1 steps 2–6, 11.2)."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memd.context import Context
from memd.db.engine import CUSTOM_PLAN, GENERIC_PLAN
from memd.domain.lanes import RECENT_DEPTH, text_depth, vector_depth
from memd.domain.ranking import Candidate
from memd.domain.recall_modes import NO_FILTER
from memd.domain.search_terms import MOST_TOGETHER, SearchTerms, choose_terms, needs_shares
from memd.embed.service import PendingEmbedding, Vector
from memd.embed.vector_index import search_settings
from memd.recall import lane_store, store
from memd.recall.candidates import Pool, cosines_of, memory_candidate, memory_match_of
from memd.recall.lane_store import FoundMemory, MemorySearch
from memd.recall.neighbours import weigh_in_context
from memd.recall.plan import RecallPlan
from memd.recall.prefetch import SearchContext

ENOUGH_HITS: Final = 500
"""Rows that the text lane may be expected to rank; it passes on a tenth of them at most."""


@dataclass(frozen=True, slots=True)
class MemoriesFound:
    """The candidates, and how many each lane found."""

    candidates: Sequence[Candidate] = ()
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


async def find_memories(
    context: Context, plan: RecallPlan, prefetched: SearchContext, embedding: PendingEmbedding
) -> MemoriesFound:
    """The union of the three lanes, and the neighbours of the best; filters act inside each lane.

    Naming knowledge bases leaves memories out.
    """
    if plan.named or plan.scopes.memory.nothing:
        return MemoriesFound()
    search = await _search(context, plan, prefetched)
    (worded, matches), (near, vector) = await asyncio.gather(
        _by_words(context, plan, search), _by_vector(context, plan, search, embedding)
    )
    pool = Pool()
    pool.add(worded, cosines_of(worded, vector), matches)
    further = [found for found in near if found.id not in pool.places]
    pool.add(further, [found.cosine for found in further], [memory_match_of(found, plan.terms) for found in further])
    evidence = await weigh_in_context(context, plan, search, vector, pool, _rarities(search.terms, worded))
    by_vector = {found.id for found in near}
    project_id = plan.wanted.project_id
    candidates = [
        memory_candidate(row, weight, by_vector=row.found.id in by_vector, project_id=project_id)
        for row, weight in zip(pool.rows, evidence, strict=True)
    ]
    return MemoriesFound(candidates, Counter(lane for row in candidates for lane in row.lanes))


async def _search(context: Context, plan: RecallPlan, prefetched: SearchContext) -> MemorySearch:
    """What to look for among the memories: all words of the query, or the rarest where there are many rows."""
    terms = prefetched.query.terms
    if needs_shares(terms, prefetched.memories, many_rows=4 * ENOUGH_HITS):
        async with context.database.read(context.user_id, GENERIC_PLAN) as session:
            shares = await context.services.document_frequencies.of(session, "memories", *store.sample(context.user_id))
        terms = choose_terms(terms, shares, prefetched.memories, most_rows=ENOUGH_HITS, most_together=MOST_TOGETHER)
    return MemorySearch(
        scope=prefetched.scope,
        wanted=plan.wanted,
        terms=terms,
        memories=prefetched.memories,
        whole=prefetched.sees_all and plan.wanted == NO_FILTER and not plan.moment.travels,
        model=context.services.model,
        indexed=prefetched.indexed and not plan.moment.travels,
        has_graph=prefetched.has_graph,
        moment=plan.moment,
    )


async def _by_words(
    context: Context, plan: RecallPlan, search: MemorySearch
) -> tuple[Sequence[FoundMemory], Sequence[float]]:
    """What the text and recent lanes find, which need no vector, and the keyword score of each row."""
    statement = lane_store.by_words(context.user_id, search, text_depth(plan.limit), RECENT_DEPTH)
    async with context.database.read(context.user_id, GENERIC_PLAN) as session:
        rows = await session.rows(FoundMemory, *statement)
    return rows, [memory_match_of(found, plan.terms) for found in rows]


async def _by_vector(
    context: Context, plan: RecallPlan, search: MemorySearch, embedding: PendingEmbedding
) -> tuple[Sequence[FoundMemory], Vector | None]:
    """What the vector lane finds, and the vector; nothing without one.

    Where an index leaves the lane short, all vectors in scope are looked through.
    """
    vector = (await embedding.result()).vector
    if vector is None:
        return [], None
    depth = vector_depth(plan.limit)
    statement = lane_store.nearest(context.user_id, search, vector, depth)
    async with context.database.read(context.user_id, _planning(plan, search)) as session:
        near = await session.rows(FoundMemory, *statement)
        if search.indexed and len(near) < min(depth, search.memories):
            exact = lane_store.nearest(context.user_id, replace(search, indexed=False), vector, depth)
            near = await session.rows(FoundMemory, *exact)
    return near, vector


def _planning(plan: RecallPlan, search: MemorySearch) -> Mapping[str, str]:
    """How the vector lane is planned: once, but where only a look at the values tells whether an index is worth it."""
    if not search.indexed:
        return GENERIC_PLAN
    scope = plan.scopes.memory
    whole = (scope.everything or scope.all_but is not None) and plan.wanted == NO_FILTER
    return {**search_settings(search.memories), **(GENERIC_PLAN if whole else CUSTOM_PLAN)}


def _rarities(terms: SearchTerms, worded: Sequence[FoundMemory]) -> Sequence[float]:
    """The idf of each word; where no row was found by words, all are equally rare."""
    known = next((found.rarities for found in worded if found.rarities is not None), None)
    return [1.0] * len(terms.words) if known is None else known[: len(terms.words)]
