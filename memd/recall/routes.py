"""Recall over HTTP (contract 6.2)."""

from memctl.wire.messages import MessageHit
from memctl.wire.recall import (
    AskedPast,
    Diagnostics,
    HiddenKnowledgeBase,
    RecalledMemory,
    RecallQuery,
    RecallReply,
    RecallRequest,
    Retrieval,
)
from memctl.wire.recall_debug import DebugMemory, DebugVisibility, DroppedMemory, RecallDebug
from memd.access.endpoint import Call, Room
from memd.cancellation import both
from memd.domain.ids import encode
from memd.domain.ranking.contested import without_overtaken
from memd.domain.ranking.rank_score import RankedRow
from memd.domain.types import Fallback, KeyScope
from memd.embed.degradation import degradation_of
from memd.embed.reading import query_note
from memd.graph.wire import graph_context
from memd.knowledge_bases.search.service import hidden_bases
from memd.messages.rows import message_hit, temporal_hint
from memd.recall import service
from memd.recall.recalled import Recalled
from memd.recall.replies import recalled_memory, signals

room = Room("recall")


@room.endpoint(
    "POST",
    "/api/mcp/recall",
    credits=10,
    scope=KeyScope.READ,
    body=RecallRequest,
    query=RecallQuery,
    reply=RecallReply,
    jwt=True,
    errors=(404,),
)
async def recall(call: Call[RecallRequest]) -> RecallReply:
    """The memories, chunks and messages for a query, best first."""
    debug = RecallQuery.from_query(call.query).debug_recall_output
    recalled = await service.recall(call.context, call.body, debug=debug)
    surroundings, memories = await both(service.surroundings(call.context, recalled), _memories(recalled))
    messages = _messages(recalled)
    return RecallReply(
        memories=memories,
        message_matches=messages,
        temporal_hint=temporal_hint(recalled.found.messages.temporal) if recalled.found.messages else None,
        graph_context=graph_context(surroundings) if surroundings else None,
        degraded=recalled.found.embedded.degraded is not None,
        degradation=degradation_of(recalled.found.embedded.degraded) if recalled.found.embedded.degraded else None,
        retrieval=_retrieval(recalled, len(memories), len(messages)),
        diagnostics=Diagnostics(
            recall_intent=recalled.plan.intent.value,
            evidence_weight=call.context.services.settings.recall_evidence_weight,
            rerank_weight=recalled.rerank_weight,
            embedding_note=query_note(
                call.context.services.batcher.embedder, recalled.plan.text, recalled.found.prefetched.query.language
            ),
            knowledge_bases_searched=len(recalled.found.chunks.searched),
            candidate_counts=recalled.counts,
            suppressions=recalled.suppressions,
        ),
        debug=_debug(recalled) if debug else None,
        metadata=call.body.metadata,
    )


async def _memories(recalled: Recalled) -> list[RecalledMemory]:
    """The rows of the answer; asynchronous, so that they are rendered while the graph around them is read."""
    request = recalled.plan.request
    bases = {base.id: base for base in recalled.found.chunks.searched}
    conflicts = without_overtaken(recalled.found.memories.conflicts)
    return [
        recalled_memory(
            row,
            bases,
            moment=recalled.plan.moment,
            conflicts=conflicts,
            compact=request.compact,
            preview_length=request.preview_length,
        )
        for row in recalled.rows
    ]


def _messages(recalled: Recalled) -> list[MessageHit]:
    hits = recalled.found.messages.hits if recalled.found.messages else []
    return [message_hit(hit.row, hit) for hit in hits]


def _retrieval(recalled: Recalled, hits: int, messages: int) -> Retrieval:
    plan, past = recalled.plan, recalled.plan.asked_past
    return Retrieval(
        requested_limit=plan.limit,
        final_hits=hits,
        message_matches=messages,
        starved=hits < plan.limit,
        below_evidence=recalled.below_evidence,
        nothing_relevant=recalled.nothing_relevant,
        filters_applied=plan.filters_applied(),
        fallback=Fallback.LEXICAL_ONLY if recalled.found.embedded.degraded and hits else Fallback.NONE,
        hidden=[
            HiddenKnowledgeBase(knowledge_base_id=encode("kb", base_id), reason=reason)
            for base_id, reason in hidden_bases(recalled.found.chunks.bases, recalled.found.chunks.withheld)
        ],
        knowledge_bases_skipped=recalled.found.chunks.skipped or None,
        asked_past=None if past is None else AskedPast(name=past.name, valid_at=past.valid_at),
    )


def _debug(recalled: Recalled) -> RecallDebug:
    return RecallDebug(
        candidates=recalled.counts,
        memories=[_debug_memory(row) for row in recalled.candidates],
        dropped=[DroppedMemory(id=encode("mem", row.id), reason=row.reason) for row in recalled.dropped],
        timings_ms=recalled.timings,
        visibility=[
            DebugVisibility(
                knowledge_base_id=encode("kb", base.id), visible=base.decision.visible, why=base.decision.why
            )
            for base in recalled.found.chunks.bases
        ],
    )


def _debug_memory(row: RankedRow) -> DebugMemory:
    return DebugMemory(
        id=encode("mem", row.candidate.id),
        lanes=list(row.candidate.lanes),
        components=signals(row).model_dump(by_alias=True, exclude_none=True),
        rank_score=row.rank_score,
    )
