"""The pool: every connection works under a role that row-level security binds."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection
from psycopg.types.json import JsonDumper
from psycopg_pool import AsyncConnectionPool

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"

Pool: TypeAlias = AsyncConnectionPool[AsyncConnection]


ONE_PLAN = {"plan_cache_mode": "force_generic_plan"}
"""For reads whose plan is the same for every user: planned once for each connection."""

Prepare: TypeAlias = Callable[[AsyncConnection], Awaitable[None]]


def make_pool(conninfo: str, prepare: Prepare, *, min_size: int = 2, max_size: int = 12) -> Pool:
    """A closed pool on `conninfo`; open it inside the event loop with `await pool.open(wait=True)`.

    Every new connection takes the application role, then `prepare` gives it what the rooms need.
    """

    async def configure(connection: AsyncConnection) -> None:
        await connection.set_autocommit(True)
        connection.prepare_threshold = 1
        await register_vector_async(connection)
        connection.adapters.register_dumper(dict, JsonDumper)
        await connection.execute(f"SET ROLE {APP_ROLE}")
        await connection.execute("SET plan_cache_mode = force_custom_plan")
        await prepare(connection)

    return AsyncConnectionPool(
        conninfo, min_size=min_size, max_size=max_size, open=False, configure=configure, timeout=20, name="memd"
    )
