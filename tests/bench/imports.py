"""Bulk import over HTTP against what the embedder alone can do, recall while it runs, and memory use throughout."""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from memd.embed.providers.minilm import MiniLmEmbedder
from tests.bench.corpus import queries, sentences
from tests.bench.latency import new_tenant
from tests.bench.lean import Lean, percentile, seconds
from tests.support.daemon import Daemon

LONG_WORDS = 115
"""Words of a chunk of about 160 tokens."""
EMBEDDED_ALONE = 300
MEGABYTE = 2**20


@dataclass(frozen=True, slots=True)
class Import:
    """Chunks in a second over HTTP, and `alone` by the embedder with nothing around it, where that was measured."""

    chunks: int
    rate: float
    alone: float | None = None
    peak_mb: float = 0.0


def chunks(count: int, words: int = LONG_WORDS) -> list[dict[str, Any]]:
    """Chunks of this many words."""
    told = " ".join(sentences()).split()
    return [
        {"content": f"{index} " + " ".join(_turn(told, index * 37, words)), "metadata": {"title": f"Chunk {index}"}}
        for index in range(count)
    ]


def _turn(expected: list[str], start: int, words: int) -> list[str]:
    begin = start % (len(expected) - words)
    return expected[begin : begin + words]


def embedder_rate(daemon: Daemon, words: int = LONG_WORDS) -> float:
    """Chunks in a second that the embedder turns into vectors on two cores, called directly."""
    embedder = MiniLmEmbedder(daemon.data_dir, parallelism=2)
    texts = [f"{chunk['metadata']['title']}\n{chunk['content']}" for chunk in chunks(EMBEDDED_ALONE, words)]
    halves = [threading.Thread(target=embedder.embed, args=(texts[part::2],)) for part in range(2)]

    def work() -> None:
        for half in halves:
            half.start()
        for half in halves:
            half.join()

    return EMBEDDED_ALONE / seconds(work)


def measure(daemon: Daemon, count: int, *, words: int = LONG_WORDS, alone: float | None = None) -> Import:
    """One import of `count` chunks into a fresh knowledge base, by a user without limits."""
    client = Lean(daemon.url, new_tenant(daemon, f"import {count} {words}").key)
    base = client.post("/api/knowledge-bases", {"name": "Bench"})["id"]
    body = {"chunks": chunks(count, words)}
    with watching_memory(daemon) as peak:
        took = seconds(lambda: client.post(f"/api/knowledge-bases/{base}/import", body))
    return Import(count, count / took, alone, max(peak) / MEGABYTE)


@contextmanager
def watching_memory(daemon: Daemon) -> Generator[list[int]]:
    """The resident bytes of memd, looked at ten times a second while the block runs."""
    seen = [daemon.memory_bytes()]
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(0.1):
            seen.append(daemon.memory_bytes())

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield seen
    finally:
        ended.set()
        watcher.join()


def recall_beside(daemon: Daemon, key: str, rounds: int = 100) -> tuple[float, float]:
    """The p95 of recall in milliseconds: alone, and while 2,000 long chunks are imported."""
    client = Lean(daemon.url, key)
    questions = iter(queries(2 * rounds + 10))
    for _ in range(10):
        client.post("/api/mcp/recall", {"query": next(questions)})
    idle = [_ask(client, next(questions)) for _ in range(rounds)]
    importer = threading.Thread(target=measure, args=(daemon, 2_000))
    importer.start()
    time.sleep(1)
    busy: list[float] = []
    while importer.is_alive() and len(busy) < rounds:
        busy.append(_ask(client, next(questions)))
    importer.join()
    return percentile(idle, 0.95), percentile(busy, 0.95)


def _ask(client: Lean, query: str) -> float:
    return 1000 * seconds(lambda: client.post("/api/mcp/recall", {"query": query}))
