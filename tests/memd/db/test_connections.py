"""Connections of the pool: nobody waits for a second one while holding one, and a statement cut off costs none."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from typing import Any, LiteralString
from uuid import UUID

import httpx
import pytest
import pytest_asyncio
from psycopg.errors import DivisionByZero, ReadOnlySqlTransaction

from memd.app import build
from memd.context import Services
from memd.db.connections import pool
from memd.db.connections.fair_queue import CALLER
from memd.db.connections.pool import Pool
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.engine import CUSTOM_PLAN, GENERIC_PLAN, open_pools
from memd.db.schema.logins import embedded_logins
from memd.db.session import Database
from memd.domain.ids import decode
from memd.domain.types import Policy
from memd.extraction import service as extraction
from memd.graph.enrichment import enrich
from memd.jobs import store as queue
from tests.support.dict_rows import dict_rows, dict_rows_of
from tests.support.jobs import context_of
from tests.support.mcp import MODERN
from tests.support.service import BASE, MakeUser, TestUser
from tests.support.visits import Visit, tool_call
from tests.support.wire import capture, post

PID = "SELECT pg_backend_pid()"
WHO = "SELECT current_setting('memd.user_id')"
TURN = {"sessionKey": "s", "channel": "slack", "turnId": "t", "assistantMessage": "We decided that the mill is closed."}
CHUNK = {"content": "The mill grinds.", "metadata": {"title": "Mill"}}
CROWD = 40
WINDOW = {"channel": "slack", "query": "Where is the mill?"}


@pytest_asyncio.fixture(loop_scope="session")
async def narrow(services: Services, embedded_postgres: EmbeddedPostgres) -> AsyncIterator[Services]:
    """The services on a pool of one connection."""
    logins = embedded_logins(embedded_postgres.conninfo)
    async with open_pools(logins, min_size=1, max_size=1) as pools:
        yield replace(services, database=Database(pools, queue.add_jobs))
        await services.background_tasks.drain()


async def test_a_read_that_fails_inside_a_transaction_costs_no_connection(narrow: Services, user: TestUser) -> None:
    async def fail() -> None:
        async with narrow.database.read(user.id) as session:
            await session.connection.execute("BEGIN READ ONLY")
            await session.value("SELECT 1 / 0")

    async with narrow.database.read(user.id) as session:
        first = await session.value(PID)
    with pytest.raises(DivisionByZero):
        await fail()
    async with narrow.database.read(user.id) as session:
        assert await session.value(PID) == first


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
    assert narrow.database.pools.app.get_stats().get("requests_errors", 0) == 0


@pytest.mark.parametrize("over", ["http", "mcp"])
async def test_many_requests_of_one_user_that_wait_for_a_connection_do_not_delay_another(
    narrow: Services, make_user: MakeUser, over: str
) -> None:
    greedy, other = [await make_user(policy=Policy.SELF_HOSTED_UNMETERED) for _ in range(2)]
    app, answered = build(narrow), list[UUID]()

    async def ask(user: TestUser) -> None:
        by_tool = tool_call(app, user.key, MODERN, "recall", WINDOW)
        visit = by_tool if over == "mcp" else Visit(app, user.key, "/api/mcp/recall", WINDOW)
        await visit.answered()
        assert visit.sent[0]["status"] == 200
        answered.append(user.id)

    await ask(other)
    crowd = [asyncio.create_task(ask(greedy)) for _ in range(CROWD)]
    async with asyncio.timeout(60):
        while narrow.database.pools.app.get_stats()["requests_waiting"] < CROWD // 2:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    await ask(other)
    before = answered.count(greedy.id)
    await asyncio.gather(*crowd)
    assert before < CROWD // 4


async def _hold_connection(connections: Pool, held: list[str], end: asyncio.Event, caller: str) -> None:
    """Hold a connection for the caller until the event; it is in `held` once it has one."""
    CALLER.set(caller)
    async with connections.connection():
        held.append(caller)
        await end.wait()


@pytest.mark.usefixtures("services")
async def test_slow_statements_of_one_user_leave_a_connection_to_others(embedded_postgres: EmbeddedPostgres) -> None:
    async with open_pools(embedded_logins(embedded_postgres.conninfo), min_size=4, max_size=4) as pools:
        await pools.app.wait()
        end, held = asyncio.Event(), list[str]()
        hold = partial(_hold_connection, pools.app, held, end)
        greedy = [asyncio.create_task(hold("greedy")) for _ in range(CROWD)]
        async with asyncio.timeout(20):
            while held.count("greedy") < 3:  # noqa: ASYNC110 - it has no event
                await asyncio.sleep(0.01)
            other = asyncio.create_task(hold("other"))
            while "other" not in held:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            assert held.count("greedy") == 3
            greedy.pop().cancel()
            end.set()
            await asyncio.gather(other, *greedy)
        assert held.count("greedy") >= CROWD - 1


@pytest.mark.usefixtures("services")
async def test_users_who_take_all_connections_together_leave_one_to_the_next(
    embedded_postgres: EmbeddedPostgres,
) -> None:
    async with open_pools(embedded_logins(embedded_postgres.conninfo), min_size=12, max_size=12) as pools:
        await pools.app.wait()
        end, held = asyncio.Event(), list[str]()
        hold = partial(_hold_connection, pools.app, held, end)

        async def held_in_the_end(count: int) -> None:
            async with asyncio.timeout(20):
                while len(held) < count:  # noqa: ASYNC110 - it has no event
                    await asyncio.sleep(0.01)

        tasks = [asyncio.create_task(hold("one")) for _ in range(CROWD)]
        await held_in_the_end(9)
        tasks += [asyncio.create_task(hold("two")) for _ in range(CROWD)]
        await held_in_the_end(11)
        tasks += [asyncio.create_task(hold("victim"))]
        await held_in_the_end(12)
        assert Counter(held) == {"one": 9, "two": 2, "victim": 1}
        end.set()
        await asyncio.gather(*tasks)
        assert len(held) == 2 * CROWD + 1


@pytest.mark.parametrize("unit", ["read", "write"])
async def test_a_statement_that_is_cut_off_costs_no_connection(narrow: Services, user: TestUser, unit: str) -> None:
    database = narrow.database
    async with database.read(user.id) as session:
        before = await session.value(PID)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.25), getattr(database, unit)(user.id) as session:
            await session.value("SELECT pg_sleep(60)")
    async with database.read(user.id) as session:
        assert await session.value(PID) == before


async def test_a_connection_past_its_lifetime_is_replaced(
    embedded_postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "MAX_LIFETIME_S", 0)
    async with open_pools(embedded_logins(embedded_postgres.conninfo), min_size=1, max_size=1) as pools:
        sessions = set[int]()
        for _ in range(3):
            async with pools.app.connection() as connection:
                sessions.add(connection.info.backend_pid)
    assert len(sessions) == 3


@pytest.mark.usefixtures("services")
async def test_a_new_connection_gets_its_settings_in_one_round_trip(
    embedded_postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    execute: Any = pool.Connection.execute

    async def noted(self: pool.Connection, query: Any, *arguments: Any, **options: Any) -> Any:
        sent.append(query if isinstance(query, str) else query.as_string(None))
        return await execute(self, query, *arguments, **options)

    monkeypatch.setattr(pool.Connection, "execute", noted)
    names: tuple[LiteralString, ...] = ("transaction_read_only", "max_parallel_workers_per_gather", "statement_timeout")
    async with open_pools(embedded_logins(embedded_postgres.conninfo), min_size=1, max_size=1) as pools:
        settings = [one for one in sent if "default_transaction_read_only" in one]
        assert len(settings) == 2  # one for each pool; the service that also runs has its own connections
        assert all("statement_timeout" in one and "max_parallel_workers_per_gather" in one for one in settings)
        async with pools.app.connection() as connection:
            shown = [await (await connection.execute(f"SHOW {name}")).fetchone() for name in names]
    assert shown == [("on",), ("0",), ("20s",)]


async def test_a_read_that_was_cut_off_does_not_spoil_later_ones(narrow: Services, user: TestUser) -> None:
    known, slow = ("SELECT 'mill' AS building", {}), ("SELECT pg_sleep(60)", {})
    async with narrow.database.read(user.id) as session:
        await dict_rows_of(session, known)
        for _ in range(3):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await dict_rows_of(session, slow, known)
            assert await dict_rows_of(session, known) == [[{"building": "mill"}]]


async def test_users_take_turns_on_a_connection_and_each_reads_as_itself(narrow: Services, make_user: MakeUser) -> None:
    one, other = await make_user(), await make_user()
    for user in (one, other, other, one):
        await capture(user)
        async with narrow.database.read(user.id) as session:
            assert await session.value(WHO) == str(user.id)
            owners = await dict_rows(session, "SELECT DISTINCT user_id FROM memory")
        assert owners == [{"user_id": user.id}]


async def test_a_read_that_was_cut_off_leaves_no_other_user_behind(narrow: Services, make_user: MakeUser) -> None:
    one, other = await make_user(), await make_user()
    slow = ("SELECT pg_sleep(60)", {})
    for reads in ((slow,), (slow, slow)):
        async with narrow.database.read(one.id) as session:
            assert await session.value(WHO) == str(one.id)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05), narrow.database.read(other.id) as session:
                await dict_rows_of(session, *reads)
        async with narrow.database.read(one.id) as session:
            assert await session.value(WHO) == str(one.id)


async def test_settings_of_a_read_end_with_it(narrow: Services, user: TestUser) -> None:
    scans = "SELECT current_setting('enable_seqscan') || ' ' || current_setting('plan_cache_mode')"
    seen: list[str] = []
    for settings in (CUSTOM_PLAN, CUSTOM_PLAN | {"enable_seqscan": "off"}, GENERIC_PLAN, CUSTOM_PLAN):
        async with narrow.database.read(user.id, settings) as session:
            seen.append(await session.value(scans))
    assert seen == ["on force_custom_plan", "off force_custom_plan", "on force_generic_plan", "on force_custom_plan"]
    async with narrow.database.read(user.id, GENERIC_PLAN) as session:
        await session.value(scans)
    async with narrow.database.write(user.id) as session:
        assert await session.value(scans) == "on force_custom_plan"


async def test_each_index_search_has_its_own_settings_whatever_was_read_between(
    narrow: Services, user: TestUser
) -> None:
    wanted = [{"hnsw.ef_search": "120"}, {}, {"hnsw.ef_search": "80"}, {}, {}, {"hnsw.ef_search": "120"}]
    seen: list[str] = []
    for settings in wanted:
        async with narrow.database.read(user.id, {**GENERIC_PLAN, **settings}) as session:
            assert await session.value("SELECT current_setting('plan_cache_mode')") == "force_generic_plan"
            if settings:
                seen.append(await session.value("SELECT current_setting('hnsw.ef_search')"))
        async with narrow.database.read(user.id) as session:
            assert await session.value("SELECT current_setting('plan_cache_mode')") == "force_custom_plan"
    assert seen == ["120", "80", "120"]


@pytest.mark.parametrize("times", [1, 2])
async def test_a_read_cannot_write(narrow: Services, user: TestUser, times: int) -> None:
    memory_id = decode("mem", await capture(user))
    archive = ("UPDATE memory SET archived = true WHERE id = %(id)s", {"id": memory_id})
    async with narrow.database.read(user.id) as session:
        assert await session.value("SELECT 1") == 1
        with pytest.raises(ReadOnlySqlTransaction):
            await dict_rows_of(session, *[archive] * times)
    async with narrow.database.read(user.id) as session:
        assert await session.value("SELECT archived FROM memory WHERE id = %(id)s", {"id": memory_id}) is False
