"""The query of a knowledge base over HTTP (contract 8.8)."""

from functools import partial

from memctl.wire.kb_query import QueryHit, QueryHitSource, QueryKnowledgeBaseRequest, QueryReply, QueryRetrieval
from memctl.wire.knowledge_bases import KnowledgeBaseRow
from memctl.wire.recall import HiddenKnowledgeBase, RecalledMemory
from memd.access.endpoint import Call, Room
from memd.context import Context
from memd.domain.ids import encode
from memd.domain.ranking.chunks import RankedChunk
from memd.domain.ranking.rank_score import RankQuery, RankWeights, score
from memd.domain.search.source_roles import classify_intent, role_value
from memd.domain.search.text_match import query_terms
from memd.domain.types import ChunkKind, KeyScope
from memd.embed.degradation import degradation_of
from memd.knowledge_bases.routes import base_id, row_fields
from memd.knowledge_bases.search.query import BaseQueried, query_base
from memd.knowledge_bases.search.service import StoredChunk, hidden_bases
from memd.off_loop import in_thread_if_any_long
from memd.recall.chunk_lane import chunk_candidate, source_role
from memd.recall.replies import recalled_memory

room = Room("knowledge_bases")
PREVIEW = 800


@room.endpoint(
    "POST",
    "/api/knowledge-bases/{id}/query",
    credits=10,
    scope=KeyScope.READ,
    body=QueryKnowledgeBaseRequest,
    reply=QueryReply,
    errors=(404,),
)
async def query(call: Call[QueryKnowledgeBaseRequest]) -> QueryReply:
    """The chunks of a knowledge base for a query, best first."""
    queried = await query_base(call.context, base_id(call.path["id"]), call.body)
    texts = (row.content for row in queried.rows.values())
    memories = await in_thread_if_any_long(partial(_memories, queried, call.body.query, call.context), texts)
    same = zip(queried.hits, memories, strict=True)
    return QueryReply(
        results=[_hit(hit, queried.rows[hit.id], weak=memory.weak) for hit, memory in same],
        retrieval=_retrieval(queried),
        knowledge_base=KnowledgeBaseRow(**row_fields(queried.stored)),
        memories=memories,
        degraded=queried.degraded is not None,
        degradation=degradation_of(queried.degraded) if queried.degraded else None,
    )


def _hit(hit: RankedChunk, row: StoredChunk, *, weak: bool | None) -> QueryHit:
    return QueryHit(
        chunk_id=encode("mem", hit.id),
        title=row.title,
        content=row.content,
        metadata=QueryHitSource(
            title=row.title,
            source_url=row.source_url,
            chunk_index=row.chunk_index,
            total_chunks=row.total_chunks,
            source_type=row.source_type,
            chunk_kind=ChunkKind(row.chunk_kind),
        ),
        relevance=hit.relevance,
        similarity=hit.similarity,
        text_score=hit.text_score,
        pair_score=hit.pair_score,
        neighbour_lift=hit.relevance - hit.evidence,
        weak=weak,
        dedupe_key=row.dedupe_key,
        created_at=row.created_at,
    )


def _retrieval(queried: BaseQueried) -> QueryRetrieval:
    return QueryRetrieval(
        vector_count=queried.by_vector,
        lexical_count=queried.by_text,
        indexed_fill_count=queried.filled,
        fallback=queried.fallback,
        vector_attempted=queried.with_vector,
        lexical_attempted=queried.searched,
        result_count=len(queried.hits),
        hidden=[
            HiddenKnowledgeBase(knowledge_base_id=encode("kb", hidden), reason=reason)
            for hidden, reason in hidden_bases([queried.base], queried.withheld)
        ],
    )


def _memories(queried: BaseQueried, text: str, context: Context) -> list[RecalledMemory]:
    """The same hits in the shape of recall, in the same order; their relevance is that of 11.2."""
    scopes, terms = queried.scopes, query_terms(text)
    role = role_value(classify_intent(text), source_role(queried.base))
    channel = scopes.request.q
    query = RankQuery(context.now, channel=channel, peer_capable=scopes.rules.is_peer_capable(channel))
    weights = RankWeights(evidence=context.services.settings.recall_evidence_weight)
    bases = {queried.base.id: queried.base}
    memories: list[RecalledMemory] = []
    for hit in queried.hits:
        row = queried.rows[hit.id]
        ranked = score(chunk_candidate(row, terms, hit, role_value=role), query, weights)
        memories.append(recalled_memory(ranked, bases, preview_length=PREVIEW))
    return memories
