"""Captures per second: eight clients in parallel, one client alone, and recall during the eight."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.bench.corpus import queries
from tests.bench.imports import chunks
from tests.bench.latency import new_tenant
from tests.bench.lean import Lean, percentile, seconds
from tests.support.daemon import Daemon

Text: TypeAlias = dict[str, Any]
"""The body of a capture."""
CLIENTS = 8
SECONDS = 15.0
WORDS = 14
"""Words of a memory of about 20 tokens."""
TEXTS = 20_000
ALONE = 200


@dataclass(frozen=True, slots=True)
class Captures:
    """Captures per second with eight clients, and milliseconds of one capture then and without any other load."""

    rate: float
    p50: float
    p95: float
    alone_p50: float
    alone_p95: float


@dataclass(frozen=True, slots=True)
class Beside:
    """The p95 of recall in milliseconds without other load, and while eight clients capture at `rate` per second."""

    quiet: float
    busy: float
    rate: float


def memories(count: int, words: int = WORDS) -> list[Text]:
    """Distinct memories of this many words."""
    return [
        {"title": chunk["metadata"]["title"], "content": chunk["content"], "store": "semantic", "category": "fact"}
        for chunk in chunks(count, words)
    ]


def measure(daemon: Daemon, span: float = SECONDS) -> Captures:
    """One client alone, then eight for `span` seconds, each user with an empty store at first."""
    texts = memories(TEXTS)
    client = Lean(daemon.url, new_tenant(daemon, "one client").key)
    alone = [_capture(client, text) for text in texts[: ALONE + 20]][20:]
    key = new_tenant(daemon, "eight clients").key
    times = load(daemon, key, texts, time.monotonic() + span)
    return Captures(
        len(times) / span,
        percentile(times, 0.5),
        percentile(times, 0.95),
        percentile(alone, 0.5),
        percentile(alone, 0.95),
    )


def load(daemon: Daemon, key: str, texts: list[Text], end: float) -> list[float]:
    """Eight clients capture until `end` (monotonic seconds); the milliseconds of every capture."""
    times: list[float] = []
    errors: list[Exception] = []

    def work(first: int) -> None:
        client = Lean(daemon.url, key)
        for text in texts[first::CLIENTS]:
            if time.monotonic() >= end:
                return
            try:
                times.append(_capture(client, text))
            except (OSError, RuntimeError) as error:
                errors.append(error)
                return

    threads = [threading.Thread(target=work, args=(first,)) for first in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return times


def recall_beside(daemon: Daemon, key: str, rounds: int = 100) -> Beside:
    """Recall of the user with `key`, without and during the captures of another user's eight clients."""
    client = Lean(daemon.url, key)
    questions = iter(queries(2 * rounds + 10, seed=7))
    for _ in range(10):
        client.post("/api/mcp/recall", {"query": next(questions)})
    quiet = [_recall(client, next(questions)) for _ in range(rounds)]
    writer = new_tenant(daemon, "captures beside recall").key
    written: list[float] = []
    texts = memories(TEXTS)
    span = 12.0
    loading = threading.Thread(target=lambda: written.extend(load(daemon, writer, texts, time.monotonic() + span)))
    loading.start()
    time.sleep(1)
    busy: list[float] = []
    while loading.is_alive() and len(busy) < rounds:
        busy.append(_recall(client, next(questions)))
    loading.join()
    return Beside(percentile(quiet, 0.95), percentile(busy, 0.95), len(written) / span)


def _capture(client: Lean, memory: Text) -> float:
    return _timed(lambda: client.post("/api/mcp/capture", memory))


def _recall(client: Lean, query: str) -> float:
    return _timed(lambda: client.post("/api/mcp/recall", {"query": query}))


def _timed(work: Callable[[], object]) -> float:
    return 1000 * seconds(work)
