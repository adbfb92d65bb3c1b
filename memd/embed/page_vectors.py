"""The vectors of one page of rows that are written together, within the daily allowance and the time limit."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog

from memd.context import Context
from memd.embed import service as embedding
from memd.embed.provider import EmbedError
from memd.embed.service import Vector
from memd.errors import EmbeddingTimeout

log = structlog.get_logger()
PATIENCE = 3


@dataclass(slots=True)
class PageVectors:
    """One vector or None (it has to follow) for each row; `failed` holds the places that cannot be embedded."""

    rows: list[Vector | None]
    failed: set[int] = field(default_factory=set[int])


async def embed_page(context: Context, texts: Sequence[str], quota: int, deadline: float) -> PageVectors:
    """Embed the first `quota` texts of a page until `deadline` (the loop's clock, seconds)."""
    result, texts = PageVectors(rows=[None] * len(texts)), texts[:quota]
    if not texts or asyncio.get_running_loop().time() >= deadline:
        return result
    try:
        async with asyncio.timeout_at(deadline):
            result.rows[: len(texts)] = list(await embedding.embed_texts(context, texts))
    except (EmbeddingTimeout, TimeoutError):
        return result
    except EmbedError:
        await _one_by_one(context, texts, result, deadline)
    return result


async def _one_by_one(context: Context, texts: Sequence[str], result: PageVectors, deadline: float) -> None:
    """Find the rows that the embedder refuses; a provider that fails on several in a row fails on all."""
    misses = 0
    for index, text in enumerate(texts):
        if misses >= PATIENCE:
            result.failed.add(index)
            continue
        try:
            async with asyncio.timeout_at(deadline):
                result.rows[index] = (await embedding.embed_texts(context, [text]))[0]
            misses = 0
        except (EmbeddingTimeout, TimeoutError):
            return
        except EmbedError:
            misses += 1
            result.failed.add(index)
