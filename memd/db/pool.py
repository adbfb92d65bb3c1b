"""A connection pool that replaces dead connections and fails fast while the server is unreachable.

psycopg_pool waits 1, 2, 4, ... seconds between connections that fail its own `check`, so a pool whose connections were
all terminated would keep one request waiting for longer than its timeout.
"""

from collections.abc import Awaitable, Callable, Hashable, Mapping
from select import POLLIN, poll
from time import monotonic
from types import MappingProxyType
from typing import Any, TypeAlias, cast

from psycopg import AsyncConnection, OperationalError
from psycopg.pq import ConnStatus
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from memd.db.connection_shares import ConnectionShares
from memd.db.fair_queue import CALLER, FairQueue
from memd.db.returned import check_returned

CONNECTION_WAIT_S = 20
"""How long a request waits for a connection while others use them all."""
OUTAGE_WAIT_S = 0.5
"""How long a request waits for a connection once the server is known to be unreachable."""
MAX_LIFETIME_S = 600
"""The maximum lifetime of a connection; it is replaced in the background once it is idle.

A session of Postgres keeps what it has ever cached of the catalogue, and each page of the buffer cache that it has ever
touched counts as its memory.
"""
RECONNECT_S = 2.5
"""How long the pool retries a connection in the background; after that it retries when a connection is requested."""


class Connection(AsyncConnection[tuple[Any, ...]]):
    """A connection that remembers the Postgres settings, by name, that the last read made on it.

    With `pooled_settings`, nothing stays on it: these go with every transaction, together with the transaction's own.
    A `distributed` one leads to the coordinator of a Citus cluster (see `memd.db.distribution`).
    """

    settings: Mapping[str, str] = MappingProxyType({})
    pooled_settings: Mapping[str, str] | None = None
    distributed: bool = False
    holder: Hashable = None
    """The caller that has it from the pool."""


Configure: TypeAlias = Callable[[Connection], Awaitable[None]]


class Pool(AsyncConnectionPool[Connection]):
    """Hands out live connections only, to those that wait for one in the order of `FairQueue`; see `ConnectionShares`."""

    def __init__(self, conninfo: str, *, configure: Configure, **options: Any) -> None:
        """A closed pool. `configure` prepares each new connection; `options` as for `AsyncConnectionPool`."""

        async def connected(connection: Connection) -> None:
            await configure(connection)
            self.unreachable = False

        super().__init__(
            conninfo,
            connection_class=Connection,
            open=False,
            configure=connected,
            reset=check_returned,
            timeout=CONNECTION_WAIT_S,
            max_lifetime=MAX_LIFETIME_S,
            reconnect_timeout=RECONNECT_S,
            reconnect_failed=_fail_waiting,
            **options,
        )
        self._waiting = FairQueue[Any]()  # psycopg_pool has no public way to order those that wait
        self._shares = ConnectionShares(self.max_size)
        self.unreachable = False

    async def getconn(self, timeout: float | None = None) -> Connection:  # noqa: ASYNC109 - the signature is psycopg_pool's
        """A live connection; `PoolTimeout` after `timeout` seconds, or OUTAGE_WAIT_S while the server is unreachable.

        Dead idle connections are dropped without a round trip or a delay; the pool opens others in the background.
        """
        if timeout is None:
            timeout = OUTAGE_WAIT_S if self.unreachable else self.timeout
        deadline = monotonic() + timeout
        caller = CALLER.get()
        try:
            await self._shares.take(caller, timeout)
        except TimeoutError:
            raise PoolTimeout("other requests use all connections that the caller may have") from None
        try:
            connection = await self._live(deadline)
        except BaseException:
            self._shares.give_back(caller)
            raise
        connection.holder = caller
        return connection

    async def putconn(self, conn: Connection) -> None:
        """Take a connection back from its holder."""
        self._shares.give_back(conn.holder)
        await super().putconn(conn)

    async def _live(self, deadline: float) -> Connection:
        while True:
            if self.unreachable:
                deadline = min(deadline, monotonic() + OUTAGE_WAIT_S)
            connection = await super().getconn(deadline - monotonic())
            if not is_dead(connection):
                return connection
            await super().putconn(connection)


async def _fail_waiting(pool: AsyncConnectionPool[Connection]) -> None:
    """The pool's `reconnect_failed` hook: requests that wait for a connection fail now, not at their timeout."""
    cast("Pool", pool).unreachable = True
    # psycopg_pool fails its waiting clients in `close` only.
    waiting = pool._waiting  # noqa: SLF001
    while waiting:
        await waiting.popleft().fail(PoolTimeout("the database is not reachable"))


def is_dead(connection: AsyncConnection[Any]) -> bool:
    """Whether the server has closed an idle connection. Reads only what has already arrived."""
    pgconn = connection.pgconn
    if pgconn.status != ConnStatus.OK:
        return True
    arrived = poll()
    arrived.register(pgconn.socket, POLLIN)
    while arrived.poll(0):
        try:
            pgconn.consume_input()
        except OperationalError:
            return True
        if pgconn.status != ConnStatus.OK:
            return True
    return False
