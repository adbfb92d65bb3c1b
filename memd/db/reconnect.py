"""Retrying reads whose connection was lost on another connection of the pool."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeAlias

from psycopg import OperationalError
from psycopg.errors import AdminShutdown, CrashShutdown

from memd.db.pool import Connection, Pool

Reconnect: TypeAlias = Callable[[], Awaitable[Connection]]
"""Gives a lost connection back to its pool and takes another."""


def is_lost(connection: Connection, error: OperationalError) -> bool:
    """Whether a statement failed because the server closed its connection."""
    return connection.closed or isinstance(error, AdminShutdown | CrashShutdown)


@asynccontextmanager
async def reconnecting(pool: Pool) -> AsyncGenerator[Reconnect]:
    """A function that takes a connection for the block, in exchange for the one that it took before."""
    async with AsyncExitStack() as held:

        async def reconnect() -> Connection:
            await held.aclose()
            return await held.enter_async_context(pool.connection())

        yield reconnect
