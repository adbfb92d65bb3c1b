"""The knowledge base lane of a recall (contract 11.1, step 11; 10.2; 11.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from memctl.wire.enums import RecallSection
from memd.context import Context
from memd.db.session import ReadSession
from memd.domain.ranking.chunks import RankedChunk, evidence
from memd.domain.ranking.evidence import DEFAULT_EVIDENCE_WEIGHTS, Evidence
from memd.domain.ranking.rank_score import Candidate
from memd.domain.search.lanes import Lane, vector_depth
from memd.domain.search.source_roles import KnowledgeSource, fan_out, role_of, role_value, sources_to_search
from memd.domain.search.text_match import QueryTerms, memory_match
from memd.domain.types import SourceRole
from memd.domain.visibility.scoping import ChunkScope, SelectedBy
from memd.embed.service import PendingEmbedding, Vector
from memd.knowledge_bases.search import service as chunk_search
from memd.knowledge_bases.search.service import ChunksFound, DecidedBase, StoredChunk
from memd.memories.history.withheld import withheld_at
from memd.off_loop import in_thread_if_any_long
from memd.recall.plan import RecallPlan, SearchContext


@dataclass(frozen=True, slots=True)
class ChunksForRecall:
    """The candidates, the knowledge bases that were searched, and how many chunks of each are withheld.

    `skipped` visible ones were not searched, because others suit the query better.
    """

    candidates: Sequence[Candidate] = ()
    bases: Sequence[DecidedBase] = ()
    searched: Sequence[DecidedBase] = ()
    found: int = 0
    skipped: int = 0
    withheld: Mapping[UUID, int] = field(default_factory=dict[UUID, int])

    @property
    def scopes(self) -> list[tuple[UUID, ChunkScope]]:
        """The visible knowledge bases, each with the chunks that it lets through."""
        return [(base.id, base.scope) for base in self.bases if base.decision.visible]


async def find_chunks(
    context: Context, plan: RecallPlan, prefetched: SearchContext, embedding: PendingEmbedding
) -> ChunksForRecall:
    """The best chunks of the visible knowledge bases that suit the query, or of the named ones; empty ones take no place."""
    if RecallSection.KNOWLEDGE not in plan.sections:
        return ChunksForRecall()
    bases = chunk_search.decide_visibility(
        context, prefetched.bases, plan.scopes, SelectedBy.NAMED if plan.named else SelectedBy.RECALL
    )
    if plan.moment.known_at is not None and bases:
        bases = await chunk_search.as_known(context, bases, plan.moment.known_at)
    filled = [base for base in bases if base.decision.visible and base.row.memory_count]
    searched = filled if plan.named else _suited(plan, filled)
    if not searched:
        return ChunksForRecall(bases=bases)
    vector = (await embedding.result()).vector
    async with context.database.read(context.user_id) as session:
        found = await _search(context, session, plan, prefetched, searched, vector)
        chunks = _best(plan, found)
        rows, withheld = await chunk_search.fetch_chunks(
            context, session, plan.scopes, searched, [chunk.id for chunk in chunks], plan.moment
        )
    blocked = await withheld_at(context, list(rows), plan.moment.known_at)
    roles = {base.id: role_value(plan.intent, source_role(base)) for base in searched}

    def candidates() -> list[Candidate]:
        return [
            chunk_candidate(row, plan.terms, chunk, role_value=roles[row.knowledge_base_id])
            for chunk in chunks
            if (row := rows.get(chunk.id)) is not None and chunk.id not in blocked
        ]

    return ChunksForRecall(
        candidates=await in_thread_if_any_long(candidates, (row.content for row in rows.values())),
        bases=bases,
        searched=searched,
        found=sum(len(ranked) for ranked in found.by_base.values()),
        skipped=len(filled) - len(searched),
        withheld=withheld,
    )


async def _search(
    context: Context,
    session: ReadSession,
    plan: RecallPlan,
    prefetched: SearchContext,
    searched: Sequence[DecidedBase],
    vector: Vector | None,
) -> ChunksFound:
    return await chunk_search.search_chunks(
        context,
        session,
        searched,
        prefetched.query,
        vector,
        depth=vector_depth(plan.limit),
        wanted=plan.wanted,
        known_at=plan.moment.known_at,
    )


def chunk_candidate(row: StoredChunk, terms: QueryTerms, chunk: RankedChunk, *, role_value: float) -> Candidate:
    """A chunk as the search of its knowledge base found it; `role_value` is that of its knowledge base (11.3)."""
    return Candidate(
        row,
        vector_score=chunk.similarity,
        text_match=memory_match(terms, row.title, row.content, row.tags),
        evidence=_chunk_evidence(chunk),
        knowledge_base_id=row.knowledge_base_id,
        role_value=role_value,
        knowledge_base_score=chunk.relevance,
        lanes=(Lane.KB,),
    )


def source_role(base: DecidedBase) -> SourceRole:
    """The role of a knowledge base: as set, else derived from its name."""
    return role_of(_source(base))


def hits_per_base(plan: RecallPlan) -> int:
    """How many chunks of one knowledge base may enter the answer; any number of a named one."""
    return plan.limit if plan.named else fan_out(plan.intent).hits_per_knowledge_base


def _source(base: DecidedBase) -> KnowledgeSource:
    return KnowledgeSource.stored(base.id, base.row.name, base.row.source_role)


def _suited(plan: RecallPlan, bases: Sequence[DecidedBase]) -> list[DecidedBase]:
    """Those best suited to the query."""
    known = {base.id: base for base in bases}
    return [
        known[source.id] for source in sources_to_search([_source(base) for base in bases], plan.intent, plan.terms)
    ]


def _best(plan: RecallPlan, found: ChunksFound) -> list[RankedChunk]:
    """The chunks worth fetching: enough that copies of rows in the answer can be dropped."""
    if plan.named:
        return found.best(vector_depth(plan.limit))
    enough = hits_per_base(plan) + plan.limit
    return [chunk for ranked in found.by_base.values() for chunk in ranked[:enough]]


def _chunk_evidence(chunk: RankedChunk) -> Evidence:
    """The evidence of a chunk (contract 11.2): as in a query (8.8), but a word counts once, as it does in a memory."""
    weights = DEFAULT_EVIDENCE_WEIGHTS
    total = evidence(chunk.similarity, chunk.word_share, chunk.pair_score)
    parts = Evidence(total, words=chunk.word_share or 0.0, pairs=chunk.pair_score)
    if chunk.similarity is None:
        return parts._replace(pairs=0.0, meaning_weight=0.0, words_weight=weights.words_alone)
    if chunk.word_share is None:
        return parts._replace(pairs=0.0, meaning_weight=weights.meaning_alone, words_weight=0.0)
    return parts
