"""Retrying reads whose connection was lost on another connection of the pool."""

from collections.abc import Awaitable, Callable
from typing import Self, TypeAlias

from psycopg import OperationalError
from psycopg.errors import AdminShutdown, CrashShutdown

from memd.db.connections.pool import Connection, Pool

Reconnect: TypeAlias = Callable[[], Awaitable[Connection]]
"""Gives a lost connection back to its pool and takes another."""


def is_lost(connection: Connection, error: OperationalError) -> bool:
    """Whether a statement failed because the server closed its connection."""
    return connection.closed or isinstance(error, AdminShutdown | CrashShutdown)


class HeldConnection:
    """For a block, a connection of a pool: `take` gives one, in exchange for the one that it gave before.

    At the end it goes back in its present state: the pool rolls back a failed transaction, and closes a connection that
    is still not idle.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._taken: Connection | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._give_back()

    async def take(self) -> Connection:
        """A connection; the one that was taken before goes back."""
        await self._give_back()
        self._taken = await self._pool.getconn()
        return self._taken

    async def _give_back(self) -> None:
        taken, self._taken = self._taken, None
        if taken is not None:
            await self._pool.putconn(taken)
