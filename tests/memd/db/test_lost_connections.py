"""Connections that the server closes: idle ones are replaced, a read is run once more, anything else is a 503."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
import psycopg
import pytest
import pytest_asyncio
from psycopg import OperationalError
from psycopg.conninfo import make_conninfo

from memd.app import build
from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.engine import open_pools
from memd.db.schema.logins import embedded_logins
from memd.db.session import Database
from memd.jobs import store as queue
from tests.support.dict_rows import dict_rows_of
from tests.support.service import BASE, TestUser
from tests.support.wire import enumerate_chunks, make_base

PID = "SELECT pg_backend_pid()"
NAME = "lost-connections"
WAITING = """
SELECT pid FROM pg_stat_activity
WHERE application_name = %s AND pg_blocking_pids(pid) @> ARRAY[pg_backend_pid()]
"""
SECONDS = 30.0
Admin = psycopg.AsyncConnection[tuple[Any, ...]]


@pytest_asyncio.fixture(loop_scope="session")
async def admin(embedded_postgres: EmbeddedPostgres) -> AsyncIterator[Admin]:
    """A connection of the superuser."""
    async with await psycopg.AsyncConnection.connect(embedded_postgres.conninfo, autocommit=True) as connection:
        yield connection


@pytest_asyncio.fixture(loop_scope="session")
async def database(services: Services, embedded_postgres: EmbeddedPostgres) -> AsyncIterator[Database]:
    """Sessions on pools of this test's own."""
    logins = embedded_logins(make_conninfo(embedded_postgres.conninfo, application_name=NAME))
    async with open_pools(logins, min_size=2, max_size=3) as pools:
        yield Database(pools, queue.add_jobs)
        await services.background_tasks.drain()


async def end(admin: Admin, pid: int) -> None:
    """Terminate a backend and wait until its process is gone, and with it the connection."""
    cursor = await admin.execute("SELECT pg_terminate_backend(%s, 30000)", [pid])
    assert await cursor.fetchone() == (True,)


async def test_idle_connections_that_the_server_closed_cost_no_request(
    database: Database, user: TestUser, admin: Admin
) -> None:
    for unit in (database.read, database.write, database.owner):
        pids: list[int] = []
        async with database.read(user.id) as one, database.read(user.id) as other:
            pids += [await one.value(PID), await other.value(PID)]
        for pid in pids:
            await end(admin, pid)
        async with unit(user.id) as session:
            assert await session.value(PID) not in pids


async def test_a_read_that_loses_its_connection_is_run_once_more(
    database: Database, user: TestUser, admin: Admin
) -> None:
    many = ((PID, {}), ("SELECT current_setting('memd.user_id')", {}))
    async with database.read(user.id) as session:
        first = await session.value(PID)
        await end(admin, first)
        ((pid,), (owner,)) = await dict_rows_of(session, *many)
        assert pid["pg_backend_pid"] != first
        assert owner == {"current_setting": str(user.id)}
        await end(admin, pid["pg_backend_pid"])
        with pytest.raises(OperationalError):
            await session.value(PID)
    async with database.read(user.id) as session:
        assert await session.value("SELECT 1") == 1


async def test_a_write_that_loses_its_connection_fails_and_leaves_nothing(
    database: Database, user: TestUser, admin: Admin
) -> None:
    insert = "INSERT INTO embedding_use (user_id, day, calls) VALUES (%(user)s, 1, 1)"

    async def write() -> None:
        async with database.write(user.id) as session:
            assert await session.execute(insert, {"user": user.id}) == 1
            await end(admin, await session.value(PID))

    with pytest.raises(OperationalError):
        await write()
    async with database.read(user.id) as session:
        assert await session.value("SELECT count(*) FROM embedding_use") == 0


@asynccontextmanager
async def blocked(
    admin: Admin, request: Coroutine[Any, Any, httpx.Response]
) -> AsyncGenerator[asyncio.Task[httpx.Response]]:
    """Start a request that waits for a lock on `knowledge_base`; yields its task. The lock is released at the end."""
    async with admin.transaction():
        await admin.execute("LOCK TABLE knowledge_base IN ACCESS EXCLUSIVE MODE")
        task = asyncio.create_task(request)
        yield task


async def end_waiting(admin: Admin, task: asyncio.Task[httpx.Response], most: int) -> None:
    """Terminate the backends that wait for the lock one after the other, `most` of them or until the task is done."""
    async with asyncio.timeout(SECONDS):
        while most and not task.done():
            cursor = await admin.execute(WAITING, [NAME])
            for (pid,) in await cursor.fetchall():
                await end(admin, pid)
                most -= 1
            await asyncio.sleep(0.01)


@pytest_asyncio.fixture(loop_scope="session")
async def client(services: Services, database: Database, user: TestUser) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a service on the pools of this test."""
    transport = httpx.ASGITransport(build(replace(services, database=database)))
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=dict(user.http.headers)) as http:
        yield http


@pytest.mark.parametrize(("losses", "status"), [(1, 200), (2, 503)])
async def test_a_request_that_reads_survives_the_loss_of_one_connection(
    client: httpx.AsyncClient, user: TestUser, admin: Admin, losses: int, status: int
) -> None:
    base = await make_base(user)
    async with blocked(admin, client.get(f"/api/knowledge-bases/{base}")) as task:
        await end_waiting(admin, task, losses)
    reply = await task
    assert reply.status_code == status, reply.text
    if status == 503:
        assert reply.json() == {"error": "Server busy", "retryAfterMs": 1000}
        assert reply.headers["Retry-After"] == "1"


async def test_a_request_that_writes_and_loses_its_connection_is_refused_whole(
    client: httpx.AsyncClient, user: TestUser, admin: Admin
) -> None:
    base = await make_base(user)
    chunks = {"chunks": [{"content": "The mill grinds.", "metadata": {"title": "Mill"}}]}
    rename = {"name": "Mills and bakeries"}
    async with blocked(admin, client.patch(f"/api/knowledge-bases/{base}", json=rename)) as task:
        await end_waiting(admin, task, 10)
    assert (await task).status_code == 503
    reply = await client.post(f"/api/knowledge-bases/{base}/import", json=chunks)
    assert reply.status_code == 201, reply.text
    assert len(await enumerate_chunks(user, base)) == 1
