"""Finding the texts that an embedder refuses, so that they keep no others from their vectors."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import TypeAlias

from memd.embed.providers.provider import SAMPLE, EmbeddingRefusedError, Vector

Embed: TypeAlias = Callable[[Sequence[str]], Awaitable[Vector]]
"""Vectors [n, dimensions] of n texts; EmbeddingRefusedError when one of them is refused."""


async def embed_accepted(embed: Embed, texts: Sequence[str]) -> AsyncGenerator[tuple[int, Vector | None]]:
    """The place and vector [dimensions] of each text, in order; None for one that the embedder refuses.

    The texts are asked for together and halved around a refused one. EmbeddingRefusedError when the embedder refuses a
    harmless text, too: then the request itself is at fault, such as a model name, and nothing is known of the texts.
    Other errors pass through.
    """
    waiting, works = [range(len(texts))] if texts else [], False
    while waiting:
        part = waiting.pop()
        try:
            vectors = await embed(texts[part.start : part.stop])
        except EmbeddingRefusedError:
            if not works:
                await embed([SAMPLE])
                works = True
            if len(part) == 1:
                yield part.start, None
            else:
                middle = len(part) // 2
                waiting += [part[middle:], part[:middle]]
        else:
            for place, vector in zip(part, vectors, strict=True):
                yield place, vector
