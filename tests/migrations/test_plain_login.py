"""memd on somebody's own server, under a login that is not a superuser: it makes its roles, migrates and works."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from memd.app import build
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.migrate import migrate
from memd.db.schema.requirements import check_server
from memd.settings import Settings
from tests.support.postgres import FAST
from tests.support.service import BASE, add_user, serving


@pytest.fixture(scope="module")
def plain_login(enterable_folder: Path) -> Iterator[str]:
    """A login that may make roles and owns an empty database with pgvector, on a fresh server."""
    with EmbeddedPostgres(enterable_folder / "plain", FAST) as server:
        with psycopg.connect(server.conninfo, autocommit=True) as superuser:
            superuser.execute("DROP ROLE memd_app, memd_system")  # what the embedded server makes for itself
            superuser.execute("CREATE ROLE plain LOGIN CREATEROLE")
            superuser.execute("CREATE DATABASE theirs OWNER plain")
        theirs = make_conninfo(server.conninfo, dbname="theirs")
        with psycopg.connect(theirs, autocommit=True) as superuser:
            superuser.execute("CREATE EXTENSION vector")
        yield make_conninfo(theirs, user="plain")


async def test_a_plain_login_migrates_and_may_act_as_both_roles(plain_login: str) -> None:
    async with await psycopg.AsyncConnection.connect(plain_login) as connection:
        await check_server(connection)
    migrate(plain_login)
    with psycopg.connect(plain_login, autocommit=True) as connection:
        for role in ("memd_app", "memd_system"):
            connection.execute(f"SET ROLE {role}".encode())
            assert connection.execute("SELECT current_user").fetchone() == (role,)
            connection.execute("RESET ROLE")
        assert connection.execute("SELECT usesuper FROM pg_user WHERE usename = session_user").fetchone() == (False,)


async def test_the_service_works_behind_the_wall_of_a_plain_login(plain_login: str, service_settings: Settings) -> None:
    migrate(plain_login)
    settings = service_settings.model_copy(update={"database_url": plain_login})
    async with serving(settings, plain_login) as services:
        _, mine = await add_user(services)
        _, theirs = await add_user(services)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(build(services)), base_url=BASE) as http:

            async def call(key: str, method: str, path: str, **body: object) -> httpx.Response:
                headers = {"Authorization": f"Bearer {key}"}
                return await http.request(method, path, headers=headers, json=body if method == "POST" else None)

            kept = await call(mine, "POST", "/api/mcp/capture", title="Mine", content="Only mine")
            assert kept.status_code == 200, kept.text
            assert (await call(mine, "POST", "/api/mcp/log", content="said")).status_code == 200
            assert (await call(mine, "POST", "/api/keys")).status_code == 201
            assert (await call(mine, "POST", "/api/device/start")).status_code == 200
            assert "Only mine" in (await call(mine, "GET", "/api/memories")).text
            assert "Only mine" not in (await call(theirs, "GET", "/api/memories")).text
            foreign = await call(theirs, "POST", "/api/mcp/memory", memoryId=kept.json()["id"])
            assert foreign.status_code == 403
