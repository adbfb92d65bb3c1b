"""Embedding for a caller: within the day's allowance, and with the errors of the contract (2.1, 1.5)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

import numpy as np
import numpy.typing as npt
import structlog

from memd.context import Context
from memd.db.session import Database, ReadSession, WriteSession
from memd.domain.dates.time_window import DAY_MS
from memd.domain.types import DegradationCode
from memd.embed import store
from memd.embed.batcher import Made
from memd.embed.providers.provider import EmbeddingTimeoutError, EmbedError
from memd.embed.reading import reads
from memd.errors import EmbeddingCapExceeded, EmbeddingTimeout

log = structlog.get_logger()
Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Degraded:
    """Why a query has no vector; `cap` holds the error when the day's allowance is used up."""

    code: DegradationCode
    message: str
    stage: str = "embedding"
    cap: EmbeddingCapExceeded | None = None


_UNAVAILABLE = Degraded(DegradationCode.EMBEDDING_UNAVAILABLE, "The query could not be embedded; results are lexical")
_CAP_EXCEEDED = "Today's embedding calls are used up"


@dataclass(frozen=True, slots=True)
class QueryEmbedding:
    """The vector of a query, or why there is none."""

    vector: Vector | None
    degraded: Degraded | None = None


@dataclass(frozen=True, slots=True)
class PendingEmbedding:
    """A query that is being embedded, for several tasks that wait for its vector."""

    task: asyncio.Task[QueryEmbedding]

    async def result(self) -> QueryEmbedding:
        """The vector; a waiting task that is cancelled leaves the embedding to the others."""
        return await asyncio.shield(self.task)


def day_of(now: int) -> int:
    """The UTC day of an epoch ms, in days since 1970-01-01."""
    return now // DAY_MS


def cap_error(context: Context) -> EmbeddingCapExceeded:
    """The refusal of a caller whose allowance is used up; it ends at the next 00:00 UTC."""
    limit = context.principal.limits.embeddings_per_day or 0
    return EmbeddingCapExceeded(limit, DAY_MS - context.now % DAY_MS)


async def take_allowance(context: Context, requested: int, *, background: bool = False) -> int:
    """Spend up to `requested` embedding calls; returns how many the day still grants. Unmetered callers are counted only."""
    if context.principal.limits.embeddings_per_day is None:
        count = partial(_count, context.database, context.user_id, day_of(context.now))
        context.services.background_tasks.gather(
            "count_embeddings", (context.user_id, day_of(context.now)), requested, count
        )
        return requested
    async with context.database.write(context.user_id) as session:
        return await _take(session, context, requested, background=background)


async def _take(session: WriteSession, context: Context, count: int, *, background: bool) -> int:
    """Spend from the user's own allowance, and for an end user the same number from its account's."""
    principal, day = context.principal, day_of(context.now)
    own = await store.take(session, day, count, principal.allowance.embeddings_per_day, background=background)
    shared = principal.account.allowance.embeddings_per_day if principal.account else None
    if shared is None or own == 0:
        return own
    granted = await store.take_of_account(session, day, own, shared, background=background)
    if granted < own:
        await store.refund(session, day, own - granted, background=background)
    return granted


async def _count(database: Database, user_id: UUID, day: int, calls: Sequence[int]) -> None:
    async with database.write(user_id) as session:
        await store.take(session, day, sum(calls), None)


async def embed_text(context: Context, text: str) -> Vector:
    """The vector of one text that is about to be written; raises the contract's errors before anything is."""
    if await take_allowance(context, 1) < 1:
        raise cap_error(context)
    try:
        return await context.services.batcher.embed_text(text)
    except EmbeddingTimeoutError as error:
        raise EmbeddingTimeout(error.retry_after_s) from None


async def embed_texts(
    context: Context, texts: Sequence[str], *, background: bool = False, made: Made | None = None
) -> Vector:
    """Vectors [n, dimensions] of texts whose calls are paid for already; `background` lets everybody else go first.

    `made` is called with some of the texts and their vectors as soon as these are there.
    """
    try:
        return await context.services.batcher.embed_many(texts, background=background, made=made)
    except EmbeddingTimeoutError as error:
        raise EmbeddingTimeout(error.retry_after_s) from None


def degraded_by(context: Context, code: DegradationCode) -> Degraded:
    """The degradation of a query without a vector."""
    if code is DegradationCode.EMBEDDING_CAP_EXCEEDED:
        return Degraded(code, _CAP_EXCEEDED, cap=cap_error(context))
    return _UNAVAILABLE


async def embed_query(context: Context, query: str) -> QueryEmbedding:
    """The vector of a query, or none in a script that the model cannot read.

    Never raises because of the embedder: the answer is then lexical and degraded (contract 6.2.7).
    """
    batcher = context.services.batcher
    if not reads(batcher.embedder, query):
        return QueryEmbedding(None)
    if batcher.is_open and not batcher.is_cached(query):
        return QueryEmbedding(None, _UNAVAILABLE)
    if not batcher.is_cached(query) and await take_allowance(context, 1) < 1:
        return QueryEmbedding(None, degraded_by(context, DegradationCode.EMBEDDING_CAP_EXCEEDED))
    try:
        return QueryEmbedding(await batcher.embed_query(query))
    except EmbedError as error:
        log.warning("embedding.query_failed", reason=str(error))
        return QueryEmbedding(None, _UNAVAILABLE)


async def used_today(session: ReadSession, now: int) -> int:
    """Embedding calls of the user on this UTC day."""
    return await store.used(session, day_of(now))
