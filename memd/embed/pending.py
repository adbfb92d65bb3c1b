"""Embedding what was stored without a vector: messages, and rows whose import ran out of time or allowance."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from memd.accounts import service as accounts
from memd.context import Context, Services
from memd.embed import pending_store as store
from memd.embed import service as embedding
from memd.embed.pending_store import Waiting

PAGE = 64


async def embed_pending(services: Services, user_id: UUID, payload: Mapping[str, Any]) -> None:
    """The job `embed`: embed all waiting rows of a user."""
    del payload
    context = await accounts.job_context(services, user_id)
    if context is None:
        return
    await embed_waiting(context)


async def embed_waiting(context: Context) -> int:
    """Embed all waiting rows, oldest first, within the background half of the day's allowance; how many."""
    total = 0
    while page := await _next_page(context):
        granted = await embedding.take_allowance(context, len(page), background=True)
        if granted == 0:
            break
        rows, model = page[:granted], context.services.model
        vectors = await embedding.embed_texts(context, [row.text for row in rows], background=True)
        async with context.database.write(context.user_id) as session:
            statements = [
                store.vector_of(session, row, model, vector) for row, vector in zip(rows, vectors, strict=False)
            ]
            await session.execute_all(*statements)
        total += granted
    return total


async def _next_page(context: Context) -> list[Waiting]:
    """The oldest waiting rows."""
    async with context.database.read(context.user_id) as session:
        messages = await store.waiting_messages(session, PAGE)
        return messages + await store.waiting_memories(session, PAGE - len(messages))
