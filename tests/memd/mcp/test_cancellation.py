"""A client that leaves ends the work that was done for it (contract 14; a call runs inside its request)."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import psycopg
import pytest
from psycopg import sql
from starlette.types import ASGIApp

from memd.app import build
from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.embed.batcher import Batcher
from memd.embed.providers.provider import Embedder, Vector
from tests.support.mcp import HANDSHAKE, MODERN
from tests.support.service import TestUser
from tests.support.visits import Visit, tool_call


class Stuck(Batcher):
    """Never returns a vector; records when it was called and when it was released."""

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(embedder)
        self.asked = asyncio.Event()
        self.let_go = asyncio.Event()

    def is_cached(self, query: str) -> bool:
        """Knows no query."""
        return not query

    async def embed_query(self, query: str) -> Vector:
        """Waits for longer than any test."""
        self.asked.set()
        try:
            await asyncio.sleep(60)
        finally:
            self.let_go.set()
        raise AssertionError(query)


@asynccontextmanager
async def visiting(app: ASGIApp, key: str, version: str) -> AsyncGenerator[Visit]:
    """A call of recall whose client leaves at the end of the block; then the service is done with it."""
    visit = tool_call(app, key, version, "recall", {"query": "something that is not in the cache"})
    answered = asyncio.create_task(visit.answered())
    yield visit
    visit.leave()
    await asyncio.wait_for(answered, 10)


@asynccontextmanager
async def locked(server: EmbeddedPostgres, table: str) -> AsyncGenerator[psycopg.AsyncConnection]:
    """A table that nobody can read while the block runs."""
    async with await psycopg.AsyncConnection.connect(server.conninfo) as connection:
        await connection.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.Identifier(table)))
        yield connection


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Come back when something holds."""
    async with asyncio.timeout(10):
        while not await holds():  # noqa: ASYNC110 - neither the server's locks nor the pool have an event
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("version", [HANDSHAKE, MODERN])
async def test_the_work_ends_when_the_client_leaves(services: Services, user: TestUser, version: str) -> None:
    stuck = Stuck(services.batcher.embedder)
    async with visiting(build(replace(services, batcher=stuck)), user.key, version) as visit:
        await asyncio.wait_for(stuck.asked.wait(), 10)
    assert stuck.let_go.is_set()
    assert visit.sent == []


@pytest.mark.parametrize("table", ["memory", "memory_vector"])
@pytest.mark.parametrize("version", [HANDSHAKE, MODERN])
async def test_a_client_that_leaves_during_statements_leaves_the_pool_whole(
    services: Services, user: TestUser, embedded_postgres: EmbeddedPostgres, version: str, table: str
) -> None:
    pool = services.database.pools.app
    before = pool.get_stats()
    async with locked(embedded_postgres, table) as connection:

        async def somebody_waits() -> bool:
            return (await connection.execute("SELECT FROM pg_locks WHERE NOT granted")).rowcount > 0

        async with visiting(build(services), user.key, version) as visit:
            await until(somebody_waits)

    async def all_are_back() -> bool:
        stats = pool.get_stats()
        return stats["pool_available"] == stats["pool_size"] >= before["pool_size"]

    await until(all_are_back)
    assert visit.sent == []
    async with services.database.read(user.id) as session:  # whatever the pool gives out is clean
        assert await session.value("SELECT 1") == 1
