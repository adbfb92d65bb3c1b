"""The whole service in the test's own process, on the embedded Postgres; every test works as users of its own."""

import itertools
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import httpx
import pytest
import pytest_asyncio
from psycopg.conninfo import make_conninfo
from starlette.types import ASGIApp

from memctl.client import MemdClient
from memd.access.rate_limits.limits import local_limits
from memd.access.rate_limits.rate_limiter import RateLimiter
from memd.accounts import store
from memd.accounts.new_keys import add_key
from memd.accounts.tables import AppUser
from memd.app import build
from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.migrate import migrate
from memd.devices.attempts import Attempts
from memd.domain.ids import new_id
from memd.domain.types import KeyScope, Policy, Tier
from memd.embed import models
from memd.jobs.worker import run_workers
from memd.resources import logins_of, make_embedder
from memd.schedule.registry import SCHEDULE
from memd.services import running
from memd.settings import EmbedModel, Settings
from tests.support.citus import Cluster

HOST = "memd.test"
BASE = f"http://{HOST}"
STILL = {entry.name: "off" for entry in SCHEDULE}
"""Nothing runs by itself while a test runs."""
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class TestUser:
    """A user made for one test, and its key."""

    __test__ = False

    id: UUID
    key: str
    client: MemdClient
    http: httpx.AsyncClient


MakeUser = Callable[..., Awaitable[TestUser]]


@pytest.fixture(scope="session")
def service_settings(enterable_folder: Path) -> Settings:
    """Settings of the service under test; no file and no variable plays a part."""
    return Settings(
        data_dir=enterable_folder / "data",
        embed_model=EmbedModel.WORDLLAMA,
        schedule=STILL,
        allowed_hosts=[HOST],
        junk_per_run=3,
    )


@asynccontextmanager
async def serving(settings: Settings, conninfo: str) -> AsyncGenerator[Services]:
    """Services on a migrated database, jobs included unless the settings forbid; several may run side by side."""
    embedder = make_embedder(settings)
    model = models.claim(conninfo, embedder.name, embedder.dimensions)
    login = logins_of(settings, conninfo).system
    async with (
        running(settings, conninfo, embedder, model) as services,
        nullcontext() if settings.workers_off else run_workers(services, login),
    ):
        yield services


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def services(request: pytest.FixtureRequest, service_settings: Settings) -> AsyncIterator[Services]:
    """The services that most tests share; jobs run in them. `--postgres-url` and `--citus` put them on other servers."""
    outside: str | None = request.config.getoption("--postgres-url")
    if outside is None and request.config.getoption("--citus"):
        cluster: Cluster = request.getfixturevalue("citus")
        outside = cluster.conninfo(cluster.new_memd())
    proxy: str | None = request.config.getoption("--pool-url")
    settings = service_settings.model_copy(update={"database_url": outside, "database_pool_url": proxy})
    if outside is None:
        embedded: EmbeddedPostgres = request.getfixturevalue("embedded_postgres")
        conninfo = make_conninfo(embedded.conninfo)
    else:
        conninfo = outside
    migrate(conninfo)
    async with serving(settings, conninfo) as running_services:
        yield running_services


@pytest.fixture(scope="session")
def app(services: Services) -> ASGIApp:
    """The HTTP application around the shared services."""
    return build(services)


async def add_user(
    services: Services,
    *,
    tier: Tier = Tier.UNLIMITED,
    policy: Policy | None = None,
    scopes: tuple[KeyScope, ...] = (KeyScope.READ, KeyScope.WRITE),
    admin: bool = False,
    now: int | None = None,
) -> tuple[UUID, str]:
    """Add a user with one key; its id and the key."""
    user_id = new_id()
    moment = services.clock() if now is None else now
    async with services.database.system() as session:
        await store.insert_user(
            session,
            AppUser(
                user_id=user_id,
                name=f"user {next(_numbers)}",
                tier=tier,
                policy=policy,
                admin=admin,
                active=True,
                created_at=moment,
            ),
        )
        key = await add_key(session, user_id, label="test", scopes=scopes, now=moment)
    return user_id, key.secret


def reset_address_limits(services: Services) -> None:
    """Forget what the address that all tests share has used up: refused keys, wrong device codes."""
    fresh = RateLimiter(local_limits(services.settings, services.clock), services.clock)
    vars(services.rate_limiter).update({name: vars(fresh)[name] for name in ("sign_ins", "_addresses")})
    vars(services.attempts).update(vars(Attempts(fresh.ledgers)))


@asynccontextmanager
async def making_users(services: Services, app: ASGIApp) -> AsyncGenerator[MakeUser]:
    """`await make_user(tier=…, scopes=…)`, for the block; each user has a typed client and a bare HTTP one."""
    opened: list[httpx.AsyncClient] = []

    async def make(**options: object) -> TestUser:
        user_id, key = await add_user(services, **options)
        transport = httpx.ASGITransport(app)
        http = httpx.AsyncClient(transport=transport, base_url=BASE, headers={"Authorization": f"Bearer {key}"})
        opened.append(http)
        return TestUser(user_id, key, MemdClient(BASE, key, transport=transport, retries=0), http)

    yield make
    for http in opened:
        await http.aclose()


@pytest_asyncio.fixture(loop_scope="session")
async def make_user(services: Services, app: ASGIApp) -> AsyncIterator[MakeUser]:
    """Make users of this test's own."""
    reset_address_limits(services)
    async with making_users(services, app) as make:
        yield make


@pytest_asyncio.fixture(loop_scope="session")
async def user(make_user: MakeUser) -> TestUser:
    """One unmetered user of this test's own."""
    return await make_user(policy=Policy.SELF_HOSTED_UNMETERED)
