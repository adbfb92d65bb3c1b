"""Recall with and without a past moment, for a user whose memories have several versions each (contract 17.5)."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from memd.accounts.service import job_context
from memd.context import Services
from memd.domain.types import HistoryAction
from memd.embed.providers.minilm import MiniLmEmbedder
from memd.memories.history.recording import Cause, record_versions
from memd.services import now_ms
from tests.bench.corpus import Writer, queries
from tests.bench.filling import analyze, beside, fill
from tests.bench.latency import LIMIT, Tenant, build_indexes, new_tenant
from tests.bench.lean import Lean, percentile, seconds
from tests.support.daemon import Daemon

MEMORIES: Final = 4_000
VERSIONS: Final = 5
PAGE: Final = 500
"""Memories changed in a transaction; each is inserted into the vector index again, in up to 10 ms on a busy machine."""
WARMING: Final = 20
STEP_MS: Final = 60_000
REVISE: Final = """
UPDATE memory_vector v
SET embedding = l2_normalize(v.embedding::vector
                             + other.embedding::vector * array_fill(0.1::float4, ARRAY[vector_dims(v.embedding)])::vector)::halfvec
FROM unnest(%(ids)s::uuid[], %(others)s::uuid[]) AS pair (id, other_id)
JOIN memory_vector other ON other.user_id = %(user)s AND other.memory_id = pair.other_id
WHERE v.user_id = %(user)s AND v.memory_id = pair.id
"""
"""Moves each vector a little towards that of another memory, as a small edit of the text would."""


@dataclass(frozen=True, slots=True)
class AsOf:
    """Milliseconds of a recall that names the times `what`."""

    what: str
    p50: float
    p95: float


def prepare(daemon: Daemon, memories: int = MEMORIES) -> tuple[Tenant, Sequence[int]]:
    """A user whose memories were changed `VERSIONS` - 1 times, and moments (epoch ms) between the changes, oldest first."""
    embedder = MiniLmEmbedder(daemon.data_dir, parallelism=2)
    tenant = new_tenant(daemon, "measured")
    now = now_ms()
    changes = [now + (number + 1) * STEP_MS for number in range(VERSIONS - 1)]

    async def write() -> None:
        async with beside(daemon.data_dir, embedder) as services:
            await fill(services, tenant.id, Writer(embedder), memories)
            for at in changes:
                await _change(services, tenant.id, at)

    asyncio.run(write())
    analyze(daemon.data_dir)
    build_indexes(daemon)
    return tenant, [at - STEP_MS // 2 for at in changes]


async def _change(services: Services, user_id: UUID, at: int) -> None:
    """End a version of every memory at a moment and give the next one another vector, a page in each transaction."""
    context = await job_context(services, user_id)
    if context is None:
        raise LookupError(user_id)
    async with services.database.owner(user_id) as session:
        ids: list[UUID] = await session.values("SELECT id FROM memory WHERE user_id = %(user)s", {"user": user_id})
    for start in range(0, len(ids), PAGE):
        page = ids[start : start + PAGE]
        async with services.database.write(user_id) as session:
            await record_versions(session, context, page, Cause(HistoryAction.UPDATE, at=at))
            await session.execute(REVISE, {"user": user_id, "ids": page, "others": [*page[1:], page[0]]})


def measure(daemon: Daemon, tenant: Tenant, moments: Sequence[int], rounds: int = 30) -> list[AsOf]:
    """Recall of now, of now with what has ended, and as of moments at which every, or no, memory was another version.

    The cases are measured in turns, each with a question of its own, so that none finds what another has just read; in
    an order of each turn's own, so that none always follows the same other.
    """
    middle, last = moments[len(moments) // 2], moments[-1] + 2 * STEP_MS
    cases: dict[str, dict[str, Any]] = {
        "now": {},
        "includeEnded": {"includeEnded": True},
        "validAt": {"validAt": middle},
        "asOf, before the first change": {"asOf": moments[0]},
        "asOf, two changes back": {"asOf": middle},
        "asOf, after the last change": {"asOf": last},
    }
    questions, order = iter(queries((rounds + WARMING) * len(cases))), random.Random(rounds)
    times: dict[str, list[float]] = {what: [] for what in cases}
    with Lean(daemon.url, tenant.key) as client:
        for _ in range(rounds + WARMING):
            for what in order.sample([*cases], len(cases)):
                body = {"query": next(questions), "limit": LIMIT} | cases[what]
                times[what].append(1000 * seconds(lambda body=body: client.post("/api/mcp/recall", body)))
    return [
        AsOf(what, percentile(each[WARMING:], 0.5), percentile(each[WARMING:], 0.95)) for what, each in times.items()
    ]
