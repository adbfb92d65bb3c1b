"""The vectors of one page of rows that are written together, within the daily allowance and the time limit."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from memd.context import Context
from memd.embed import service as embedding
from memd.embed.providers.provider import EmbedError
from memd.embed.refusals import embed_accepted
from memd.embed.service import Vector
from memd.errors import EmbeddingTimeout


@dataclass(slots=True)
class PageVectors:
    """One vector or None (it has to follow) for each row; `failed` holds the places that cannot be embedded."""

    rows: list[Vector | None]
    failed: set[int] = field(default_factory=set[int])


async def embed_page(context: Context, texts: Sequence[str], quota: int, deadline: float) -> PageVectors:
    """Embed the first `quota` texts of a page until `deadline` (the loop's clock, seconds).

    What the deadline leaves has to follow; what is embedded by then is kept, however little of the page it is. A provider
    that fails otherwise than by refusing a text fails on all.
    """
    result, texts = PageVectors(rows=[None] * len(texts)), texts[:quota]
    if asyncio.get_running_loop().time() >= deadline:
        return result
    made: dict[str, Vector] = {}

    def keep(part: Sequence[str], vectors: Vector) -> None:
        made.update(zip(part, vectors, strict=True))

    embed = partial(embedding.embed_texts, context, made=keep)
    try:
        async with asyncio.timeout_at(deadline):
            async for place, vector in embed_accepted(embed, texts):
                result.rows[place] = vector
                if vector is None:
                    result.failed.add(place)
    except (EmbeddingTimeout, TimeoutError):
        result.rows[: len(texts)] = [made.get(text) for text in texts]
    except EmbedError:
        result.failed |= {place for place in range(len(texts)) if result.rows[place] is None}
    return result
