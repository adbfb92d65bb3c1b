"""What a recall has to know before it searches, read in one round trip while the query is being embedded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from memd.context import Context
from memd.db.channels_sql import MOST_CHANNELS, listed
from memd.db.engine import GENERIC_PLAN
from memd.db.languages_sql import known_languages
from memd.db.term_sql import QueryReading, read
from memd.db.typed_rows import ComposedRow
from memd.domain.scoping import MemoryScope
from memd.embed.vector_index import is_indexed
from memd.knowledge_bases import chunk_search
from memd.knowledge_bases.chunk_search import StoredBase
from memd.messages.search import MessageContext
from memd.recall import store
from memd.recall.plan import RecallPlan


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
    """A row of `store.prefetch`; only the first has the three lists, and `base` is None where there is none."""

    memories: int
    messages: int
    has_graph: bool
    indexed: bool
    channels: list[str]
    message_channels: list[str]
    languages: list[str]
    base: StoredBase | None

    _fields: ClassVar[tuple[str, ...]] = (
        *("memories", "messages", "has_graph", "indexed", "channels", "message_channels", "languages", "place"),
        *StoredBase._fields,
    )

    @classmethod
    def _make(cls, iterable: Iterable[Any], /) -> Self:
        memories, messages, has_graph, indexed, channels, message_channels, languages, _, *base = iterable
        stored = None if base[0] is None else StoredBase._make(base)
        return cls(memories, messages, has_graph, indexed, channels, message_channels, languages, stored)


async def prefetch(context: Context, plan: RecallPlan) -> SearchContext:
    """Read the search context of a request; `KnowledgeBaseNotFound` for a named one that the caller does not have."""
    user = context.user_id
    statement = store.prefetch(user, is_indexed(context), chunk_search.every_base(user))
    async with context.database.read(user, GENERIC_PLAN) as session:
        rows = await session.rows(_Prefetched, *statement)
    first = rows[0]
    query = read(plan.text, context.services.settings.text_search_config, known_languages(first.languages))
    scope = plan.scopes.memory
    return SearchContext(
        query=query,
        bases=chunk_search.pick_bases((row.base for row in rows if row.base is not None), plan.named),
        memories=first.memories,
        indexed=first.indexed,
        has_graph=first.has_graph,
        scope=listed(scope, first.channels),
        sees_all=len(first.channels) <= MOST_CHANNELS and all(map(scope.admits, [None, *first.channels])),
        messages=MessageContext(query, first.messages, first.message_channels),
    )
