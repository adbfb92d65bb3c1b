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
    """Embed all waiting rows of a user, oldest first, within the background half of the day's allowance."""
    del payload
    context = await accounts.job_context(services, user_id)
    if context is None:
        return
    if not await _until_none(context):
        return
    await asyncio.sleep(SETTLE_S)  # a transaction that saw this job waiting may have committed since
    await _until_none(context)


async def _until_none(context: Context) -> bool:
    """Page after page; whether everything is embedded now."""
    while True:
        page = await _next_page(context)
        if not page:
            return True
        granted = await embedding.take_allowance(context, len(page), background=True)
        if granted == 0:
            return False
        vectors = await embedding.embed_texts(context, [text for _, _, text in page[:granted]])
        async with context.database.write(context.user_id) as session:
            for (kind, row_id, _), vector in zip(page[:granted], vectors, strict=False):
                await store.set_vector(session, kind, row_id, context.services.model, vector)


async def _next_page(context: Context) -> list[tuple[store.Kind, UUID, str]]:
    """The oldest waiting rows with the text to embed."""
    async with context.database.read(context.user_id) as session:
        messages = await store.waiting_messages(session, PAGE)
        memories = await store.waiting_memories(session, PAGE - len(messages))
    page: list[tuple[store.Kind, UUID, str]] = [
        ("message", row["id"], message_embedding_text(row["speaker"], row["role"], row["content"])) for row in messages
    ]
    return page + [("memory", row["id"], embedding_text(row["title"], row["content"])) for row in memories]
