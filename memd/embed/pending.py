"""Embedding what was stored without a vector: messages, and rows whose import ran out of time or allowance."""

import asyncio
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from memd.accounts import service as accounts
from memd.context import Context, Services
from memd.domain.embedding_text import embedding_text
from memd.domain.message_text import message_embedding_text
from memd.embed import pending_store as store
from memd.embed import service as embedding

PAGE = 64
SETTLE_S = 0.2


async def embed_pending(services: Services, user_id: UUID, payload: Mapping[str, Any]) -> None:
    """The job `embed`: embed all waiting rows of a user."""
    del payload
    context = await accounts.job_context(services, user_id)
    if context is None:
        return
    await embed_waiting(context)
    await asyncio.sleep(SETTLE_S)  # a transaction that saw this job waiting may have committed since
    await embed_waiting(context)


async def embed_waiting(context: Context) -> int:
    """Embed all waiting rows, oldest first, within the background half of the day's allowance; how many."""
    total = 0
    while page := await _next_page(context):
        granted = await embedding.take_allowance(context, len(page), background=True)
        if granted == 0:
            break
        vectors = await embedding.embed_texts(context, [text for _, _, text in page[:granted]], background=True)
        async with context.database.write(context.user_id) as session:
            await session.execute_all(
                *(
                    statement
                    for (kind, row_id, _), vector in zip(page[:granted], vectors, strict=False)
                    for statement in store.vector_of(session, kind, row_id, context.services.model, vector)
                )
            )
        total += granted
    return total


async def _next_page(context: Context) -> list[tuple[store.Kind, UUID, str]]:
    """The oldest waiting rows with the text to embed."""
    async with context.database.read(context.user_id) as session:
        messages = await store.waiting_messages(session, PAGE)
        memories = await store.waiting_memories(session, PAGE - len(messages))
    page: list[tuple[store.Kind, UUID, str]] = [
        ("message", row["id"], message_embedding_text(row["speaker"], row["role"], row["content"])) for row in messages
    ]
    return page + [("memory", row["id"], embedding_text(row["title"], row["content"])) for row in memories]
