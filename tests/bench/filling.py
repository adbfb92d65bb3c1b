"""Users with thousands of memories, written by the service's own insertion into the database of a running memd."""

import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import psycopg

from memd.context import Services
from memd.db.embedded.server import running_conninfo
from memd.domain.ids import new_id
from memd.domain.types import Category, Store
from memd.embed import models
from memd.embed.providers.provider import Embedder
from memd.memories.insertion import insert_memories
from memd.memories.new import NewMemory
from memd.services import now_ms, running
from memd.settings import Settings
from memd.stats import service as stats
from tests.bench.corpus import Text, Writer

PAGE = 2_000
YEAR_MS = 365 * 86_400_000
CHANNELS = (None, "slack", "discord", "email")


@asynccontextmanager
async def beside(data_dir: Path, embedder: Embedder) -> AsyncGenerator[Services]:
    """Services on the database of the memd that serves `data_dir`, without a worker."""
    conninfo = running_conninfo(data_dir)
    settings = Settings(data_dir=data_dir, workers_off=True)
    model = models.claim(conninfo, embedder.name, embedder.dimensions)
    async with running(settings, conninfo, embedder, model) as services:
        yield services


async def fill(services: Services, user_id: UUID, writer: Writer, count: int) -> None:
    """Give the user `count` memories over the last year and four channels."""
    rng = random.Random(count)
    now = now_ms()
    for start in range(0, count, PAGE):
        rows = [_memory(text, rng, now, services.policy.version) for text in writer.texts(min(PAGE, count - start))]
        async with services.database.write(user_id) as session:
            language = services.settings.text_search_config
            await insert_memories(session, rows, model=services.model, default_language=language)
            await stats.move(session, now, active=len(rows))


def _memory(text: Text, rng: random.Random, now: int, policy_version: str) -> NewMemory:
    """A memory that the present content policy has judged, as those are that come over HTTP."""
    return NewMemory(
        id=new_id(),
        title=text.title,
        content=text.content,
        content_hash=str(rng.random()),
        recall_text=text.content[:200],
        store=rng.choice(list(Store)),
        category=rng.choice(list(Category)),
        channel=rng.choice(CHANNELS),
        created_at=now - rng.randint(0, YEAR_MS),
        vector=text.vector,
        policy_version=policy_version,
    )


def analyze(data_dir: Path) -> None:
    """VACUUM ANALYZE, as autovacuum runs it some minutes after such an import."""
    with psycopg.connect(running_conninfo(data_dir), autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
