"""The pool: connections under a role that row-level security binds, which only read unless a transaction may write."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection
from psycopg.types.json import JsonDumper
from psycopg_pool import AsyncConnectionPool

from memd.db.returned import check_returned

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"

UNKNOWN = ""
"""Stands for the value of a setting that may or may not have been changed."""


class Connection(AsyncConnection[tuple[Any, ...]]):
    """A connection that remembers what the last read set on it: Postgres's settings by name."""

    settings: Mapping[str, str] = MappingProxyType({})


Pool: TypeAlias = AsyncConnectionPool[Connection]
OWN_PLAN = {"plan_cache_mode": "force_custom_plan"}
"""For statements whose plan depends on the user and the values: planned each time."""
ONE_PLAN = {"plan_cache_mode": "force_generic_plan"}
"""For reads whose plan is the same for every user: planned once for each connection."""


def make_pool(conninfo: str, *, min_size: int = 2, max_size: int = 12) -> Pool:
    """A closed pool on `conninfo`; open it inside the event loop with `await pool.open(wait=True)`.

    Every new connection takes the application role and reads only by default.
    """

    async def configure(connection: AsyncConnection) -> None:
        await connection.set_autocommit(True)
        connection.prepare_threshold = 1
        await register_vector_async(connection)
        connection.adapters.register_dumper(dict, JsonDumper)
        await connection.execute(f"SET ROLE {APP_ROLE}")
        await connection.execute("SET default_transaction_read_only = on")

    return AsyncConnectionPool(
        conninfo,
        connection_class=Connection,
        min_size=min_size,
        max_size=max_size,
        open=False,
        configure=configure,
        reset=check_returned,
        timeout=20,
        name="memd",
    )
