"""memd behind a PgBouncer that pools transactions: users see only their own rows, and nothing stays on a connection."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
import pytest_asyncio
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import ReadOnlySqlTransaction

from memd.app import build
from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.engine import open_pools
from memd.db.errors import ServerRequirementsError
from memd.db.schema.logins import Logins, behind_proxy, embedded_logins, shared_login
from memd.db.schema.requirements import check_session
from memd.db.session import Database
from memd.jobs import store as queue
from memd.resources import logins_of
from memd.settings import Settings
from tests.support.pgbouncer import SERVER_CONNECTIONS, pgbouncer
from tests.support.service import BASE, MakeUser, TestUser
from tests.support.wire import send

USERS, CALLS = 4, 5
STATE = "SELECT current_setting('memd.user_id', true), current_setting('plan_cache_mode'), current_user::text, pg_backend_pid()"


@pytest.fixture(scope="module")
def proxy(embedded_postgres: EmbeddedPostgres, enterable_folder: Path) -> Iterator[str]:
    """The conninfo of the owner through PgBouncer."""
    with pgbouncer(embedded_postgres, enterable_folder / "pgbouncer") as conninfo:
        yield conninfo


@pytest.fixture(params=["a shared login", "separate logins"])
def logins(request: pytest.FixtureRequest, embedded_postgres: EmbeddedPostgres, proxy: str) -> Logins:
    """The logins of requests through the proxy, with and without a role to take."""
    owner = embedded_postgres.conninfo
    if request.param == "a shared login":
        return behind_proxy(shared_login(owner), proxy)
    return behind_proxy(embedded_logins(owner), make_conninfo(proxy, user="memd_app"))


@pytest_asyncio.fixture(loop_scope="session")
async def pooled(services: Services, logins: Logins) -> AsyncIterator[Services]:
    """The services with requests through the proxy."""
    async with open_pools(logins, max_size=8) as pools:
        fields = {name: getattr(services, name) for name in services.__slots__}
        yield Services(**fields | {"database": Database(pools, queue.add_jobs)})
        await services.background_tasks.drain()


async def _work(client: httpx.AsyncClient, user: TestUser, number: int) -> None:
    """One user's own requests; every answer holds rows of this user only."""
    here = TestUser(user.id, user.key, user.client, client)
    mark = f"user{number}"
    for call in range(CALLS):
        await send(here, "POST", "/api/mcp/log", {"role": "user", "content": f"{mark} rowed to the mill {call}"})
        body = {"title": f"{mark} {call}", "content": f"{mark} owns the mill number {call}"}
        await send(here, "POST", "/api/mcp/capture", body)
        recalled = await send(here, "POST", "/api/mcp/recall", {"query": "who owns the mill", "limit": 20})
        found = [row["content"] for row in recalled["memories"]]
        assert len(found) == call + 1
        assert all(text.startswith(mark) for text in found), (mark, found)
        assert all(row["content"].startswith(mark) for row in recalled["messageMatches"])


async def test_many_users_share_few_server_connections(pooled: Services, make_user: MakeUser, proxy: str) -> None:
    users = [await make_user() for _ in range(USERS)]
    transport = httpx.ASGITransport(build(pooled))
    clients = [httpx.AsyncClient(transport=transport, base_url=BASE, headers=dict(user.http.headers)) for user in users]
    await asyncio.gather(
        *(_work(client, user, number) for number, (client, user) in enumerate(zip(clients, users, strict=True)))
    )
    for client in clients:
        await client.aclose()
    pids: set[int] = set()
    for login in (conninfo_to_dict(proxy)["user"], "memd_app"):
        async with await psycopg.AsyncConnection.connect(
            make_conninfo(proxy, user=login), autocommit=True, prepare_threshold=None
        ) as connection:
            for _ in range(SERVER_CONNECTIONS * 2):
                row = await (await connection.execute(STATE)).fetchone()
                assert row is not None
                user_id, plan, role, pid = row
                assert (user_id or "", plan, role) == ("", "auto", login)
                pids.add(pid)
    assert len(pids) <= 2 * SERVER_CONNECTIONS


async def test_reads_cannot_write(pooled: Services, make_user: MakeUser) -> None:
    user = await make_user()
    async with pooled.database.owner(user.id) as session:
        with pytest.raises(ReadOnlySqlTransaction):
            await session.execute("DELETE FROM memory WHERE user_id = %(user)s", {"user": user.id})
        assert await session.value("SELECT current_user::text") == "memd_app"


def test_a_proxy_alone_is_refused() -> None:
    with pytest.raises(ServerRequirementsError, match="MEMD_DATABASE_POOL_URL needs MEMD_DATABASE_URL"):
        logins_of(Settings(database_url=None, database_pool_url="postgresql://proxy/memd"), "")


async def test_a_proxy_that_pools_transactions_is_refused_as_the_server(
    embedded_postgres: EmbeddedPostgres, proxy: str
) -> None:
    await check_session(embedded_postgres.conninfo)
    with pytest.raises(
        ServerRequirementsError, match="name the server itself there, and the proxy in MEMD_DATABASE_POOL"
    ):
        await check_session(proxy)
