"""The lanes of a recall, which run at the same time: memories, chunks and messages (contract 11.1 steps 1–5, 11)."""

import asyncio
from dataclasses import dataclass

from memd.context import Context
from memd.embed.service import PendingEmbedding, QueryEmbedding, embed_query
from memd.messages.search import MessagesFound, find_messages
from memd.recall.chunk_lane import ChunksForRecall, find_chunks
from memd.recall.memory_lanes import MemoriesFound, find_memories
from memd.recall.plan import RecallPlan
from memd.recall.prefetch import SearchContext, prefetch
from memd.recall.stopwatch import Stopwatch


@dataclass(frozen=True, slots=True)
class Found:
    """What all lanes found, and with what they searched; no messages where knowledge bases are named."""

    prefetched: SearchContext
    embedded: QueryEmbedding
    memories: MemoriesFound
    chunks: ChunksForRecall
    messages: MessagesFound | None


async def search(context: Context, plan: RecallPlan, watch: Stopwatch) -> Found:
    """What all lanes find; the first error of any ends the others.

    A lane does what needs no vector while the query is being embedded. `KnowledgeBaseNotFound` for a named knowledge base
    that is not there, before the query is embedded.
    """
    try:
        async with asyncio.TaskGroup() as group:
            embedding = None if plan.named else PendingEmbedding(group.create_task(embed_query(context, plan.text)))
            prefetched = await prefetch(context, plan)
            embedding = embedding or PendingEmbedding(group.create_task(embed_query(context, plan.text)))
            run = (context, plan, prefetched, embedding)
            memories = group.create_task(watch.timed("memories", find_memories, *run))
            chunks = group.create_task(watch.timed("knowledgeBases", find_chunks, *run))
            messages = group.create_task(watch.timed("messages", _find_messages, *run))
            embedded = await embedding.result()
            watch.lap("embedding")
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    watch.lap("lanes")
    return Found(prefetched, embedded, memories.result(), chunks.result(), messages.result())


async def _find_messages(
    context: Context, plan: RecallPlan, prefetched: SearchContext, embedding: PendingEmbedding
) -> MessagesFound | None:
    """The messages to return with the rows, unless knowledge bases are named."""
    if plan.named:
        return None
    embedded = await embedding.result()
    return await find_messages(
        context, plan.message_scopes, prefetched.messages, embedded, plan.window, plan.message_limit
    )
