"""The asyncio front of a cross-encoder: its model runs on its own threads, within a time limit."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from memd.embed.providers.cross_encoder import CrossEncoder
from memd.embed.providers.provider import EmbeddingTimeoutError

THREADS = 2
MAX_CHARACTERS = 2_000
"""Of each text; a cross-encoder reads a few hundred tokens of query and text together."""


class Reranker:
    """Shares one cross-encoder between the requests of a process."""

    def __init__(self, encoder: CrossEncoder, *, timeout_s: float) -> None:
        self.encoder = encoder
        self._timeout_s = timeout_s
        self._pool = ThreadPoolExecutor(THREADS, "rerank")

    async def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """A score 0..1 per text, in their order. Raises EmbeddingTimeoutError or EmbeddingUnavailableError."""
        loop = asyncio.get_running_loop()
        half = (len(texts) + 1) // 2
        parts = [[text[:MAX_CHARACTERS] for text in part] for part in (texts[:half], texts[half:]) if part]
        work = [loop.run_in_executor(self._pool, self.encoder.score, query, part) for part in parts]
        try:
            async with asyncio.timeout(self._timeout_s):
                return [score for scores in await asyncio.gather(*work) for score in scores]
        except TimeoutError:
            raise EmbeddingTimeoutError("The reranker did not answer in time") from None

    async def close(self) -> None:
        """Wait for the calls under way; no call may follow."""
        await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)
