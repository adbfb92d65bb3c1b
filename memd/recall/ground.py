"""What a recall knows before it searches, read in one round trip while the query is being embedded."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from memd.context import Context
from memd.db.session import Row
from memd.db.term_sql import QueryReading, query_reading, reading
from memd.embed import service as embedding
from memd.embed.service import QueryEmbedding
from memd.knowledge_bases import chunk_search
from memd.messages import search as message_search
from memd.messages.search import MessageGround
from memd.recall import store
from memd.recall.plan import RecallPlan
from memd.stats import service as stats


@dataclass(frozen=True, slots=True)
class Ground:
    """The query's words; the caller's knowledge bases (the named ones, if any); memories in number, and their channels."""

    query: QueryReading
    bases: Sequence[Row]
    memories: int
    channels: Sequence[Row]
    messages: MessageGround


async def prepare(context: Context, plan: RecallPlan) -> tuple[Ground, QueryEmbedding]:
    """The ground and the query's vector; `KnowledgeBaseNotFound` before anything is spent on the request."""
    if plan.named:
        return await _survey(context, plan), await embedding.embed_query(context, plan.text)
    return await asyncio.gather(_survey(context, plan), embedding.embed_query(context, plan.text))


async def _survey(context: Context, plan: RecallPlan) -> Ground:
    config, user = context.services.settings.text_search_config, context.user_id
    async with context.database.read(user) as session:
        (read,), bases, channels, message_channels, (totals,) = await session.rows_of(
            reading(config, plan.text),
            chunk_search.every_base(user),
            store.channels(user),
            message_search.channels(user),
            stats.totals(user),
        )
    query = query_reading(config, plan.text, read)
    return Ground(
        query=query,
        bases=chunk_search.pick_bases(bases, plan.named),
        memories=totals["active_memories"],
        channels=channels,
        messages=MessageGround(query, totals["total_messages"], message_channels),
    )
