"""Connections of the pool: nobody waits for a second one while holding one, and a statement cut off costs none."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
import pytest_asyncio
from psycopg.conninfo import make_conninfo

from memd.app import build
from memd.context import Services
from memd.db.embedded import EmbeddedPostgres
from memd.db.engine import make_pool
from memd.db.session import Database
from memd.domain.ids import decode
from memd.extraction import service as extraction
from memd.graph.enrichment import enrich
from memd.jobs.board import Board
from memd.memories.insertion import prepare_connection
from tests.support.jobs import context_of
from tests.support.service import BASE, TestUser
from tests.support.wire import capture, post

PID = "SELECT pg_backend_pid()"
TURN = {"sessionKey": "s", "channel": "slack", "turnId": "t", "assistantMessage": "We decided that the mill is closed."}
CHUNK = {"content": "The mill grinds.", "metadata": {"title": "Mill"}}
WINDOW = {"channel": "slack", "query": "Where is the mill?"}


@pytest_asyncio.fixture(loop_scope="session")
async def narrow(services: Services, embedded_postgres: EmbeddedPostgres) -> AsyncIterator[Services]:
    """The services on a pool of one connection."""
    conninfo = make_conninfo(embedded_postgres.conninfo)
    board = Board(conninfo)
    await board.open()
    async with make_pool(conninfo, prepare_connection, min_size=1, max_size=1) as pool:
        yield replace(services, database=Database(pool, board.flush))
        await services.afterwards.drain()
    await board.close()


async def test_a_single_connection_serves_everything_at_once(narrow: Services, user: TestUser) -> None:
    memory_id = await capture(user, content="Ann owns the mill by the river", channel="slack")
    base = (await post(user, "/api/knowledge-bases", {"name": "Mills"}, status=201))["id"]
    await post(user, f"/api/knowledge-bases/{base}/import", {"chunks": [CHUNK]}, status=201)
    calls: list[tuple[str, dict[str, Any]]] = [
        *[("/api/mcp/recall", WINDOW | {"knowledgeBaseIds": named}) for named in ([], [], [base], [base])],
        ("/api/mcp/turn", TURN),
        ("/api/mcp/turn", TURN | {"turnId": "now", "captureMode": "sync-test-only"}),
        ("/api/mcp/capture", {"title": "Mill", "content": "The mill turns"}),
        ("/api/mcp/wake", {"channel": "slack"}),
        ("/api/mcp/search-messages", WINDOW),
        ("/api/mcp/graph/who-owns", {"entity": "the mill"}),
        ("/api/mcp/reflect", {"channel": "slack"}),
        (f"/api/knowledge-bases/{base}/query", {"query": "mill"}),
    ]
    transport = httpx.ASGITransport(build(narrow))
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=dict(user.http.headers)) as client:
        replies = await asyncio.gather(*(client.post(path, json=body) for path, body in calls))
    assert [reply.status_code for reply in replies] == [200] * len(calls), [reply.text for reply in replies]
    context = await context_of(narrow, user)
    await asyncio.gather(extraction.extract_turn(context, "t"), enrich(context, decode("mem", memory_id)))
    assert narrow.database.pool.get_stats().get("requests_errors", 0) == 0


@pytest.mark.parametrize("unit", ["read", "write"])
async def test_a_statement_that_is_cut_off_costs_no_connection(narrow: Services, user: TestUser, unit: str) -> None:
    database = narrow.database
    async with database.system() as session:
        before = await session.value(PID)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05), getattr(database, unit)(user.id) as session:
            await session.value("SELECT pg_sleep(60)")
    async with database.system() as session:
        assert await session.value(PID) == before


async def test_a_read_that_was_cut_off_does_not_spoil_later_ones(narrow: Services, user: TestUser) -> None:
    known, slow = ("SELECT 'mill' AS building", {}), ("SELECT pg_sleep(60)", {})
    async with narrow.database.read(user.id) as session:
        await session.rows_of(known)
        for _ in range(3):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await session.rows_of(slow, known)
            assert await session.rows_of(known) == [[{"building": "mill"}]]
