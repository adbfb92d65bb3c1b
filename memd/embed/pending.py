"""Embedding what was stored without a vector: messages, and rows whose import ran out of time or allowance."""

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import UUID

import structlog

from memd.accounts import service as accounts
from memd.context import Context, Services
from memd.db.session import Statement, WriteSession
from memd.domain.ids import encode
from memd.embed import pending_store as store
from memd.embed import service as embedding
from memd.embed.pending_store import Waiting
from memd.embed.providers.provider import Vector
from memd.embed.refusals import embed_accepted

log = structlog.get_logger()
PAGE = 64


async def embed_pending(services: Services, user_id: UUID, payload: Mapping[str, Any]) -> None:
    """The job `embed`: embed all waiting rows of a user."""
    del payload
    context = await accounts.job_context(services, user_id)
    if context is None:
        return
    await embed_waiting(context)


async def embed_waiting(context: Context) -> int:
    """Embed all waiting rows, oldest first, within the background half of the day's allowance; how many.

    A row that the embedder refuses is not asked for again until its text or the model changes.
    """
    total, refused, model = 0, 0, context.services.model
    while page := await _next_page(context, model):
        granted = await embedding.take_allowance(context, len(page), background=True)
        if granted == 0:
            break
        embed = partial(embedding.embed_texts, context, background=True)
        found = embed_accepted(embed, [row.text for row in page[:granted]])
        vectors = [(page[place], vector) async for place, vector in found]
        async with context.database.write(context.user_id) as session:
            await session.execute_all(*(_outcome(session, row, model, vector) for row, vector in vectors))
        embedded = sum(vector is not None for _, vector in vectors)
        total, refused = total + embedded, refused + len(vectors) - embedded
    if refused:
        log.warning("embedding.refused", userId=encode("usr", context.user_id), rows=refused)
    return total


def _outcome(session: WriteSession, row: Waiting, model: int, vector: Vector | None) -> Statement:
    if vector is None:
        return store.refusal_of(session, row, model)
    return store.vector_of(session, row, model, vector)


async def _next_page(context: Context, model: int) -> list[Waiting]:
    """The oldest waiting rows."""
    async with context.database.read(context.user_id) as session:
        messages = await store.waiting_messages(session, model, PAGE)
        return messages + await store.waiting_memories(session, model, PAGE - len(messages))
