"""Recall over HTTP against the floor: one fp32 query embedding and one exact cosine statement, in one run."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString, cast
from uuid import UUID

import numpy as np
import psutil
import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector

from memd.db.embedded.server import running_conninfo
from memd.domain.ids import decode
from memd.embed.providers.minilm import MiniLmEmbedder, Precision
from tests.bench.corpus import Writer, queries
from tests.bench.filling import analyze, beside, fill
from tests.bench.lean import Lean, percentile, seconds
from tests.support.daemon import Daemon

SIZES = (1_000, 10_000, 100_000)
OTHERS, OF_OTHERS = 9, 1_000
LIMIT = 12
COMPARED = 50
WARMING = 60
QUIET, TRIES = 0.03, 4
"""A measurement during which the host stole more than that is repeated, at most this many times."""
EXACT = """
SELECT memory_id FROM memory_vector WHERE user_id = %s AND model = %s AND live ORDER BY embedding <=> %s LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class Tenant:
    """A user of the bench."""

    id: UUID
    key: str


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds for a user of `size` memories; `overlap` is the part of the exact nearest rows that the lane found.

    `stolen` is the part of the processors that the host of a virtual machine gave to others meanwhile.
    """

    size: int
    floor: float
    recall: float
    p95: float
    overlap: float
    shortest: int
    stolen: float

    @property
    def ratio(self) -> float:
        """Recall over the floor, both p50."""
        return self.recall / self.floor


def new_tenant(daemon: Daemon, name: str) -> Tenant:
    """A user without limits."""
    with Lean(daemon.url, daemon.key) as admin:
        made = admin.post("/api/admin/users", {"name": name, "tier": "unlimited"})
    return Tenant(decode("usr", made["id"]), made["apiKey"])


def prepare(daemon: Daemon, size: int) -> tuple[Tenant, Tenant]:
    """A user with this many memories and nine small ones, on the running memd; returns it and one of the nine."""
    embedder = MiniLmEmbedder(daemon.data_dir, parallelism=2)
    writer = Writer(embedder)
    tenant = new_tenant(daemon, "measured")
    others = [new_tenant(daemon, f"other {number}") for number in range(OTHERS)]

    async def write() -> None:
        async with beside(daemon.data_dir, embedder) as services:
            for other in others:
                await fill(services, other.id, writer, OF_OTHERS)
            await fill(services, tenant.id, writer, size)

    asyncio.run(write())
    analyze(daemon.data_dir)
    build_indexes(daemon)
    return tenant, others[0]


def build_indexes(daemon: Daemon) -> None:
    """Run the job now that is scheduled every quarter of an hour."""
    client = Lean(daemon.url, daemon.key)
    before = _last_end(client)
    client.post("/api/jobs/vector_index/run", {})
    while _last_end(client) in {None, before}:
        time.sleep(1)


def _last_end(client: Lean) -> int | None:
    """When the last run ended (epoch ms); None before the first one, and while one is under way."""
    jobs = client.call("GET", "/api/jobs")["scheduled"]
    return next(job.get("lastEndedAt") for job in jobs if job["name"] == "vector_index")


class Floor:
    """The least that a vector search can cost here: psycopg and one exact statement, nothing around it."""

    def __init__(self, data_dir: Path, precision: Precision = "fp32") -> None:
        self._embedder = MiniLmEmbedder(data_dir, precision=precision, parallelism=1)
        self._connection = psycopg.connect(running_conninfo(data_dir), autocommit=True)
        register_vector(self._connection)
        (self._model,) = self._one("SELECT id FROM embedding_model WHERE current")

    def _one(self, statement: str) -> Any:
        return self._connection.execute(cast("LiteralString", statement)).fetchone()

    def search(self, tenant: Tenant, query: str) -> set[UUID]:
        """The nearest memories of the user."""
        vector = HalfVector(np.asarray(self._embedder.embed([query])[0], dtype=np.float16))
        rows = self._connection.execute(EXACT, (tenant.id, self._model, vector, LIMIT)).fetchall()
        return {row[0] for row in rows}


def measure(daemon: Daemon, size: int, tenant: Tenant, rounds: int = 200) -> Latency:
    """Floor and recall in turns, every query once, with the least stolen of the tries."""
    tries: list[Latency] = []
    while not tries or (tries[-1].stolen > QUIET and len(tries) < TRIES):
        tries.append(_measure(daemon, size, tenant, queries(rounds + WARMING, seed=size + len(tries)), rounds))
    return min(tries, key=lambda found: found.stolen)


def _measure(daemon: Daemon, size: int, tenant: Tenant, questions: Sequence[str], rounds: int) -> Latency:
    floor, client = Floor(daemon.data_dir), Lean(daemon.url, tenant.key)
    for query in questions[rounds:]:
        floor.search(tenant, query)
        client.post("/api/mcp/recall", {"query": query, "limit": LIMIT})
    floors: list[float] = []
    recalls: list[float] = []
    shortest = LIMIT
    before = psutil.cpu_times()
    for query in questions[:rounds]:
        floors.append(1000 * seconds(lambda query=query: floor.search(tenant, query)))
        found: list[Any] = []
        recalls.append(1000 * seconds(_ask(client, query, found)))
        shortest = min(shortest, len(found))
    stolen = _stolen(before, psutil.cpu_times())
    return Latency(
        size=size,
        floor=percentile(floors, 0.5),
        recall=percentile(recalls, 0.5),
        p95=percentile(recalls, 0.95),
        overlap=_overlap(daemon, client, tenant, questions[:COMPARED]),
        shortest=shortest,
        stolen=stolen,
    )


def _stolen(before: Any, after: Any) -> float:
    """The share of the time between two readings that was stolen; 0 where the system does not report it."""
    return (getattr(after, "steal", 0.0) - getattr(before, "steal", 0.0)) / (sum(after) - sum(before))


def _overlap(daemon: Daemon, client: Lean, tenant: Tenant, questions: Sequence[str]) -> float:
    """The part of the exact nearest rows that the vector lane found first, for vectors of the same embedder."""
    exact = Floor(daemon.data_dir, "uint8")
    shared = 0
    for query in questions:
        debug = client.post("/api/mcp/recall?debugRecallOutput=true", {"query": query, "limit": LIMIT})["debug"]
        lane = [row for row in debug["memories"] if "vector" in row["lanes"]]
        lane.sort(key=lambda row: -row["components"]["vectorScore"])
        shared += len({decode("mem", row["id"]) for row in lane[:LIMIT]} & exact.search(tenant, query))
    return shared / (LIMIT * len(questions))


def _ask(client: Lean, query: str, found: list[Any]) -> Callable[[], None]:
    def ask() -> None:
        found.extend(client.post("/api/mcp/recall", {"query": query, "limit": LIMIT})["memories"])

    return ask
