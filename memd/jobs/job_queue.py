"""The durable queue: procrastinate on memd's own Postgres. Jobs are added by `memd.jobs.store`."""

import asyncio
from types import TracebackType
from typing import Any, Final, LiteralString, Self

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job
from procrastinate.retry import BaseRetryStrategy, RetryDecision
from psycopg import AsyncConnection, OperationalError

from memd.db.connections.pool import Pool
from memd.db.engine import apply_settings
from memd.db.schema.logins import Login

TRIES: Final = 5
BACKOFF_S: Final = 10
REPEATED_AFTER_S: Final = (0.2, 1.0, 3.0)
"""When a statement of the worker is repeated whose connection was lost; a longer outage ends the worker itself."""


class Backoff(BaseRetryStrategy):
    """Five tries, 10 s × 2^n apart; then the job stays failed and visible (contract 13)."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """When to try again, None after the last try."""
        del exception
        if job.attempts + 1 >= TRIES:
            return None
        return RetryDecision(retry_in={"seconds": BACKOFF_S * 2**job.attempts})


class Connector(PsycopgConnector):
    """The connector of procrastinate; repeats statements without a result when their connection is lost.

    They note that a job has ended or is to be tried again. Without that the job would count as running for as long as
    its worker lives, and the jobs that wait for its lock would never run. A repetition of what was committed, but not
    answered, fails with an error that is logged and changes nothing.
    """

    async def execute_query_async(self, query: LiteralString, **arguments: Any) -> None:
        """Run a statement; `ConnectorException` when it fails, or the database stays unreachable."""
        for pause_s in REPEATED_AFTER_S:
            try:
                return await super().execute_query_async(query, **arguments)
            except ConnectorException as error:
                if not isinstance(error.__cause__, OperationalError):
                    raise
            await asyncio.sleep(pause_s)
        return await super().execute_query_async(query, **arguments)


class JobQueue:
    """The job queue of one database, connected while its block runs."""

    def __init__(self, login: Login, statement_timeout_s: float = 0) -> None:
        """`login` is the one of the system: it alone works with the tables of the queue.

        A timeout of 0 means no timeout.
        """
        self.login = login

        async def configure(connection: AsyncConnection) -> None:
            await apply_settings(connection, login, statement_timeout_s)
            await connection.commit()

        self._pool = Pool(  # the worker listens for jobs on one connection all the time
            login.conninfo, min_size=1, max_size=4, configure=configure, is_watched=False, name="memd-jobs"
        )
        self.app = App(connector=Connector())

    async def __aenter__(self) -> Self:
        """Connect; inside the event loop."""
        await self._pool.open(wait=True, timeout=30)
        await self.app.open_async(self._pool)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self.app.close_async()
        await self._pool.close()
