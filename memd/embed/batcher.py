"""The asyncio front of an embedder: single texts at once, bulk work in the background, no work on the event loop.

Three lanes of threads share one embedder. Single texts (queries, one memory being written) have their own threads,
which take waiting texts in micro-batches. They never wait behind bulk work, nor does bulk work of requests (imports)
behind that of jobs, which has half as many threads; on Linux each lane yields the processor to the ones before it.
Callers share the threads of each lane in turn, of bulk work slice by slice: ten texts do not wait for ten thousand.
"""

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import TypeAlias

import numpy as np

from memd.db.connections.fair_queue import CALLER
from memd.db.connections.fair_turns import FairTurns
from memd.embed.providers.circuit_breaker import CircuitBreaker
from memd.embed.providers.provider import (
    Embedder,
    EmbeddingOutageError,
    EmbeddingTimeoutError,
    EmbeddingUnavailableError,
    Vector,
)
from memd.embed.query_cache import QueryCache, normalised
from memd.embed.text_lane import MICRO_BATCH, TextLane
from memd.tracing.spans import span

Made: TypeAlias = Callable[[Sequence[str], Vector], object]
"""Takes some texts and their vectors [n, dimensions]."""
BULK_NICENESS = 5
BACKGROUND_NICENESS = 10
"""Not higher: a thread that gets no processor while it holds the interpreter's lock stops the whole process."""


@dataclass(slots=True)
class _Flight:
    """A query of one caller that is being embedded, and how many requests wait for it; the last one to leave stops it."""

    vector: asyncio.Task[Vector]
    waiting: int = 0


class _Lane:
    """Threads that share the bulk calls of one kind."""

    def __init__(self, name: str, threads: int, niceness: int) -> None:
        self.threads = threads
        self.turns = FairTurns(threads)
        self.pool = ThreadPoolExecutor(threads, f"embed-{name}", initializer=partial(_lower_priority, niceness))


class Batcher:
    """Shares one embedder between the requests and jobs of a process; made and used on one event loop."""

    def __init__(
        self,
        embedder: Embedder,
        *,
        threads: int = 0,
        timeout_s: float = 10.0,
        query_timeout_s: float | None = None,
        breaker: CircuitBreaker | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`threads` per lane, 0 for the embedder's default; `timeout_s` for a single text, waiting included.

        `query_timeout_s` is the same for queries, by default `timeout_s`. With a `breaker`, closed here, queries are
        refused while it is open and have separate threads, which no text that is being written can block.
        `clock` (seconds that never run backwards) ages the query cache.
        """
        self.embedder = embedder
        self._timeout_s = timeout_s
        self._query_timeout_s = timeout_s if query_timeout_s is None else query_timeout_s
        self._breaker = breaker
        each = threads or embedder.parallelism
        self._single = ThreadPoolExecutor(each, "embed-single")
        self._texts = TextLane(self._start, threads=each, maximum=1 if embedder.remote else MICRO_BATCH)
        self._queries = self._single if breaker is None else ThreadPoolExecutor(each, "embed-query")
        self._query_turns = FairTurns(each)
        self._bulk = _Lane("bulk", each, BULK_NICENESS)
        self._background = _Lane("background", max(1, each // 2), BACKGROUND_NICENESS)
        self._cache = QueryCache(clock)
        self._flights: dict[tuple[Hashable, str], _Flight] = {}
        self._closed = False

    def is_cached(self, query: str) -> bool:
        """Whether `embed_query` would cost nothing now; for callers whose allowance is used up."""
        return self._cache.get(self._key(query)) is not None

    @property
    def is_open(self) -> bool:
        """Whether the embedder is known not to answer; queries are refused then."""
        return self._breaker is not None and self._breaker.is_open

    async def embed_query(self, query: str) -> Vector:
        """The vector [dimensions] of a search text, from the five-minute cache or embedded at once.

        Equal queries of one caller (`CALLER`) share one call; another caller has a turn of its own, and finds the vector
        in the cache if it was embedded meanwhile. Raises EmbeddingTimeoutError or EmbeddingUnavailableError. A request
        that is cancelled ends the work, unless another one of its caller waits for the same query.
        """
        key = self._key(query)
        vector = self._cache.get(key)
        if vector is not None:
            return vector
        if self.is_open:
            raise EmbeddingOutageError
        with span("embed.query"):
            return await self._embed_query(key)

    async def _embed_query(self, key: str) -> Vector:
        """The vector of a query that is not in the cache; its outcome counts for the breaker."""
        place = CALLER.get(), key
        flight = self._flights.get(place)
        if flight is None:
            flight = self._flights[place] = _Flight(asyncio.create_task(self._query_in_turn(key)))
        flight.waiting += 1
        try:
            vector = await self._in_time(asyncio.shield(flight.vector), self._query_timeout_s)
        except EmbeddingTimeoutError:
            if self._breaker is not None:
                self._breaker.record_failure()
            raise
        finally:
            flight.waiting -= 1
            if flight.waiting == 0:
                flight.vector.cancel()
                del self._flights[place]
        if self._breaker is not None:
            self._breaker.record_success()
        return vector

    async def _query_in_turn(self, key: str) -> Vector:
        await self._query_turns.take()
        vector = self._cache.get(key)
        if vector is not None:
            self._query_turns.give_back()
            return vector
        (vector,) = await self._call(self._query_turns, self._queries, self.embedder.embed_queries, [key])
        vector.setflags(write=False)
        self._cache.put(key, vector)
        return vector

    async def embed_text(self, text: str) -> Vector:
        """The vector [dimensions] of a text that is being written: ahead of bulk work, not cached. Raises as above."""
        with span("embed.text"):
            return await self._in_time(self._texts.embed(text), self._timeout_s)

    async def embed_many(self, texts: Sequence[str], *, background: bool = False, made: Made | None = None) -> Vector:
        """Rows [len(texts), dimensions] in the order of the texts; all threads of the lane work on them.

        `background` is for work that no request waits for. `made` gets each slice of texts with its vectors at once, for
        a caller that may be cancelled before all are there.

        Raises EmbeddingTimeoutError or EmbeddingUnavailableError of the first slice that failed. When the caller is
        cancelled, at most the slices in progress are lost. Has no time limit of its own.
        """
        rows = np.empty((len(texts), self.embedder.dimensions), dtype=np.float32)
        lane = self._background if background else self._bulk
        slices = _slices(len(texts), self.embedder.batch_size, 1 if self.embedder.remote else lane.threads)

        async def work() -> None:
            for part in slices:
                await lane.turns.take()
                rows[part] = await self._call(lane.turns, lane.pool, self.embedder.embed, texts[part])
                if made is not None:
                    made(texts[part], rows[part])

        try:
            with span("embed.many", {"memd.texts": len(texts)}):
                async with asyncio.TaskGroup() as group:
                    for _ in range(lane.threads):
                        group.create_task(work())
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return rows

    async def close(self) -> None:
        """Refuse new work, wait for the calls in progress, close the embedder; calls with more slices get an error."""
        self._closed = True
        if self._breaker is not None:
            await self._breaker.close()
        for pool in (self._queries, self._single, self._bulk.pool, self._background.pool):
            await asyncio.to_thread(pool.shutdown)
        self.embedder.close()

    def _key(self, query: str) -> str:
        return normalised(query, cased=self.embedder.cased)

    async def _call(
        self, turns: FairTurns, pool: Executor, embed: Callable[[Sequence[str]], Vector], texts: Sequence[str]
    ) -> Vector:
        """One call of the embedder for a caller that has taken a turn, which ends with the call."""
        if self._closed:
            turns.give_back()
            raise EmbeddingUnavailableError("The embedder is closed")
        return await turns.in_thread(pool, embed, texts)

    def _start(self, texts: Sequence[str]) -> asyncio.Future[Vector]:
        if self._closed:
            raise EmbeddingUnavailableError("The embedder is closed")
        return asyncio.get_running_loop().run_in_executor(self._single, self.embedder.embed, texts)

    @staticmethod
    async def _in_time(work: Awaitable[Vector], seconds: float) -> Vector:
        try:
            async with asyncio.timeout(seconds):
                return await work
        except TimeoutError:
            raise EmbeddingTimeoutError from None


def _slices(texts: int, maximum: int, threads: int) -> Iterator[slice]:
    """Slices of at most `maximum` texts; for several threads the last ones are smaller, so that all end at about the same time."""
    start, minimum = 0, ceil(maximum / 8)
    while start < texts:
        size = maximum if threads == 1 else min(maximum, max(minimum, ceil((texts - start) / (2 * threads))))
        yield slice(start, min(start + size, texts))
        start += size


def _lower_priority(niceness: int) -> None:
    """Lower this thread's share of the processor; elsewhere than on Linux priorities belong to processes."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
