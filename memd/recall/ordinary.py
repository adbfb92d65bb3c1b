"""The ordinary memories of a recall: three lanes, fused (contract 11.1, steps 2–5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from memd.context import Context
from memd.db.channels_sql import listed
from memd.db.session import ReadSession, Row
from memd.db.term_sql import QueryReading
from memd.domain.lanes import RECENT_DEPTH, Lane, fuse, recent_lane, text_depth, vector_depth
from memd.domain.ranking import Candidate
from memd.domain.search_terms import choose_terms, needs_shares
from memd.embed.service import Vector
from memd.graph import service as graph
from memd.recall import store
from memd.recall.candidates import candidate, fetch
from memd.recall.plan import RecallPlan
from memd.recall.store import ScopedLanes
from memd.stats import service as stats


@dataclass(frozen=True, slots=True)
class MemoriesFound:
    """The candidates, their wide rows, and how many each lane found."""

    candidates: Sequence[Candidate] = ()
    rows: Mapping[UUID, Row] = field(default_factory=dict[UUID, Row])
    counts: Mapping[Lane, int] = field(default_factory=dict[Lane, int])


async def find_memories(
    context: Context, session: ReadSession, plan: RecallPlan, query: QueryReading, vector: Vector | None
) -> MemoriesFound:
    """What the vector, text and recent lanes find; every filter acts inside each lane, before its limit."""
    if plan.scopes.memory.nothing:
        return MemoriesFound()
    lanes = await _lanes(context, session, plan, query, vector)
    found = await store.find(session, lanes)
    ids = [row["id"] for row in found]
    rows = await fetch(session, plan.scopes, (), ids)
    links = await graph.link_confidence(session, ids)
    made = {
        row["id"]: candidate(
            rows[row["id"]],
            cosine=row["cosine"],
            text_score=row["text_score"],
            project_id=plan.wanted.project_id,
            link_confidence=links.get(row["id"]),
        )
        for row in found
        if row["id"] in rows
    }
    by_lane = {
        Lane.VECTOR: [made[row["id"]] for row in found if row["by_vector"] and row["id"] in made],
        Lane.TEXT: [made[row["id"]] for row in found if row["by_text"] and row["id"] in made],
        Lane.RECENT: recent_lane(
            (made[row["id"]] for row in found if row["by_recent"] and row["id"] in made), plan.terms
        ),
    }
    counts = {lane: len(candidates) for lane, candidates in by_lane.items()}
    return MemoriesFound(fuse(by_lane), rows, counts)


async def _lanes(
    context: Context, session: ReadSession, plan: RecallPlan, query: QueryReading, vector: Vector | None
) -> ScopedLanes:
    """List the channels of the scope; choose among the query's words where there are many memories."""
    scope = plan.scopes.memory
    if scope.all_but is not None:
        scope = listed(scope, await store.channels(session))
    lanes = ScopedLanes(
        scope=scope,
        wanted=plan.wanted,
        terms=query.terms,
        vector=vector,
        model=context.services.model,
        vector_depth=vector_depth(plan.limit),
        text_depth=text_depth(plan.limit),
        recent_depth=RECENT_DEPTH,
    )
    memories = await stats.active_memories(session)
    if not needs_shares(query.terms, memories):
        return lanes
    return replace(lanes, terms=choose_terms(query.terms, await store.shares(session, lanes), memories))
