"""Recall: the memories, chunks and messages that a query should bring back (contract 6.2, 11.1)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from memctl.wire.recall import RecallRequest
from memd.context import Context
from memd.db.session import ReadSession
from memd.db.term_sql import QueryReading, read_query
from memd.domain.lanes import Lane
from memd.domain.ranking import RankedRow, best_text_score, rank
from memd.domain.selection import Dropped, DropReason, merge, select_chunks, select_memories
from memd.embed import service as embedding
from memd.embed.service import Degraded, QueryEmbedding
from memd.graph import service as graph
from memd.graph.service import Surroundings
from memd.knowledge_bases import chunk_search
from memd.memories.access import note_recall
from memd.messages.search import MessagesFound, find_messages
from memd.recall.knowledge import ChunksForRecall, find_chunks, hits_per_base
from memd.recall.ordinary import MemoriesFound, find_memories
from memd.recall.plan import MESSAGE_MATCHES, RecallPlan, make_plan
from memd.recall.refusals import refused
from memd.recall.stopwatch import Stopwatch


@dataclass(slots=True)
class Recalled:
    """The answer: rows best first, what stands beside them, and how they came about.

    `candidates` are all rows that were ranked, `dropped` those of them that are not in the answer; with debugging,
    also the rows that were hidden or filtered. `timings` are milliseconds by stage.
    """

    plan: RecallPlan
    memories: MemoriesFound
    chunks: ChunksForRecall
    degraded: Degraded | None
    candidates: Sequence[RankedRow] = ()
    rows: Sequence[RankedRow] = ()
    dropped: list[Dropped] = field(default_factory=list[Dropped])
    messages: MessagesFound | None = None
    surroundings: Surroundings | None = None
    timings: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def counts(self) -> dict[str, int]:
        """How many candidates each lane found."""
        ordinary = {lane.value: self.memories.counts.get(lane, 0) for lane in (Lane.VECTOR, Lane.TEXT, Lane.RECENT)}
        messages = len(self.messages.hits) if self.messages else 0
        return {**ordinary, Lane.KB.value: self.chunks.found, "messages": messages}

    @property
    def suppressions(self) -> dict[str, int]:
        """How many rows were left out, by reason."""
        reasons = Counter(row.reason.value for row in self.dropped)
        if self.chunks.hidden_chunks:
            reasons[DropReason.PEER_CHUNK.value] = self.chunks.hidden_chunks
        return dict(reasons)


async def recall(context: Context, request: RecallRequest, *, debug: bool = False) -> Recalled:
    """The best rows for a query; a failing embedder makes the answer lexical and is never an error (rule 7)."""
    watch = Stopwatch()
    plan = make_plan(context, request)
    if plan.named:
        await chunk_search.check_named(context, plan.scopes, plan.named)
    embedded = await embedding.embed_query(context, plan.text)
    watch.lap("embedding")
    async with context.database.read(context.user_id) as session:
        query = await read_query(session, context.services.settings.text_search_config, plan.text)
        recalled = await _find(context, session, plan, query, embedded, watch)
        _select(context, recalled)
        watch.lap("ranking")
        await _find_beside(context, session, recalled, query, embedded)
        watch.lap("beside")
        if debug:
            known = [row.candidate.id for row in recalled.candidates]
            recalled.dropped += await refused(session, plan, recalled.chunks.bases, query, embedded.vector, known)
    recalled.timings = watch.laps
    note_recall(context, [row.candidate.id for row in recalled.rows], "recall")
    return recalled


async def _find(
    context: Context,
    session: ReadSession,
    plan: RecallPlan,
    query: QueryReading,
    embedded: QueryEmbedding,
    watch: Stopwatch,
) -> Recalled:
    """What the lanes find; naming knowledge bases leaves ordinary memories out."""
    chunks = await find_chunks(context, session, plan, query, embedded.vector)
    watch.lap("knowledgeBases")
    memories = MemoriesFound()
    if not plan.named:
        memories = await find_memories(context, session, plan, query, embedded.vector)
        watch.lap("memories")
    return Recalled(plan, memories, chunks, embedded.degraded)


def _select(context: Context, recalled: Recalled) -> None:
    """Rank the candidates and choose among them (contract 11.1, steps 6–12)."""
    plan = recalled.plan
    memories, chunks = recalled.memories.candidates, recalled.chunks.candidates
    best = best_text_score([*memories, *chunks]) if recalled.degraded else None
    query = plan.rank_query(context.now, best)
    ranked_memories, ranked_chunks = rank(memories, query), rank(chunks, query)
    ordinary = select_memories(ranked_memories, plan.limit, collapse_near_duplicates=plan.collapse)
    hits = select_chunks(ranked_chunks, ordinary.rows, hits_per_base(plan))
    merged = merge(
        ordinary.rows, hits.rows, plan.limit, collapse_near_duplicates=plan.collapse, half_rule=not plan.named
    )
    recalled.candidates = [*ranked_memories, *ranked_chunks]
    recalled.rows = merged.rows
    recalled.dropped = [*ordinary.dropped, *hits.dropped, *merged.dropped]


async def _find_beside(
    context: Context, session: ReadSession, recalled: Recalled, query: QueryReading, embedded: QueryEmbedding
) -> None:
    """What stands beside the rows: messages, unless knowledge bases are named, and the graph."""
    plan = recalled.plan
    if not plan.named:
        recalled.messages = await find_messages(
            context,
            session,
            plan.message_scopes,
            query,
            embedded,
            plan.window,
            limit=min(plan.limit, MESSAGE_MATCHES),
        )
    if plan.request.include_graph_context:
        recalled.surroundings = await graph.context_for(
            session,
            plan.scopes,
            [row.candidate.id for row in recalled.rows],
            chunks=recalled.chunks.scopes,
            ordinary=not plan.named,
        )
