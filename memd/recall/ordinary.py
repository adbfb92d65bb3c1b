"""The ordinary memories of a recall: three lanes, fused (contract 11.1, steps 2–5)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memd.context import Context
from memd.db.channels_sql import listed
from memd.db.engine import ONE_PLAN
from memd.db.session import ReadSession
from memd.domain.lanes import RECENT_DEPTH, text_depth, vector_depth
from memd.domain.ranking import Candidate
from memd.domain.search_terms import choose_terms, needs_shares
from memd.embed.service import Vector
from memd.embed.vector_index_store import SEARCHING
from memd.recall import store
from memd.recall.candidates import candidate
from memd.recall.ground import Ground
from memd.recall.plan import RecallPlan
from memd.recall.store import ScopedLanes

ENOUGH_HITS: Final = 500
"""Rows that the text lane may be expected to rank; it passes on a tenth of them at most."""


@dataclass(frozen=True, slots=True)
class MemoriesFound:
    """The candidates, and how many each lane found."""

    candidates: Sequence[Candidate] = ()
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


async def find_memories(context: Context, plan: RecallPlan, ground: Ground, vector: Vector | None) -> MemoriesFound:
    """What the vector, text and recent lanes find; every filter acts inside each lane, before its limit.

    Where an index leaves the vector lane short, all vectors in scope are looked through. Naming knowledge bases leaves
    ordinary memories out.
    """
    if plan.named or plan.scopes.memory.nothing:
        return MemoriesFound()
    async with context.database.read(context.user_id, SEARCHING if ground.indexed else ONE_PLAN) as session:
        lanes = await _lanes(context, session, plan, ground, vector)
        found = await store.find(session, lanes)
        if lanes.indexed and sum(row["by_vector"] for row in found) < min(lanes.vector_depth, ground.memories):
            found = await store.find(session, replace(lanes, indexed=False))
    made = [
        candidate(
            row,
            plan.terms,
            cosine=row["cosine"],
            text_score=row["text_score"],
            project_id=plan.wanted.project_id,
            link_confidence=row["link_confidence"],
        )
        for row in found
    ]
    counts = Counter(lane for row in made for lane in row.lanes)
    return MemoriesFound([row for row in made if row.lanes], counts)


async def _lanes(
    context: Context, session: ReadSession, plan: RecallPlan, ground: Ground, vector: Vector | None
) -> ScopedLanes:
    """List the channels of the scope; choose among the query's words where there are many memories."""
    scope = plan.scopes.memory
    if scope.all_but is not None:
        scope = listed(scope, ground.channels)
    terms = ground.query.terms
    if needs_shares(terms, ground.memories, many_rows=4 * ENOUGH_HITS):
        shares = await context.services.word_shares.of(session, "memories", *store.sample(context.user_id))
        terms = choose_terms(terms, shares, ground.memories, most_rows=ENOUGH_HITS)
    return ScopedLanes(
        scope=scope,
        wanted=plan.wanted,
        terms=terms,
        memories=ground.memories,
        vector=vector,
        model=context.services.model,
        vector_depth=vector_depth(plan.limit),
        text_depth=text_depth(plan.limit),
        recent_depth=RECENT_DEPTH,
        indexed=ground.indexed,
    )
