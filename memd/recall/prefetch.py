"""What a recall has to know before it searches, read in one round trip while the query is being embedded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from memd.context import Context
from memd.db.channels_sql import MOST_CHANNELS, listed
from memd.db.engine import GENERIC_PLAN
from memd.db.languages_sql import known_languages, languages_of
from memd.db.term_sql import QueryReading, read
from memd.db.typed_rows import ComposedRow
from memd.domain.scoping import MemoryScope
from memd.embed.vector_index import is_indexed
from memd.graph import service as graph
from memd.knowledge_bases import chunk_search
from memd.knowledge_bases.chunk_search import StoredBase
from memd.messages import search as message_search
from memd.messages.search import MessageContext
from memd.recall import store
from memd.recall.plan import RecallPlan
from memd.stats import service as stats
from memd.stats.service import Totals


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The query's words; the caller's knowledge bases (the named ones, if any); the memories.

    Of the memories: their number, whether their vectors are indexed, whether a graph was made of any, those in sight, and
    whether those are all.
    """

    query: QueryReading
    bases: Sequence[StoredBase]
    memories: int
    indexed: bool
    has_graph: bool
    scope: MemoryScope
    sees_all: bool
    messages: MessageContext


@dataclass(frozen=True, slots=True)
class _Prefetched(ComposedRow):
    """A knowledge base, if there is any, and the totals; the first row also has the lists of values."""

    totals: Totals
    channels: list[str]
    message_channels: list[str]
    indexed: list[bool]
    has_graph: list[bool]
    languages: list[str]
    base: StoredBase | None

    _LISTS: ClassVar = ("channels", "message_channels", "indexed", "has_graph", "languages")
    _fields: ClassVar[tuple[str, ...]] = (*Totals._fields, *_LISTS, "place", *StoredBase._fields)

    @classmethod
    def _make(cls, iterable: Iterable[Any], /) -> Self:
        columns = list(iterable)
        totals, lists, base = (
            columns[: len(Totals._fields)],
            columns[len(Totals._fields) :][:5],
            columns[-len(StoredBase._fields) :],
        )
        channels, message_channels, indexed, has_graph, languages = lists
        return cls(
            Totals._make(totals),
            channels,
            message_channels,
            indexed,
            has_graph,
            languages,
            None if base[0] is None else StoredBase._make(base),
        )


async def prefetch(context: Context, plan: RecallPlan) -> SearchContext:
    """Read the search context of a request; `KnowledgeBaseNotFound` for a named one that the caller does not have."""
    user = context.user_id
    known = {
        "channels": store.channels(user),
        "message_channels": message_search.channels(user),
        "indexed": is_indexed(context),
        "has_graph": graph.has_graph(user),
        "languages": languages_of(user),
    }
    statement = store.prefetch(stats.totals(user), known, chunk_search.every_base(user))
    async with context.database.read(user, GENERIC_PLAN) as session:
        rows = await session.rows(_Prefetched, *statement)
    first = rows[0]
    query = read(plan.text, context.services.settings.text_search_config, known_languages(first.languages))
    scope = plan.scopes.memory
    return SearchContext(
        query=query,
        bases=chunk_search.pick_bases((row.base for row in rows if row.base is not None), plan.named),
        memories=first.totals.active_memories,
        indexed=first.indexed[0],
        has_graph=first.has_graph[0],
        scope=listed(scope, first.channels),
        sees_all=len(first.channels) <= MOST_CHANNELS and all(map(scope.admits, [None, *first.channels])),
        messages=MessageContext(query, first.totals.total_messages, first.message_channels),
    )
