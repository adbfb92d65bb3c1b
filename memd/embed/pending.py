"""Embedding what was stored without a vector: messages, and rows whose import ran out of time or allowance."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import structlog

from memd.accounts import service as accounts
from memd.context import Context, Services
from memd.domain.ids import encode
from memd.embed import pending_store as store
from memd.embed import service as embedding
from memd.embed.pending_store import Waiting
from memd.embed.provider import EmbeddingRefusedError, Vector

log = structlog.get_logger()
PAGE = 64
MAX_REFUSED = 256
"""Texts that an embedder may refuse in one run before it is taken to refuse all."""


async def embed_pending(services: Services, user_id: UUID, payload: Mapping[str, Any]) -> None:
    """The job `embed`: embed all waiting rows of a user."""
    del payload
    context = await accounts.job_context(services, user_id)
    if context is None:
        return
    await embed_waiting(context)


async def embed_waiting(context: Context) -> int:
    """Embed all waiting rows, oldest first, within the background half of the day's allowance; how many.

    A row that the embedder refuses keeps waiting, and does not keep the later ones from their vectors.
    EmbeddingRefusedError after `MAX_REFUSED` of them.
    """
    total, refused = 0, list[UUID]()
    while page := await _next_page(context, refused):
        granted = await embedding.take_allowance(context, len(page), background=True)
        if granted == 0:
            break
        rows, model = page[:granted], context.services.model
        vectors = await _vectors(context, rows)
        async with context.database.write(context.user_id) as session:
            statements = [store.vector_of(session, row, model, vector) for row, vector in vectors]
            await session.execute_all(*statements)
        total += len(vectors)
        embedded = {row.id for row, _vector in vectors}
        refused += [row.id for row in rows if row.id not in embedded]
        if len(refused) >= MAX_REFUSED:
            raise EmbeddingRefusedError(f"The embedder refused {len(refused)} texts of one user")
    if refused:
        log.warning("embedding.refused", userId=encode("usr", context.user_id), rows=len(refused))
    return total


async def _vectors(context: Context, rows: Sequence[Waiting]) -> list[tuple[Waiting, Vector]]:
    """The rows with their vectors, without those that the embedder refuses."""
    try:
        return list(zip(rows, await _embedded(context, rows), strict=True))
    except EmbeddingRefusedError:
        if len(rows) == 1:
            return []
    middle = len(rows) // 2
    return [*await _vectors(context, rows[:middle]), *await _vectors(context, rows[middle:])]


async def _embedded(context: Context, rows: Sequence[Waiting]) -> Vector:
    return await embedding.embed_texts(context, [row.text for row in rows], background=True)


async def _next_page(context: Context, refused: Sequence[UUID]) -> list[Waiting]:
    """The oldest waiting rows but those that were refused."""
    async with context.database.read(context.user_id) as session:
        messages = await store.waiting_messages(session, PAGE, refused)
        return messages + await store.waiting_memories(session, PAGE - len(messages), refused)
