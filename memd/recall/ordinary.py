"""The ordinary memories of a recall: three lanes, fused (contract 11.1, steps 2–5)."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from uuid import UUID

from memd.context import Context
from memd.db.engine import ONE_PLAN, OWN_PLAN
from memd.db.session import ReadSession, Row
from memd.domain.lanes import RECENT_DEPTH, text_depth, vector_depth
from memd.domain.ranking import Candidate
from memd.domain.recall_modes import NO_FILTER
from memd.domain.search_terms import choose_terms, needs_shares
from memd.domain.text_match import QueryTerms
from memd.embed.service import Vector
from memd.embed.vector_index_store import searching
from memd.recall import store
from memd.recall.candidates import candidate, text_match_of
from memd.recall.ground import Ground
from memd.recall.plan import RecallPlan
from memd.recall.store import VectorLane, WordLanes

ENOUGH_HITS: Final = 500
"""Rows that the text lane may be expected to rank; it passes on a tenth of them at most."""


@dataclass(frozen=True, slots=True)
class MemoriesFound:
    """The candidates, their stored rows, and how many each lane found."""

    candidates: Sequence[Candidate] = ()
    rows: Mapping[UUID, Row] = field(default_factory=dict[UUID, Row])
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


async def find_by_words(context: Context, session: ReadSession, plan: RecallPlan, ground: Ground) -> list[Row]:
    """What the text and recent lanes find, which need no vector; among many memories the words are chosen first."""
    if plan.named or plan.scopes.memory.nothing:
        return []
    terms = ground.query.terms
    if needs_shares(terms, ground.memories, many_rows=4 * ENOUGH_HITS):
        shares = await context.services.word_shares.of(session, "memories", *store.sample(context.user_id))
        terms = choose_terms(terms, shares, ground.memories, most_rows=ENOUGH_HITS)
    depths = text_depth(plan.limit), RECENT_DEPTH
    lanes = WordLanes(ground.scope, plan.wanted, terms, ground.memories, *depths)
    return await session.rows(*store.by_words(session.user_id, lanes), binary=True)


async def find_memories(
    context: Context, plan: RecallPlan, ground: Ground, worded: Sequence[Row], vector: Vector | None
) -> MemoriesFound:
    """What the three lanes find together; every filter acts inside each lane, before its limit.

    `worded` are the rows of the text and recent lanes. Naming knowledge bases leaves ordinary memories out.
    """
    if plan.named or plan.scopes.memory.nothing:
        return MemoriesFound()
    (near, cosines), matches = await asyncio.gather(
        _find_near(context, plan, ground, worded, vector), _match(worded, plan.terms)
    )
    rows = {row["id"]: row for row in worded}
    further = [row for row in near if row["id"] not in rows]
    found = [
        *zip(worded, matches, cosines, strict=True),
        *((row, text_match_of(row, plan.terms), row["cosine"]) for row in further),
    ]
    by_vector = {row["id"] for row in near}
    made = [
        candidate(
            row,
            text_match,
            cosine=cosine,
            text_score=row["text_score"],
            by_vector=row["id"] in by_vector,
            project_id=plan.wanted.project_id,
            link_confidence=row["link_confidence"],
        )
        for row, text_match, cosine in found
    ]
    rows.update((row["id"], row) for row in further)
    counts = Counter(lane for row in made for lane in row.lanes)
    return MemoriesFound([row for row in made if row.lanes], rows, counts)


async def _match(rows: Sequence[Row], terms: QueryTerms) -> list[float]:
    """The keyword score of each row; worked out beside the search by vector, which waits for the database."""
    return [text_match_of(row, terms) for row in rows]


async def _find_near(
    context: Context, plan: RecallPlan, ground: Ground, worded: Sequence[Row], vector: Vector | None
) -> tuple[Sequence[Row], Sequence[float | None]]:
    """The rows of the vector lane, and the cosine of each of the others; nothing near without a vector.

    Where an index leaves the lane short, all vectors in scope are looked through.
    """
    if vector is None:
        return [], [None] * len(worded)
    depth = vector_depth(plan.limit)
    lane = VectorLane(ground.scope, plan.wanted, vector, context.services.model, depth, ground.indexed)
    async with context.database.read(context.user_id, _planning(plan, ground)) as session:
        others = [row["id"] for row in worded]
        near = await session.rows(*store.nearest(session.user_id, lane, others), binary=True)
        if lane.indexed and len(near) < min(depth, ground.memories):
            exact = store.nearest(session.user_id, replace(lane, indexed=False), others)
            near = await session.rows(*exact, binary=True)
    cosines = next((row["others"] for row in near if row["others"] is not None), None)
    return near, cosines or [None] * len(worded)


def _planning(plan: RecallPlan, ground: Ground) -> Mapping[str, str]:
    """How the vector lane is planned: once, but where only a look at the values tells whether an index is worth it."""
    if not ground.indexed:
        return ONE_PLAN
    scope = plan.scopes.memory
    whole = (scope.everything or scope.all_but is not None) and plan.wanted == NO_FILTER
    return {**searching(ground.memories), **(ONE_PLAN if whole else OWN_PLAN)}
