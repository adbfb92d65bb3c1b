"""A connection pool that replaces dead connections and fails fast while the server is unreachable.

psycopg_pool waits 1, 2, 4, ... seconds between connections that fail its own `check`, so a pool whose connections were
all terminated would keep one request waiting for longer than its timeout.
"""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Hashable, Mapping
from contextlib import suppress
from select import POLLIN, poll
from time import monotonic
from types import MappingProxyType
from typing import Any, TypeAlias, cast

from psycopg import AsyncConnection, OperationalError
from psycopg.pq import ConnStatus
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from memd.cancellation import cancel_and_wait
from memd.db.connections.fair_queue import CALLER, FairQueue
from memd.db.connections.returned import check_returned
from memd.db.connections.shares import Shares
from memd.db.connections.silence import SilenceWatch

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
_SILENT = "the database does not answer"


class Connection(AsyncConnection[tuple[Any, ...]]):
    """A connection that remembers the Postgres settings, by name, that the last read made on it.

    With `pooled_settings`, nothing stays on it: these go with every transaction, together with the transaction's own.
    A `distributed` one leads to the coordinator of a Citus cluster (see `memd.db.schema.distribution`).
    """

    settings: Mapping[str, str] = MappingProxyType({})
    pooled_settings: Mapping[str, str] | None = None
    distributed: bool = False
    holder: Hashable = None
    """The caller that has it from the pool."""


Configure: TypeAlias = Callable[[Connection], Awaitable[None]]


class Pool(AsyncConnectionPool[Connection]):
    """Hands out live connections only, to those that wait for one in the order of `FairQueue`; see `Shares`."""

    def __init__(
        self,
        conninfo: str,
        *,
        configure: Configure,
        caller_max: int | None = None,
        is_watched: bool = True,
        **options: Any,
    ) -> None:
        """A closed pool. `configure` prepares each new connection; `options` as for `AsyncConnectionPool`.

        No caller holds more than `caller_max` connections, if given. A pool that `is_watched` fails what waits for a
        silent server (`SilenceWatch`); no connection may be kept for long.
        """

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
            reconnect_failed=_reconnect_failed,
            **options,
        )
        self._waiting = FairQueue[Any]()  # psycopg_pool has no public way to order those that wait
        self._shares = Shares(self.max_size, caller_max)
        self.unreachable = False
        self._watch = SilenceWatch(conninfo, self._give_up)
        self._is_watched = is_watched
        self._watching: list[asyncio.Task[None]] = []

    async def open(self, wait: bool = False, timeout: float = 30) -> None:  # noqa: ASYNC109 - the signature is psycopg_pool's
        """Begin to connect, and to watch the server."""
        if self._is_watched and not self._watching:
            self._watching.append(asyncio.create_task(self._watch.run(), name=f"{self.name}-silence"))
        await super().open(wait, timeout)

    async def close(self, timeout: float = 5) -> None:  # noqa: ASYNC109 - the signature is psycopg_pool's
        """Close all connections."""
        await cancel_and_wait(self._watching, again_after_s=1)
        await super().close(timeout)

    async def getconn(self, timeout: float | None = None) -> Connection:  # noqa: ASYNC109 - the signature is psycopg_pool's
        """A live connection; `PoolTimeout` after `timeout` seconds, or OUTAGE_WAIT_S while the server is unreachable.

        While the server is silent, it fails at once. Dead idle connections are dropped without a round trip or a delay;
        the pool opens others in the background.
        """
        if timeout is None:
            timeout = OUTAGE_WAIT_S if self.unreachable else self.timeout
        deadline = monotonic() + timeout
        caller, request = CALLER.get(), object()
        self._watch.begin(request)
        try:
            connection = await self._shared(caller, deadline)
        finally:
            self._watch.end(request)
        self._watch.begin(connection)
        return connection

    async def _shared(self, caller: Hashable, deadline: float) -> Connection:
        """A live connection, which counts as one of the caller's."""
        self._refuse_silent()
        try:
            await self._shares.take(caller, deadline - monotonic())
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
        self._watch.end(conn)
        self._shares.give_back(conn.holder)
        await super().putconn(conn)

    async def _get_ready_connection(self, timeout: float | None) -> Connection | None:  # noqa: ASYNC109 - the signature is psycopg_pool's
        """The idle connection that came back last: its backend has cached plans and warm caches.

        psycopg_pool hands out the one that came back first, and has no public way to change that.
        """
        self._pool.rotate(1)
        return await super()._get_ready_connection(timeout)

    async def _live(self, deadline: float) -> Connection:
        while True:
            self._refuse_silent()
            if self.unreachable:
                deadline = min(deadline, monotonic() + OUTAGE_WAIT_S)
            connection = await super().getconn(deadline - monotonic())
            if not is_dead(connection):
                return connection
            await super().putconn(connection)

    def _refuse_silent(self) -> None:
        if self._watch.is_silent:
            raise PoolTimeout(_SILENT)

    async def _give_up(self) -> None:
        """Fail what waits for a silent server, for a connection or on one: the lost connections are replaced later."""
        await self.fail_waiting(_SILENT)
        for connection in self._watch.in_use():
            _cut_off(connection)

    async def fail_waiting(self, reason: str) -> None:
        """Fail the requests that wait for a connection now, not at their timeout."""
        while self._waiting:  # psycopg_pool fails its waiting clients in `close` only
            await self._waiting.popleft().fail(PoolTimeout(reason))


async def _reconnect_failed(pool: AsyncConnectionPool[Connection]) -> None:
    """The pool's hook of this name."""
    this = cast("Pool", pool)
    this.unreachable = True
    await this.fail_waiting("the database is not reachable")


def _cut_off(connection: AsyncConnection[Any]) -> None:
    """End a connection whose statement waits: it fails as if the server had closed it.

    Closing it here would leave the event loop waiting for a closed socket.
    """
    with suppress(OSError, OperationalError), socket.socket(fileno=os.dup(connection.pgconn.socket)) as line:
        line.shutdown(socket.SHUT_RDWR)


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
