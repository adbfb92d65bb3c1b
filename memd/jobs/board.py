"""The durable queue: procrastinate on memd's own Postgres, written in the transactions that cause the jobs."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued
from procrastinate.jobs import Job
from procrastinate.retry import BaseRetryStrategy, RetryDecision
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from memd.db.engine import SYSTEM_ROLE
from memd.db.returned import check_returned
from memd.db.session import Deferral
from memd.jobs import store

TRIES: Final = 5
BACKOFF_S: Final = 10


class Backoff(BaseRetryStrategy):
    """Five tries, 10 s × 2^n apart; then the job stays failed and visible (contract 13)."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """When to try again, None after the last try."""
        del exception
        if job.attempts + 1 >= TRIES:
            return None
        return RetryDecision(retry_in={"seconds": BACKOFF_S * 2**job.attempts})


async def _as_system(connection: AsyncConnection) -> None:
    await connection.execute(f"SET ROLE {SYSTEM_ROLE}")
    await connection.commit()


class Board:
    """The queue of one database, open between `open` and `close`."""

    def __init__(self, conninfo: str) -> None:
        self.conninfo = conninfo
        self._pool = AsyncConnectionPool(
            conninfo,
            min_size=1,
            max_size=4,
            open=False,
            configure=_as_system,
            reset=check_returned,
            name="memd-jobs",
        )
        self.app = App(connector=PsycopgConnector())

    async def open(self) -> None:
        """Connect; inside the event loop."""
        await self._pool.open(wait=True, timeout=30)
        await self.app.open_async(self._pool)

    async def close(self) -> None:
        """Let the connections go."""
        await self.app.close_async()
        await self._pool.close()

    async def flush(self, connection: AsyncConnection, user_id: UUID | None, deferrals: Sequence[Deferral]) -> None:
        """Write the deferred jobs of a transaction, on its connection and under the system role.

        The jobs of a user carry the user's id; those of the whole service carry none.
        """
        for deferral in deferrals:
            if deferral.once is None:
                await self._defer(connection, user_id, deferral)
                continue
            if await store.waits(connection, deferral.once):
                continue  # without a failed statement, after which the connection would prepare all of its own anew
            try:
                async with connection.transaction():
                    await self._defer(connection, user_id, deferral)
            except AlreadyEnqueued:
                continue

    async def _defer(self, connection: AsyncConnection, user_id: UUID | None, deferral: Deferral) -> None:
        options: dict[str, Any] = {
            "connection": connection,
            "queueing_lock": deferral.once,
            "lock": deferral.alone,
            "priority": -1 if deferral.may_wait else 0,
        }
        if deferral.delay_ms:
            options["schedule_in"] = {"milliseconds": deferral.delay_ms}
        task = self.app.configure_task(deferral.kind, allow_unknown=True, **options)
        owner = {} if user_id is None else {"user_id": str(user_id)}
        await task.defer_async(**owner, **deferral.payload)
