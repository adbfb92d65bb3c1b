"""Postgres ends a statement that takes too long, and the client gets the 503 of the contract (1.7)."""

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.errors import QueryCanceled
from structlog.testing import capture_logs

from memd.app import build
from memd.context import Services
from memd.db.embedded import EmbeddedPostgres
from memd.settings import Settings
from tests.support.service import BASE, add_user, serving

CAPTURE = {"title": "Mill", "content": "The mill stands by the river.", "category": "fact"}


async def test_every_connection_of_the_pools_has_a_limit(services: Services) -> None:
    for pool, limit in ((services.database.pools.app, "20s"), (services.database.pools.system, "10min")):
        async with pool.connection() as connection:
            cursor = await connection.execute("SHOW statement_timeout")
            assert await cursor.fetchone() == (limit,)


@pytest.mark.parametrize(("path", "body"), [("/api/mcp/capture", CAPTURE), ("/api/mcp/recall", {"query": "mill"})])
async def test_a_statement_over_its_limit_is_busy_and_the_next_request_is_served(
    embedded_postgres: EmbeddedPostgres, services: Services, service_settings: Settings, path: str, body: dict[str, str]
) -> None:
    """A table that somebody has locked stands for whatever makes a statement slow."""
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
