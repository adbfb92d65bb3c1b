"""What a recall has to know before it searches, read in one round trip while the query is being embedded."""

from collections.abc import Sequence
from dataclasses import dataclass

from memd.context import Context
from memd.db.channels_sql import MOST_CHANNELS, listed
from memd.db.engine import GENERIC_PLAN
from memd.db.languages_sql import known_languages, languages_of
from memd.db.session import Row
from memd.db.term_sql import QueryReading, read
from memd.domain.scoping import MemoryScope
from memd.embed.vector_index import is_indexed
from memd.graph import service as graph
from memd.knowledge_bases import chunk_search
from memd.messages import search as message_search
from memd.messages.search import MessageContext
from memd.recall import store
from memd.recall.plan import RecallPlan
from memd.stats import service as stats


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The query's words; the caller's knowledge bases (the named ones, if any); the memories.

    Of the memories: their number, whether their vectors are indexed, whether a graph was made of any, those in sight, and
    whether those are all.
    """

    query: QueryReading
    bases: Sequence[Row]
    memories: int
    indexed: bool
    has_graph: bool
    scope: MemoryScope
    sees_all: bool
    messages: MessageContext


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
        rows = await session.rows(*statement)
    row = rows[0]
    query = read(plan.text, context.services.settings.text_search_config, known_languages(row["languages"]))
    scope = plan.scopes.memory
    return SearchContext(
        query=query,
        bases=chunk_search.pick_bases((base for base in rows if base["id"] is not None), plan.named),
        memories=row["active_memories"],
        indexed=row["indexed"][0],
        has_graph=row["has_graph"][0],
        scope=listed(scope, row["channels"]),
        sees_all=len(row["channels"]) <= MOST_CHANNELS and all(map(scope.admits, [None, *row["channels"]])),
        messages=MessageContext(query, row["total_messages"], row["message_channels"]),
    )
