"""Postgres ends a statement that takes too long, and the client gets the 503 of the contract (1.7)."""

import asyncio
from uuid import UUID

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.errors import QueryCanceled
from structlog.testing import capture_logs

from memd.accounts.store import LiveKey
from memd.app import build
from memd.context import Context, Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.engine import open_pools
from memd.db.schema.logins import embedded_logins
from memd.db.session import Database
from memd.graph import enrichment
from memd.graph.enrichment_store import Unread
from memd.jobs import store as queue
from memd.jobs.enqueue import defer_enrichment
from memd.settings import Settings
from tests.support.service import BASE, TestUser, add_user, serving

CAPTURE = {"title": "Mill", "content": "The mill stands by the river.", "category": "fact"}


SHOW = "SHOW statement_timeout"


async def limits_of(database: Database, user_id: UUID) -> list[str]:
    """The statement timeout in a session of each kind: read, owner, write, system."""
    async with database.read(user_id) as read, database.owner(user_id) as owner:
        shown = [await read.value(SHOW), await owner.value(SHOW)]
    async with database.write(user_id) as write, database.system() as system:
        return [*shown, await write.value(SHOW), await system.value(SHOW)]


async def test_every_session_of_a_request_has_its_limit(services: Services, user: TestUser) -> None:
    assert await limits_of(services.database, user.id) == ["20s", "20s", "20s", "10min"]


async def test_every_session_of_a_job_has_the_limit_of_jobs(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked from inside a job that the worker runs."""
    unread_memories = enrichment.unread_memories
    limits: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()

    async def show_limits(context: Context, limit: int) -> list[Unread]:
        if context.user_id == user.id and not limits.done():
            limits.set_result(await limits_of(context.database, context.user_id))
        return await unread_memories(context, limit)

    monkeypatch.setattr(enrichment, "unread_memories", show_limits)
    async with services.database.write(user.id) as session:
        defer_enrichment(session)
    async with asyncio.timeout(30):
        assert await limits == ["10min"] * 4


async def test_a_request_has_its_own_limit_on_the_connection_of_a_job(
    services: Services, user: TestUser, embedded_postgres: EmbeddedPostgres
) -> None:
    logins = embedded_logins(embedded_postgres.conninfo)
    async with open_pools(logins, min_size=1, max_size=1) as pools:
        requests = Database(pools, queue.add_jobs)
        jobs = requests.for_jobs()
        sessions = (requests.read, jobs.read, requests.owner, jobs.owner, requests.write, jobs.read, requests.write)
        limits: list[str] = []
        for session_of in sessions:
            async with session_of(user.id) as session:
                limits.append(await session.value(SHOW))
        assert limits == ["20s", "10min", "20s", "10min", "20s", "10min", "20s"]
        await requests.look_up(LiveKey, "SELECT * FROM memd_find_key(%(hash)s)", {"hash": "mill"})
        async with pools.app.connection() as connection:
            cursor = await connection.execute(SHOW)
            assert await cursor.fetchone() == ("20s",)


@pytest.mark.parametrize(("path", "body"), [("/api/mcp/capture", CAPTURE), ("/api/mcp/recall", {"query": "mill"})])
async def test_a_statement_over_its_limit_is_busy_and_the_next_request_is_served(
    embedded_postgres: EmbeddedPostgres, services: Services, service_settings: Settings, path: str, body: dict[str, str]
) -> None:
    """A table that somebody has locked represents whatever makes a statement slow."""
    _, key = await add_user(services)
    short = service_settings.model_copy(update={"database_statement_timeout_s": 0.2, "workers_off": True})
    conninfo = make_conninfo(embedded_postgres.conninfo)
    async with (
        serving(short, conninfo) as limited,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(build(limited)), base_url=BASE, headers={"Authorization": f"Bearer {key}"}
        ) as http,
    ):
        async with await psycopg.AsyncConnection.connect(conninfo) as locking:
            await locking.execute("LOCK TABLE memory, memory_vector IN ACCESS EXCLUSIVE MODE")
            with capture_logs() as logged:
                reply = await http.post(path, json=body)
        assert (reply.status_code, reply.json()) == (503, {"error": "Server busy", "retryAfterMs": 1000})
        assert reply.headers["Retry-After"] == "1"
        assert [line["event"] for line in logged if line["event"].startswith("request.")] == ["request.timeout"]
        assert (await http.post(path, json=body)).status_code == 200


async def test_a_job_has_more_time_than_a_request(
    embedded_postgres: EmbeddedPostgres, service_settings: Settings
) -> None:
    limits = {"database_statement_timeout_s": 0.1, "database_job_timeout_s": 60, "workers_off": True}
    short = service_settings.model_copy(update=limits)
    async with serving(short, make_conninfo(embedded_postgres.conninfo)) as limited:
        async with limited.database.system() as session:
            assert await session.value("SELECT pg_sleep(0.2)::text") == ""
        with pytest.raises(QueryCanceled):
            async with limited.database.pools.app.connection() as connection:
                await connection.execute("SELECT pg_sleep(5)")
