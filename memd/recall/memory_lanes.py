"""The memories of a recall: three lanes, then evidence, with the neighbours of the best (contract 11.1 steps 2–6, 11.2)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple
from uuid import UUID

from memctl.wire.enums import RecallSection
from memd.cancellation import both
from memd.context import Context
from memd.db.engine import CUSTOM_PLAN, GENERIC_PLAN
from memd.domain.dates.zone import TimeZone
from memd.domain.questions.due import AskedDue
from memd.domain.questions.facts import AskedFact, stated_shares
from memd.domain.questions.time_only import AskedTime
from memd.domain.ranking.contested import OpenConflict
from memd.domain.ranking.due import due_share
from memd.domain.ranking.evidence import (
    CONTEXT_ROWS,
    WEAK_BELOW,
    Evidence,
    EvidenceQuery,
    RowScores,
    gate,
    name_test,
    weigh,
)
from memd.domain.ranking.originals import TAG, ReflectionSources
from memd.domain.ranking.rank_score import Candidate
from memd.domain.ranking.word_pairs import word_pairs
from memd.domain.search.lanes import RECENT_DEPTH, lanes_of, text_depth, vector_depth
from memd.domain.search.recall_modes import NO_FILTER
from memd.domain.search.text_match import QueryTerms, memory_match
from memd.domain.types import Category, Store
from memd.embed.service import PendingEmbedding, Vector
from memd.embed.vector_index import search_settings
from memd.memories.history.withheld import withheld_at
from memd.off_loop import in_thread_if_any_long
from memd.recall import conflict_store, lane_store, neighbour_store, store
from memd.recall.lane_store import FoundMemory, MemorySearch, cosines_of
from memd.recall.neighbour_store import Neighbour
from memd.recall.plan import RecallPlan, SearchContext, memory_search

MIN_HITS: Final = 10
"""With fewer rows the gate stays closed: the means of so few cosines would open it by chance for unrelated rows."""


@dataclass(frozen=True, slots=True)
class MemoriesFound:
    """The candidates, the open conflicts that name any of them, the reflections among them, and how many each lane found."""

    candidates: Sequence[Candidate] = ()
    conflicts: Sequence[OpenConflict] = ()
    reflections: Sequence[ReflectionSources] = ()
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


class _Pooled(NamedTuple):
    """A found memory, and its cosine, None without a vector of the query or of the row."""

    found: FoundMemory
    cosine: float | None


@dataclass(frozen=True, slots=True)
class _Pool:
    """The memories that a recall weighs, each once, in the order in which they were found; and the position of each."""

    rows: list[_Pooled] = field(default_factory=list[_Pooled])
    indexes: dict[UUID, int] = field(default_factory=dict[UUID, int])

    def add(self, found: Iterable[FoundMemory], cosines: Iterable[float | None]) -> None:
        """Add rows that are not in the pool yet."""
        for row, cosine in zip(found, cosines, strict=True):
            self.indexes[row.id] = len(self.rows)
            self.rows.append(_Pooled(row, cosine))


async def find_memories(
    context: Context, plan: RecallPlan, prefetched: SearchContext, embedding: PendingEmbedding
) -> MemoriesFound:
    """The union of the three lanes, and the neighbours of the best; filters act inside each lane.

    Naming knowledge bases leaves memories out.
    """
    if RecallSection.MEMORIES not in plan.sections or plan.named or plan.scopes.memory.nothing:
        return MemoriesFound()
    search = await memory_search(context, plan, prefetched)
    (worded, matches), (near, vector) = await both(
        _by_words(context, plan, search), _by_vector(context, plan, search, embedding)
    )
    pool = _Pool()
    pool.add(worded, cosines_of(worded, vector))
    further = [found for found in near if found.id not in pool.indexes]
    pool.add(further, [found.cosine for found in further])
    query = _evidence_query(search, worded)
    scores = _scores(plan, search, pool.rows)
    evidence = weigh(scores, query)
    neighbours, further_matches = await both(
        _neighbours(context, plan, search, vector, pool, evidence), _text_matches(further, plan.terms)
    )
    new = [row.memory for row in neighbours if row.memory is not None]
    if neighbours:
        pool.add(new, [row.cosine for row in new])
        scores += _scores(plan, search, pool.rows[len(scores) :])
        opening = gate(neighbours[0].adjacent_cosine, neighbours[0].baseline_cosine)
        evidence = weigh(scores, query, _adjacent(neighbours, pool), opening)
    text_matches = [*matches, *further_matches, *await _text_matches(new, plan.terms)]
    hidden = await _withheld(context, plan, pool)
    found = _candidates(plan, pool, text_matches, evidence, by_vector={row.id for row in near})
    candidates = [candidate for candidate in found if candidate.id not in hidden] if hidden else found
    conflicts = await _open_conflicts(context, plan, prefetched, candidates)
    reflections = await _reflections(context, candidates)
    return MemoriesFound(candidates, conflicts, reflections, Counter(lane for row in candidates for lane in row.lanes))


def _candidates(
    plan: RecallPlan,
    pool: _Pool,
    text_matches: Iterable[float],
    evidence: Iterable[Evidence],
    *,
    by_vector: AbstractSet[UUID],
) -> list[Candidate]:
    """The rows of the pool as candidates; `by_vector` are the ids of those that the vector lane found."""
    project_id = plan.wanted.project_id
    return [
        Candidate(
            found,
            vector_score=cosine,
            text_match=text_match,
            evidence=weight,
            graph_link_confidence=found.link_confidence,
            same_project=project_id is not None and found.project_id == project_id,
            lanes=lanes_of(by_vector=found.id in by_vector, by_text=found.by_text, by_recent=found.by_recent),
        )
        for (found, cosine), text_match, weight in zip(pool.rows, text_matches, evidence, strict=True)
    ]


async def _withheld(context: Context, plan: RecallPlan, pool: _Pool) -> frozenset[UUID]:
    """The memories whose earlier version the current content rules block; reads only versions that other rules checked."""
    current = {None, context.services.policy.version}
    unchecked = [row.found.id for row in pool.rows if row.found.policy_version not in current]
    return await withheld_at(context, unchecked, plan.moment.known_at)


async def _open_conflicts(
    context: Context, plan: RecallPlan, prefetched: SearchContext, candidates: Sequence[Candidate]
) -> Sequence[OpenConflict]:
    """The conflicts of the candidates that are open, or were at a past moment; no statement for a user who has none."""
    if not candidates or not (prefetched.has_conflicts or plan.moment.known_at is not None):
        return ()
    async with context.database.owner(context.user_id, GENERIC_PLAN) as session:
        return await conflict_store.open_conflicts(session, [row.id for row in candidates], plan.moment.known_at)


async def _reflections(context: Context, candidates: Sequence[Candidate]) -> Sequence[ReflectionSources]:
    """The sources of the reflections among the candidates; no statement where there are none."""
    tagged = [row.id for row in candidates if TAG in row.stored.tags]
    if not tagged:
        return ()
    async with context.database.owner(context.user_id, GENERIC_PLAN) as session:
        return await store.reflection_sources(session, tagged)


async def _by_words(
    context: Context, plan: RecallPlan, search: MemorySearch
) -> tuple[Sequence[FoundMemory], Sequence[float]]:
    """The rows of the text and recent lanes, which need no vector, and the keyword score of each."""
    statement = lane_store.by_words(context.user_id, search, text_depth(plan.limit), RECENT_DEPTH)
    async with context.database.read(context.user_id, GENERIC_PLAN) as session:
        rows = await session.rows(FoundMemory, *statement)
    return rows, await _text_matches(rows, plan.terms)


async def _by_vector(
    context: Context, plan: RecallPlan, search: MemorySearch, embedding: PendingEmbedding
) -> tuple[Sequence[FoundMemory], Vector | None]:
    """The rows of the vector lane, and the vector of the query; nothing without one.

    Where an index leaves the lane short, all vectors in scope are looked through.
    """
    vector = (await embedding.result()).vector
    if vector is None:
        return [], None
    depth = vector_depth(plan.limit)
    statement = lane_store.nearest(context.user_id, search, vector, depth)
    async with context.database.read(context.user_id, _planning(plan, search)) as session:
        near = await session.rows(FoundMemory, *statement)
        if search.indexed and len(near) < min(depth, search.memories) and not search.counts.all_compared:
            exact = lane_store.nearest(context.user_id, replace(search, indexed=False), vector, depth)
            near = await session.rows(FoundMemory, *exact)
    return near, vector


def _planning(plan: RecallPlan, search: MemorySearch) -> Mapping[str, str]:
    """The plan mode of the vector lane: generic, except where the choice of an index depends on the parameter values."""
    if not search.indexed:
        return GENERIC_PLAN
    scope = plan.scopes.memory
    whole = (scope.everything or scope.all_but is not None) and plan.wanted == NO_FILTER
    versions = search.counts.versions_by_index(search.moment)
    return {**search_settings(search.memories, versions=versions), **(GENERIC_PLAN if whole else CUSTOM_PLAN)}


async def _text_matches(rows: Sequence[FoundMemory], terms: QueryTerms) -> list[float]:
    """The keyword score of each row, computed off the event loop where they are long."""

    def matches() -> list[float]:
        return [memory_match(terms, row.title, row.content, row.tags) for row in rows]

    return await in_thread_if_any_long(matches, (row.content for row in rows))


async def _neighbours(
    context: Context,
    plan: RecallPlan,
    search: MemorySearch,
    vector: Vector | None,
    pool: _Pool,
    evidence: Sequence[Evidence],
) -> Sequence[Neighbour]:
    """The neighbours of the best rows; none where the gate is closed, with few rows, or as of a past moment."""
    if len(pool.rows) < MIN_HITS or plan.moment.is_historical:
        return ()
    hits = _best(pool, evidence)
    async with context.database.read(context.user_id, GENERIC_PLAN) as session:
        statement = neighbour_store.neighbours(session.user_id, search, vector, hits, pool.indexes)
        return await session.rows(Neighbour, *statement)


def _evidence_query(search: MemorySearch, worded: Sequence[FoundMemory]) -> EvidenceQuery:
    """The query's side of evidence. The idf of its words is in the first row found by words; without one all are equally rare."""
    terms = search.terms
    known = next((found.rarities for found in worded if found.rarities is not None), None)
    rarities = [1.0] * len(terms.words) if known is None else known[: len(terms.words)]
    only_fact = isinstance(search.question, AskedFact) and search.question.is_all
    return EvidenceQuery(rarities, word_pairs(terms), terms.character_pairs, search.unrelated, only_fact)


def _scores(plan: RecallPlan, search: MemorySearch, rows: Sequence[_Pooled]) -> list[RowScores]:
    """The values of each row; without the cosine where a question about what is due asks for another day."""
    named = name_test(plan.text, search.language)
    asks_due = isinstance(search.question, AskedDue)
    return [
        RowScores(
            None if asks_due and share == 0 else row.cosine,
            row.found.words,
            row.found.pairs,
            named(row.found.title),
            share or 0.0,
        )
        for row, share in zip(rows, _answer_shares(search, rows, plan.zone), strict=True)
    ]


def _answer_shares(search: MemorySearch, rows: Sequence[_Pooled], zone: TimeZone) -> Sequence[float | None]:
    """How far each memory answers the question, 0..1; None for one that says nothing about what is asked."""
    question = search.question
    if isinstance(question, AskedDue):
        return [_due(question, row, zone) for row in rows]
    if isinstance(question, AskedTime):
        return [1.0 if question.holds(row.found.created_at, row.found.category) else None for row in rows]
    statements = [row.statement if row.may_answer else None for row in (pooled.found for pooled in rows)]
    return stated_shares(question, statements, search.moment.valid_at)


def _due(asked: AskedDue, pooled: _Pooled, zone: TimeZone) -> float | None:
    """How far a memory is due; None when its text names no day, or is not read because the row is weak anyway."""
    row = pooled.found
    is_goal = row.store == Store.PROSPECTIVE or row.category == Category.GOAL
    if not (is_goal or row.may_answer or (pooled.cosine or 0.0) >= WEAK_BELOW):
        return None
    text = f"{row.title}. {row.content}"
    created_at, valid_until = zone.local(row.created_at), zone.local_end(row.valid_until)
    return due_share(asked, text, is_goal=is_goal, created_at=created_at, valid_until=valid_until)


def _best(pool: _Pool, evidence: Sequence[Evidence]) -> list[FoundMemory]:
    """The best rows by evidence, whose neighbours are read; ties go to the newer one, then to the smaller id."""
    rows = zip(evidence, (pooled.found for pooled in pool.rows), strict=True)
    best = sorted(rows, key=lambda row: (-row[0].total, -row[1].created_at, row[1].id))
    return [found for _, found in best[:CONTEXT_ROWS]]


def _adjacent(neighbours: Sequence[Neighbour], pool: _Pool) -> dict[int, list[int]]:
    """For each row with known neighbours the places of those."""
    adjacent: dict[int, list[int]] = {}
    for row in neighbours:
        index = pool.indexes[row.memory_id]
        for find in (row.follows, row.precedes):
            if find is not None:
                other = pool.indexes[find]
                adjacent.setdefault(index, []).append(other)
                adjacent.setdefault(other, []).append(index)
    return adjacent
