"""Recall: the memories, chunks and messages that a query should bring back (contract 6.2, 11.1)."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from memctl.wire.recall import RecallRequest
from memd.context import Context
from memd.db.engine import GENERIC_PLAN
from memd.domain.lanes import Lane
from memd.domain.ranking import RankedRow, RankWeights, rank
from memd.domain.reranking import RERANKED_ROWS
from memd.domain.selection import Dropped, DropReason, merge, select_chunks, select_memories, with_evidence
from memd.embed.service import Degraded, QueryEmbedding, embed_query
from memd.graph import service as graph
from memd.graph.service import Surroundings
from memd.knowledge_bases.chunk_search import StoredChunk
from memd.memories.access import note_recall
from memd.messages.search import MessagesFound, find_messages
from memd.recall.knowledge import ChunksForRecall, find_chunks, hits_per_base
from memd.recall.lane_store import FoundMemory
from memd.recall.ordinary import MemoriesFound, find_by_words, find_memories, prepare_search
from memd.recall.plan import RecallPlan, make_plan
from memd.recall.prefetch import SearchContext, prefetch
from memd.recall.refusals import refused
from memd.recall.reranking import reranked
from memd.recall.stopwatch import Stopwatch


@dataclass(slots=True)
class Recalled:
    """The answer: rows best first, related messages and graph nodes, and diagnostics.

    `below_evidence` rows have less evidence than the request wants. `candidates` are all rows that were ranked, `dropped` those of them that are not in the answer; with debugging, also
    the rows that were hidden or filtered. `timings` are milliseconds by stage.
    """

    plan: RecallPlan
    memories: MemoriesFound
    chunks: ChunksForRecall
    degraded: Degraded | None
    candidates: Sequence[RankedRow] = ()
    rows: Sequence[RankedRow] = ()
    dropped: list[Dropped] = field(default_factory=list[Dropped])
    below_evidence: int = 0
    rerank_weight: float | None = None
    messages: MessagesFound | None = None
    surroundings: Surroundings | None = None
    timings: dict[str, float] = field(default_factory=dict[str, float])

    def stored(self, row: RankedRow) -> FoundMemory | StoredChunk:
        """What is stored of a row."""
        row_id = row.candidate.id
        return self.chunks.rows[row_id] if row.candidate.is_chunk else self.memories.rows[row_id]

    @property
    def counts(self) -> dict[str, int]:
        """How many candidates each lane found; `context` are the neighbours of finds that no lane found."""
        lanes = (Lane.VECTOR, Lane.TEXT, Lane.RECENT, Lane.CONTEXT)
        ordinary = {lane.value: self.memories.counts.get(lane, 0) for lane in lanes}
        messages = len(self.messages.hits) if self.messages else 0
        return {**ordinary, Lane.KB.value: self.chunks.found, "messages": messages}

    @property
    def nothing_relevant(self) -> bool:
        """Whether no row of the answer has anything to do with the query, or there is none."""
        return all(row.weak for row in self.rows)

    @property
    def suppressions(self) -> dict[str, int]:
        """How many rows were left out, by reason."""
        reasons = Counter(row.reason.value for row in self.dropped)
        if withheld := sum(self.chunks.withheld.values()):
            reasons[DropReason.PEER_CHUNK.value] = withheld
        return dict(reasons)


async def recall(context: Context, request: RecallRequest, *, debug: bool = False) -> Recalled:
    """The best rows for a query; a failing embedder makes the answer lexical and is never an error (rule 7).

    While the query is being embedded, everything that needs no vector runs; the other lanes follow as soon as there is one, then the graph.
    """
    watch = Stopwatch()
    plan = make_plan(context, request)
    prefetched, embedded, recalled = await _ranked(context, plan, watch)
    if plan.request.include_graph_context:
        recalled.surroundings = await _surroundings(context, recalled) if prefetched.has_graph else Surroundings([], [])
        watch.lap("graph")
    if debug:
        recalled.dropped += await _refused(context, recalled, prefetched, embedded)
    recalled.timings = watch.laps
    note_recall(context, [row.candidate.id for row in recalled.rows], "recall")
    return recalled


async def recall_at_length(context: Context, request: RecallRequest, most_rows: int) -> Recalled:
    """As `recall` with up to `most_rows` rows and as many messages, without the graph; counts as no access."""
    _, _, recalled = await _ranked(context, make_plan(context, request, most_rows), Stopwatch())
    return recalled


async def _ranked(
    context: Context, plan: RecallPlan, watch: Stopwatch
) -> tuple[SearchContext, QueryEmbedding, Recalled]:
    """What the lanes find, ranked and selected."""
    prefetched, embedded, recalled = await _find(context, plan, watch)
    _select(context, recalled)
    watch.lap("ranking")
    if context.services.reranker is not None:
        await _rerank(context, recalled)
        watch.lap("reranking")
    return prefetched, embedded, recalled


async def _find(context: Context, plan: RecallPlan, watch: Stopwatch) -> tuple[SearchContext, QueryEmbedding, Recalled]:
    """What all lanes find; the first error of any ends the others.

    `KnowledgeBaseNotFound` for a named one that is not there, before anything is spent on the request.
    """
    try:
        async with asyncio.TaskGroup() as group:
            embedding = None if plan.named else group.create_task(embed_query(context, plan.text))
            prefetched = await prefetch(context, plan)
            search = await prepare_search(context, plan, prefetched)
            worded = group.create_task(find_by_words(context, plan, search))
            embedded = await (embedding or embed_query(context, plan.text))
            watch.lap("embedding")
            vector = embedded.vector
            finding = watch.timed("memories", find_memories, context, plan, search, worded, vector)
            memories = group.create_task(finding)
            chunks = group.create_task(watch.timed("knowledgeBases", find_chunks, context, plan, prefetched, vector))
            messages = group.create_task(watch.timed("messages", _find_messages, context, plan, prefetched, embedded))
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    watch.lap("lanes")
    recalled = Recalled(plan, memories.result(), chunks.result(), embedded.degraded, messages=messages.result())
    return prefetched, embedded, recalled


async def _find_messages(
    context: Context, plan: RecallPlan, prefetched: SearchContext, embedded: QueryEmbedding
) -> MessagesFound | None:
    """The messages to return with the rows, unless knowledge bases are named."""
    if plan.named:
        return None
    return await find_messages(
        context, plan.message_scopes, prefetched.messages, embedded, plan.window, plan.message_limit
    )


def _select(context: Context, recalled: Recalled) -> None:
    """Rank the candidates and choose among them (contract 11.1, steps 6–12); as many as a reranker reads, if there is one."""
    plan = recalled.plan
    limit = plan.limit if context.services.reranker is None else max(plan.limit, RERANKED_ROWS)
    query = plan.rank_query(context.now)
    weights = RankWeights(evidence=context.services.settings.recall_evidence_weight)
    memories = rank(recalled.memories.candidates, query, weights)
    chunks = rank(recalled.chunks.candidates, query, weights)
    recalled.candidates = [*memories, *chunks]
    least = plan.request.min_evidence
    fit_memories, fit_chunks = with_evidence(memories, least), with_evidence(chunks, least)
    ordinary = select_memories(fit_memories.rows, limit, collapse_near_duplicates=plan.collapse)
    hits = select_chunks(fit_chunks.rows, ordinary.rows, hits_per_base(plan))
    merged = merge(ordinary.rows, hits.rows, limit, collapse_near_duplicates=plan.collapse, half_rule=not plan.named)
    recalled.rows = merged.rows
    steps = (fit_memories, fit_chunks, ordinary, hits, merged)
    recalled.dropped = [row for step in steps for row in step.dropped]
    recalled.below_evidence = len(fit_memories.dropped) + len(fit_chunks.dropped)


async def _rerank(context: Context, recalled: Recalled) -> None:
    """Give the rows the order of the cross-encoder, if it answers, and cut them to the limit."""
    settings, plan = context.services.settings, recalled.plan
    weights = RankWeights(evidence=settings.recall_evidence_weight, rerank=settings.recall_rerank_weight)
    rows = await reranked(context, plan.text, recalled.rows, weights)
    if rows is not None:
        recalled.rerank_weight = weights.rerank
    kept = recalled.rows if rows is None else rows
    recalled.rows = kept[: plan.limit]
    recalled.dropped += [Dropped(row.candidate.id, DropReason.LIMIT) for row in kept[plan.limit :]]


async def _surroundings(context: Context, recalled: Recalled) -> Surroundings:
    """The graph around the rows of the answer."""
    ids = [row.candidate.id for row in recalled.rows]
    if not ids:
        return Surroundings([], [])
    plan, chunks = recalled.plan, recalled.chunks.scopes
    statements = graph.context_for(context.user_id, plan.scopes, ids, chunks=chunks, ordinary=not plan.named)
    async with context.database.read(context.user_id, GENERIC_PLAN) as session:
        return Surroundings.of(*await session.rows_of(*statements))


async def _refused(
    context: Context, recalled: Recalled, prefetched: SearchContext, embedded: QueryEmbedding
) -> list[Dropped]:
    """The rows that suit the query and are no candidates, for debugging."""
    known = [row.candidate.id for row in recalled.candidates]
    async with context.database.owner(context.user_id, GENERIC_PLAN) as session:
        return await refused(session, recalled.plan, recalled.chunks.bases, prefetched.query, embedded.vector, known)
