"""An embedder that a test holds in the middle of a call."""

import threading
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import numpy as np

from memd.embed.batcher import Batcher
from memd.embed.providers.provider import EmbeddingUnavailableError, Vector
from tests.support.waiting import PATIENCE_S


class HeldEmbedder:
    """An embedder that holds every call with a text starting with `held` until the test lets it go."""

    name = "held"
    latin_only = False
    remote = False
    dimensions = 2
    batch_size = 2

    def __init__(self, *, parallelism: int = 1, cased: bool = True) -> None:
        self.parallelism = parallelism
        self.cased = cased
        self.calls: list[list[str]] = []
        self.threads: set[int] = set()
        self.closed = False
        self._permits = threading.Semaphore(0)

    def embed(self, texts: Sequence[str]) -> Vector:
        self.calls.append(list(texts))
        self.threads.add(threading.get_ident())
        if texts[0].startswith("held"):
            assert self._permits.acquire(timeout=PATIENCE_S)
        if "refused" in texts:
            raise EmbeddingUnavailableError("refused")
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)

    def embed_queries(self, queries: Sequence[str]) -> Vector:
        return self.embed(queries)

    def let_go(self, calls: int) -> None:
        self._permits.release(calls)

    def close(self) -> None:
        self.closed = True


@asynccontextmanager
async def batcher_of(embedder: HeldEmbedder, **options: object) -> AsyncGenerator[Batcher, None]:
    """A batcher of the embedder, which lets go at the end."""
    batcher = Batcher(embedder, **options)
    try:
        yield batcher
    finally:
        embedder.let_go(1000)
        await batcher.close()
