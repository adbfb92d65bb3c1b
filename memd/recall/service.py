"""Recall: the memories, chunks and messages that answer a query (contract 6.2, 11.1).

A request becomes a plan, the lanes find rows, their evidence ranks them, and a selection of them is the answer.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import ParamSpec, TypeVar

from memctl.wire.enums import RecallSection
from memctl.wire.recall import RecallRequest
from memd.context import Context
from memd.db.engine import GENERIC_PLAN
from memd.domain.facts.activities import asked_about
from memd.domain.questions.earlier import asks_for_earlier
from memd.domain.questions.facts import asked_fact
from memd.domain.ranking.contested import prefer_current
from memd.domain.ranking.evidence import lifted_by_source
from memd.domain.ranking.originals import prefer_originals
from memd.domain.ranking.rank_score import RankedRow, RankWeights, rank
from memd.domain.ranking.reranking import RERANKED_ROWS
from memd.domain.ranking.selection import Dropped, merge, select_chunks, select_memories, with_evidence
from memd.domain.ranking.updates import MAX_ROWS, Update, find_updates
from memd.domain.search.drop_reason import DropReason
from memd.embed.service import PendingEmbedding, embed_query
from memd.graph import service as graph
from memd.graph.service import Surroundings
from memd.memories.access_counts import note_recall
from memd.messages.search import AskedMessages, MessagesFound, find_messages
from memd.recall import store
from memd.recall.chunk_lane import find_chunks, hits_per_base
from memd.recall.excluded import excluded_rows
from memd.recall.lane_store import FoundMemory
from memd.recall.memory_lanes import MemoriesFound, find_memories
from memd.recall.plan import RecallPlan, SearchContext, make_plan, prefetch
from memd.recall.recalled import Found, Recalled
from memd.recall.reranking import reranked
from memd.tracing.spans import span

P = ParamSpec("P")
T = TypeVar("T")


class Stopwatch:
    """Milliseconds by stage: laps are sequential; concurrent work is timed separately."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._started = time.perf_counter()

    def lap(self, stage: str) -> None:
        """End a stage; the next one begins."""
        now = time.perf_counter()
        self.laps[stage] = round((now - self._started) * 1000, 3)
        self._started = now

    async def timed(self, stage: str, work: Callable[P, Awaitable[T]], *args: P.args, **named: P.kwargs) -> T:
        """Await the work, which may run concurrently with other work, and return its result."""
        started = time.perf_counter()
        with span(f"recall.{stage}"):
            result = await work(*args, **named)
        self.laps[stage] = round((time.perf_counter() - started) * 1000, 3)
        return result


async def recall(context: Context, request: RecallRequest, *, debug: bool = False) -> Recalled:
    """The best rows for a query; a failing embedder makes the answer lexical and is never an error (rule 7)."""
    watch = Stopwatch()
    recalled = await _ranked(context, make_plan(context, request), watch)
    if debug:
        recalled = replace(recalled, dropped=[*recalled.dropped, *await _excluded(context, recalled)])
    note_recall(context, [row.candidate.id for row in recalled.rows], "recall")
    return replace(recalled, timings=watch.laps)


async def recall_up_to(
    context: Context, request: RecallRequest, max_rows: int, *, keep_copies: bool = False
) -> Recalled:
    """As `recall`, but with up to `max_rows` rows and messages, without counting an access.

    With `keep_copies`, memories with equal contents are all returned.
    """
    plan = replace(make_plan(context, request, max_rows), keep_copies=keep_copies)
    return await _ranked(context, plan, Stopwatch())


async def surroundings(context: Context, recalled: Recalled) -> Surroundings | None:
    """The graph around the rows of the answer; None where the request does not want it."""
    if not recalled.plan.request.include_graph_context:
        return None
    ids = [row.candidate.id for row in recalled.rows]
    if not ids or not recalled.found.prefetched.has_graph:
        return Surroundings([], [])
    plan, chunks = recalled.plan, recalled.found.chunks.scopes
    async with context.database.read(context.user_id, GENERIC_PLAN) as session:
        return await graph.surroundings(session, plan.scopes, ids, plan.moment, chunks=chunks, ordinary=not plan.named)


async def _ranked(context: Context, plan: RecallPlan, watch: Stopwatch) -> Recalled:
    """The rows of the lanes, ranked and selected."""
    found = await _search(context, plan, watch)
    with span("recall.ranking"):
        recalled = _select(context, plan, found)
    watch.lap("ranking")
    if context.services.reranker is not None:
        recalled = await _rerank(context, recalled)
        watch.lap("reranking")
    return recalled


async def _search(context: Context, plan: RecallPlan, watch: Stopwatch) -> Found:
    """Run all lanes; the first error of any ends the others.

    A lane does what needs no vector while the query is being embedded. `KnowledgeBaseNotFound` for a named knowledge base
    that is not there, before the query is embedded.
    """
    try:
        async with asyncio.TaskGroup() as group:
            embedding = None if plan.named else PendingEmbedding(group.create_task(embed_query(context, plan.text)))
            prefetched = await prefetch(context, plan)
            embedding = embedding or PendingEmbedding(group.create_task(embed_query(context, plan.text)))
            run = (context, plan, prefetched, embedding)
            memories = group.create_task(watch.timed("memories", find_memories, *run))
            chunks = group.create_task(watch.timed("knowledgeBases", find_chunks, *run))
            messages = group.create_task(watch.timed("messages", _find_messages, *run))
            embedded = await embedding.result()
            watch.lap("embedding")
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    watch.lap("lanes")
    found = messages.result()
    lifted = await _lifted_by_sources(context, memories.result(), found)
    shown = found if RecallSection.MESSAGES in plan.sections else None
    return Found(prefetched, embedded, lifted, chunks.result(), shown)


async def _lifted_by_sources(
    context: Context, memories: MemoriesFound, messages: MessagesFound | None
) -> MemoriesFound:
    """The memories, with the evidence raised for those made from messages that match the query."""
    if messages is None or not messages.scores or not memories.candidates:
        return memories
    async with context.database.owner(context.user_id, GENERIC_PLAN) as session:
        rows = await store.message_sources(session, [each.id for each in memories.candidates], messages.scores.keys())
    best = {row.id: max(messages.scores.get(source, 0.0) for source in row.source_message_ids) for row in rows}
    candidates = [
        each._replace(evidence=lifted_by_source(each.evidence, best[each.id])) if each.id in best else each
        for each in memories.candidates
    ]
    return replace(memories, candidates=candidates)


async def _find_messages(
    context: Context, plan: RecallPlan, prefetched: SearchContext, embedding: PendingEmbedding
) -> MessagesFound | None:
    """The messages to return with the rows, or to lift memories by; None for chunks alone."""
    if plan.named or plan.sections == {RecallSection.KNOWLEDGE}:
        return None
    asked = AskedMessages(plan.message_scopes, prefetched.messages, await embedding.result(), plan.window)
    return await find_messages(context, asked, plan.message_limit)


def _select(context: Context, plan: RecallPlan, found: Found) -> Recalled:
    """Rank the candidates and choose among them (contract 11.1, steps 6–12); as many as a reranker reads, if there is one."""
    limit = plan.limit if context.services.reranker is None else max(plan.limit, RERANKED_ROWS)
    query = plan.rank_query(context.now)
    weights = RankWeights(evidence=context.services.settings.recall_evidence_weight)
    memories = rank(found.memories.candidates, query, weights)
    memories = _prefer_current(plan, found, memories, weights)
    chunks = rank(found.chunks.candidates, query, weights)
    minimum = plan.request.min_evidence
    fit_memories, fit_chunks = with_evidence(memories, minimum), with_evidence(chunks, minimum)
    best_memories = select_memories(
        fit_memories.rows, limit, collapse_near_duplicates=plan.collapse, keep_copies=plan.keep_copies
    )
    best_chunks = select_chunks(fit_chunks.rows, best_memories.rows, hits_per_base(plan))
    merged = merge(
        best_memories.rows,
        best_chunks.rows,
        limit,
        collapse_near_duplicates=plan.collapse,
        half_rule=not plan.named,
        keep_copies=plan.keep_copies,
    )
    steps = (fit_memories, fit_chunks, best_memories, best_chunks, merged)
    return Recalled(
        plan,
        found,
        candidates=[*memories, *chunks],
        rows=merged.rows,
        dropped=[row for step in steps for row in step.dropped],
        below_evidence=len(fit_memories.dropped) + len(fit_chunks.dropped),
    )


def _prefer_current(plan: RecallPlan, found: Found, rows: Sequence[RankedRow], weights: RankWeights) -> list[RankedRow]:
    """The rows with originals above their reflections, and the memory that was current above those that contradict it.

    A question for an earlier value does not ask for the current one, so it puts none above the other: none of the attribute
    that it asks for, and none at all where that is no attribute of a conflict.
    """
    originals_first = prefer_originals(rows, found.memories.reflections, weights)
    conflicts, at = found.memories.conflicts, plan.moment.valid_at
    fact = asked_fact(plan.text)
    asked = fact.attributes if fact else ()
    is_earlier = asks_for_earlier(plan.text, fact)
    updates = _updates(originals_first, plan.text, at) if plan.is_timeless and not is_earlier else ()
    if is_earlier:
        others = [one for one in conflicts if one.attribute not in asked]
        conflicts = others if len(others) < len(conflicts) else ()
    asked = (*asked, *asked_about(plan.text, ((one.attribute, one.new_value) for one in conflicts)))
    return prefer_current(originals_first, conflicts, at, weights, plan.text, asked, updates=updates)


def _updates(rows: Sequence[RankedRow], query: str, valid_at: int) -> list[Update]:
    stored = (row.candidate.stored for row in rows[:MAX_ROWS])
    return find_updates(
        rows, {row.id: row.statement for row in stored if isinstance(row, FoundMemory)}, query, valid_at
    )


async def _rerank(context: Context, recalled: Recalled) -> Recalled:
    """Give the rows the order of the cross-encoder, if it answers, and cut them to the limit."""
    settings, plan = context.services.settings, recalled.plan
    weights = RankWeights(evidence=settings.recall_evidence_weight, rerank=settings.recall_rerank_weight)
    reordered = await reranked(context, plan.text, recalled.rows, weights)
    rows = recalled.rows if reordered is None else _prefer_current(plan, recalled.found, reordered, weights)
    return replace(
        recalled,
        rows=rows[: plan.limit],
        dropped=[*recalled.dropped, *(Dropped(row.candidate.id, DropReason.LIMIT) for row in rows[plan.limit :])],
        rerank_weight=None if reordered is None else weights.rerank,
    )


async def _excluded(context: Context, recalled: Recalled) -> list[Dropped]:
    """The rows that match the query and were hidden or filtered, for debugging."""
    async with context.database.owner(context.user_id, GENERIC_PLAN) as session:
        return await excluded_rows(session, recalled, context.services.model)
