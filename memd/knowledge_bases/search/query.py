"""The query of one knowledge base: its chunks by meaning and by words (contract 8.8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from memctl.wire.kb_query import QueryKnowledgeBaseRequest
from memd.context import Context
from memd.db.sql.languages import known_languages, languages_of
from memd.db.sql.term import QueryReading, read
from memd.domain.ranking.chunks import RankedChunk, fallback, indexed_fill, wants_indexed_fill
from memd.domain.search.lanes import vector_depth
from memd.domain.types import Fallback
from memd.domain.visibility.scoping import SelectedBy, VisibleScopes
from memd.embed import service as embedding
from memd.embed.service import Degraded, QueryEmbedding
from memd.errors import KnowledgeBaseNotFound
from memd.knowledge_bases.search.service import (
    DecidedBase,
    StoredChunk,
    decide_visibility,
    fetch_chunks,
    first_chunks,
    search_chunks,
)
from memd.knowledge_bases.store import StoredBase, stored_base
from memd.memories.access_counts import note_recall


@dataclass(frozen=True, slots=True)
class BaseQueried:
    """The hits, best first, with their stored rows, and how they came about."""

    stored: StoredBase
    base: DecidedBase
    scopes: VisibleScopes
    hits: Sequence[RankedChunk] = ()
    rows: Mapping[UUID, StoredChunk] = field(default_factory=dict[UUID, StoredChunk])
    by_vector: int = 0
    by_text: int = 0
    filled: int = 0
    searched: bool = False
    withheld: Mapping[UUID, int] = field(default_factory=dict[UUID, int])
    degraded: Degraded | None = None
    with_vector: bool = False

    @property
    def fallback(self) -> Fallback:
        """The lane that served instead of the vector lane."""
        return fallback(vector_count=self.by_vector, lexical_count=self.by_text, indexed_fill_count=self.filled)


async def query_base(context: Context, base_id: UUID, request: QueryKnowledgeBaseRequest) -> BaseQueried:
    """The chunks for a query; none when the request may not see the knowledge base (10.2). `KnowledgeBaseNotFound`."""
    scopes = context.scopes(request.channel, request.agent_id, peer_scope=request.peer_scope)
    user = context.user_id
    async with context.database.owner(user) as session:
        rows, languages = await session.rows_of(stored_base(user, base_id), languages_of(user))
    if not rows:
        raise KnowledgeBaseNotFound
    (stored,) = rows
    (base,) = decide_visibility(context, [stored.searched], scopes, SelectedBy.QUERY)
    unsearched = BaseQueried(stored, base, scopes)
    if not base.decision.visible:
        return unsearched
    default = context.services.settings.text_search_config
    query = read(request.query, default, known_languages(row.language for row in languages))
    embedded = await embedding.embed_query(context, request.query)
    queried = await _search(context, unsearched, request, query, embedded)
    note_recall(context, [hit.id for hit in queried.hits], "query")
    return queried


async def _search(
    context: Context,
    unsearched: BaseQueried,
    request: QueryKnowledgeBaseRequest,
    query: QueryReading,
    embedded: QueryEmbedding,
) -> BaseQueried:
    base, scopes = unsearched.base, unsearched.scopes
    depth = max(request.limit, vector_depth(request.limit))
    async with context.database.read(context.user_id) as session:
        found = await search_chunks(
            context, session, [base], query, embedded.vector, depth=depth, config_chunks=True, lifted=request.limit
        )
        hits = [hit for hit in found.best(request.limit) if hit.relevance >= request.threshold]
        counts = {"vector_count": found.by_vector, "lexical_count": found.by_text}
        filled = 0
        if wants_indexed_fill(**counts, threshold=request.threshold):
            hits = indexed_fill(await first_chunks(session, context, [base], request.limit))
            filled = len(hits)
        rows, withheld = await fetch_chunks(context, session, scopes, [base], [hit.id for hit in hits])
    return replace(
        unsearched,
        hits=[hit for hit in hits if hit.id in rows],
        rows=rows,
        by_vector=found.by_vector,
        by_text=found.by_text,
        filled=filled,
        searched=True,
        withheld=withheld,
        degraded=embedded.degraded,
        with_vector=embedded.vector is not None,
    )
