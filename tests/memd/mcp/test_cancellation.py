"""A client that leaves ends the work that was done for it (contract 14; a call runs inside its request)."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import psycopg
import pytest
from psycopg import sql
from starlette.types import ASGIApp, Message, Scope

from memd.app import build
from memd.context import Services
from memd.db.embedded import EmbeddedPostgres
from memd.embed.batcher import Batcher, QueryVector
from tests.support.mcp import HANDSHAKE, MODERN
from tests.support.service import HOST, TestUser

CALL = {"name": "recall", "arguments": {"query": "something that is not in the cache"}}
_META = "io.modelcontextprotocol/"


class Stuck(Batcher):
    """Never comes back with a vector; tells when it was asked and when it was let go."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.let_go = asyncio.Event()

    def is_cached(self, query: str) -> bool:
        """Knows no query."""
        return not query

    async def embed_query(self, query: str) -> QueryVector:
        """Waits for longer than any test."""
        self.asked.set()
        try:
            await asyncio.sleep(60)
        finally:
            self.let_go.set()
        raise AssertionError(query)


def scope_of(key: str, version: str) -> Scope:
    headers = {"host": HOST, "authorization": f"Bearer {key}", "mcp-protocol-version": version}
    if version == MODERN:
        headers |= {"mcp-method": "tools/call", "mcp-name": "recall"}
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "query_string": b"",
        "scheme": "http",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("192.0.2.7", 1),
        "server": (HOST, 80),
    }


def body_of(version: str) -> bytes:
    meta = {f"{_META}protocolVersion": version, f"{_META}clientCapabilities": {}} if version == MODERN else {}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALL | {"_meta": meta}}).encode()


class Visit:
    """A call of recall whose client leaves when it is told to; `sent` is what it was sent."""

    def __init__(self, app: ASGIApp, key: str, version: str) -> None:
        self.sent: list[Message] = []
        self._gone = asyncio.Event()
        self._incoming: list[Message] = [{"type": "http.request", "body": body_of(version), "more_body": False}]
        self._request = asyncio.ensure_future(app(scope_of(key, version), self._receive, self._send))

    async def leave(self) -> None:
        """Go, and wait until the service is done with the call."""
        self._gone.set()
        await asyncio.wait_for(self._request, 10)

    async def _receive(self) -> Message:
        if self._incoming:
            return self._incoming.pop()
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.sent.append(message)


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
    stuck = Stuck()
    visit = Visit(build(replace(services, batcher=stuck)), user.key, version)
    await asyncio.wait_for(stuck.asked.wait(), 10)
    await visit.leave()
    assert stuck.let_go.is_set()
    assert visit.sent == []


@pytest.mark.parametrize("table", ["memory", "memory_vector"])
@pytest.mark.parametrize("version", [HANDSHAKE, MODERN])
async def test_who_leaves_during_statements_costs_no_connection(
    services: Services, user: TestUser, embedded_postgres: EmbeddedPostgres, version: str, table: str
) -> None:
    pool = services.database.pool
    before = pool.get_stats()
    async with locked(embedded_postgres, table) as connection:

        async def somebody_waits() -> bool:
            return (await connection.execute("SELECT FROM pg_locks WHERE NOT granted")).rowcount > 0

        visit = Visit(build(services), user.key, version)
        await until(somebody_waits)
        await visit.leave()

    async def all_are_back() -> bool:
        stats = pool.get_stats()
        return stats["pool_available"] == stats["pool_size"]

    await until(all_are_back)
    assert visit.sent == []
    assert pool.get_stats().get("returns_bad", 0) == before.get("returns_bad", 0)
