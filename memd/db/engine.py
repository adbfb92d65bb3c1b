"""The pools: connections under roles that row-level security binds, which only read unless a transaction may write."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection
from psycopg.sql import SQL
from psycopg.types.json import JsonDumper

from memd.db.connections.list_dumper import register_lists
from memd.db.connections.parsed_statements import cache_long_statements
from memd.db.connections.pool import Connection, Pool
from memd.db.schema.distribution import PROPAGATE, is_distributed
from memd.db.schema.logins import SYSTEM_CONNECTIONS, Login, Logins
from memd.db.tsvector import register_tsvector

CUSTOM_PLAN = {"plan_cache_mode": "force_custom_plan"}
"""For statements whose plan depends on the user and the values: planned each time."""
GENERIC_PLAN = {"plan_cache_mode": "force_generic_plan"}
"""For reads whose plan is the same for every user: planned once for each connection."""
_SESSION_SETTINGS: Final = {"default_transaction_read_only": "on", "max_parallel_workers_per_gather": "0"}


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds after which Postgres cancels a statement: of requests, and of jobs and administration; 0 for never."""

    statement_s: float = 20
    job_s: float = 600


def make_pool(
    login: Login,
    *,
    name: str = "memd",
    min_size: int = 2,
    max_size: int = 12,
    caller_max: int | None = None,
    statement_timeout_s: float = 0,
) -> Pool:
    """A closed pool of connections by `login`; open it inside the event loop with `await pool.open(wait=True)`.

    Every new connection takes the login's role, if it names one, reads only by default, and ends long statements; one
    to a proxy sends the role with each transaction, and prepares no statements, which older proxies lose.
    """
    cache_long_statements()

    async def configure(connection: Connection) -> None:
        await connection.set_autocommit(True)
        connection.prepare_threshold = None if login.pooled else 1
        await register_vector_async(connection)
        register_tsvector(connection)
        register_lists(connection)
        connection.adapters.register_dumper(dict, JsonDumper)
        connection.distributed = await is_distributed(connection)
        if login.pooled:
            role = {} if login.role is None else {"role": login.role}
            connection.pooled_settings = {**PROPAGATE, **role} if connection.distributed else role
            return
        await apply_settings(
            connection,
            login,
            statement_timeout_s,
            {**_SESSION_SETTINGS, **(PROPAGATE if connection.distributed else {})},
        )

    return Pool(
        login.conninfo, min_size=min_size, max_size=max_size, configure=configure, caller_max=caller_max, name=name
    )


@dataclass(frozen=True, slots=True)
class Pools:
    """The pool of user sessions and the one of system sessions, the logins behind them, and the limits of both."""

    logins: Logins
    app: Pool
    system: Pool
    timeouts: Timeouts


@asynccontextmanager
async def open_pools(
    logins: Logins,
    *,
    min_size: int = 2,
    max_size: int = 12,
    caller_max: int | None = None,
    timeouts: Timeouts = Timeouts(),
) -> AsyncGenerator[Pools]:
    """Both pools for as long as the block runs; the sizes are those of the pool of requests.

    A shared login takes the role of the system for a transaction at a time, not for the session.
    """
    async with AsyncExitStack() as stack:
        app = make_pool(
            logins.app,
            min_size=min_size,
            max_size=max_size,
            caller_max=caller_max,
            statement_timeout_s=timeouts.statement_s,
        )
        system = make_pool(
            Login(logins.system.conninfo),
            name="memd-system",
            min_size=1,
            max_size=SYSTEM_CONNECTIONS,
            statement_timeout_s=timeouts.job_s,
        )
        for pool in (app, system):
            await pool.open()
            stack.push_async_callback(pool.close)
        for pool in (app, system):
            await pool.wait(timeout=30)
        yield Pools(logins, app, system, timeouts)


async def apply_settings(
    connection: AsyncConnection,
    login: Login,
    statement_timeout_s: float,
    further: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Give a session its role, the timeout of its statements in seconds (0 for none) and further settings: one round trip.

    A login that has the rights of one role only takes none.
    """
    role = {} if login.role is None else {"role": login.role}
    settings = {**role, "statement_timeout": str(milliseconds(statement_timeout_s)), **further}
    given = SQL(", ").join(SQL("set_config({}, {}, false)").format(name, value) for name, value in settings.items())
    await connection.execute(SQL("SELECT {}").format(given))


def milliseconds(timeout_s: float) -> int:
    """Seconds as Postgres's settings take them, in milliseconds."""
    return round(timeout_s * 1000)
