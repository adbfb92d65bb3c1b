"""Units of work: the only place that begins and commits transactions.

A `ReadSession` or `WriteSession` belongs to one user: the database itself (row-level security) hides the rows of all
other users. A `SystemSession` sees all users, through a separate login; it is for accounts, administration and jobs.
"""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from psycopg import InternalError

from memd.db.audit_append import append
from memd.db.connections.pool import Connection
from memd.db.connections.reconnect import HeldConnection, Reconnect
from memd.db.engine import CUSTOM_PLAN, Pools, milliseconds
from memd.db.erased_users import refuse_erased_users
from memd.db.statements import NO_SETTINGS, Params, R, Session, Statement, set_config, transaction_settings
from memd.domain.accounts.audit_chain import AuditEntry

_BEGIN: Statement = ("BEGIN READ WRITE", {})
_COMMIT: Statement = ("COMMIT", {})


class ReadSession(Session):
    """Reads of one user; a statement on rows that have scopes takes the visible scopes as well."""

    def __init__(
        self,
        connection: Connection,
        user_id: UUID,
        settings: Mapping[str, str] = NO_SETTINGS,
        reconnect: Reconnect | None = None,
    ) -> None:
        super().__init__(connection, settings, reconnect)
        self.user_id = user_id


class OwnerSession(ReadSession):
    """Reads of one user in every channel and knowledge base: for jobs, and for requests that test only the owner.

    A store function that reads rows without their scope takes this session, so that a caller has to ask for it.
    """


@dataclass(frozen=True, slots=True)
class Deferral:
    """A background job that is enqueued if and only if the transaction commits.

    While a job with the same `queueing_lock` waits, another is not added. Jobs with the same `lock` run one at a time.
    `delay_ms` counts from now. Due jobs of a higher `priority` run first.
    """

    kind: str
    payload: Mapping[str, Any]
    queueing_lock: str | None = None
    lock: str | None = None
    delay_ms: int = 0
    priority: int = 0


AddJobs: TypeAlias = Callable[[UUID | None, Sequence[Deferral]], list[Statement]]


def admit_writer(user_id: UUID) -> Statement:
    """Lets a transaction write for a user; `Unauthorized` for an erased one. An erasure waits until the transaction ends."""
    return "SELECT memd_admit_writer(%(writer)s)", {"writer": user_id}


class _Transaction(Session):
    """Reads and writes in one transaction, which begins with its first statement, and the jobs that they cause."""

    def __init__(self, connection: Connection, first: Sequence[Statement]) -> None:
        Session.__init__(self, connection)
        self.deferrals: list[Deferral] = []
        self.audited: list[AuditEntry] = []
        self._waiting = [_BEGIN, *first]

    def defer(self, deferral: Deferral) -> None:
        """Enqueue a job with the commit of this transaction."""
        self.deferrals.append(deferral)

    def audit(self, entry: AuditEntry) -> None:
        """Append to the audit chain when this transaction commits; if that fails, nothing of it is committed."""
        self.audited.append(entry)

    def execute_later(self, *statements: Statement) -> None:
        """Run statements together with the next ones, at the latest with the commit; an error is raised there."""
        self._waiting += statements

    async def end(self, *last: Statement) -> None:
        """Commit after the pending and the `last` statements, all in one round trip."""
        *_, committed = await self._run(*last, _COMMIT)
        if committed.statusmessage != "COMMIT":  # Postgres answers so where an earlier error was swallowed
            raise InternalError("the transaction was rolled back")


class WriteSession(_Transaction, OwnerSession):
    """Reads and writes of one user, and the jobs that they cause."""

    def __init__(self, connection: Connection, user_id: UUID, settings: Mapping[str, str]) -> None:
        pooled = connection.pooled_settings or NO_SETTINGS
        sent = transaction_settings(connection, {**pooled, "memd.user_id": str(user_id), **settings})
        super().__init__(connection, [*sent, admit_writer(user_id)])
        self.user_id = user_id


class SystemSession(_Transaction):
    """Reads and writes over all users, and the jobs that they cause."""

    def __init__(self, connection: Connection, role: str | None) -> None:
        """`role` is set where the login has more rights than that role."""
        as_role: list[Statement] = [] if role is None else [(f"SET LOCAL ROLE {role}", {})]
        super().__init__(connection, [*as_role, set_config(CUSTOM_PLAN, local=True)])


class Database:
    """The three kinds of session, on a pool for requests and one for jobs and administration."""

    def __init__(self, pools: Pools, add_jobs: AddJobs, *, statement_timeout_s: float | None = None) -> None:
        """`add_jobs` returns the statements that add the deferred jobs of a transaction to the queue.

        The timeout is that of user sessions (0: no limit), by default the one of requests.
        """
        self.pools = pools
        self._add_jobs = add_jobs
        timeout_s = pools.timeouts.statement_s if statement_timeout_s is None else statement_timeout_s
        self._limit = {"statement_timeout": str(milliseconds(timeout_s))}

    def for_jobs(self) -> "Database":
        """The same pools, with the statement timeout of jobs in user sessions too."""
        return Database(self.pools, self._add_jobs, statement_timeout_s=self.pools.timeouts.job_s)

    @asynccontextmanager
    async def read(self, user_id: UUID, settings: Mapping[str, str] = CUSTOM_PLAN) -> AsyncGenerator[ReadSession]:
        """Reads of one user: each call is one round trip and one read-only transaction (Postgres makes a pipeline one).

        `settings` of Postgres hold for these reads. They and the user stay with the connection, and are sent along only
        when it served another user or setting before.
        """
        async with HeldConnection(self.pools.app) as held:
            values = {"memd.user_id": str(user_id), **self._limit, **settings}
            yield ReadSession(await held.take(), user_id, values, held.take)

    @asynccontextmanager
    async def owner(self, user_id: UUID, settings: Mapping[str, str] = CUSTOM_PLAN) -> AsyncGenerator[OwnerSession]:
        """Reads as those of `read`, without scopes (`OwnerSession`)."""
        async with HeldConnection(self.pools.app) as held:
            values = {"memd.user_id": str(user_id), **self._limit, **settings}
            yield OwnerSession(await held.take(), user_id, values, held.take)

    @asynccontextmanager
    async def write(self, user_id: UUID, settings: Mapping[str, str] = CUSTOM_PLAN) -> AsyncGenerator[WriteSession]:
        """A transaction of one user, under `settings` of Postgres; committed when the block ends.

        When the block raises, the pool rolls back: that never hides the error, and it drops a connection that was cut
        off in the middle of a statement.
        """
        with refuse_erased_users():
            async with self.pools.app.connection() as connection:
                session = WriteSession(connection, user_id, {**self._limit, **settings})
                yield session
                await session.end(*self._caused(session, user_id))

    async def look_up(self, of: type[R], sql: str, params: Params) -> R | None:
        """The first row of a statement outside of any user: the function that it calls is its own guard."""
        async with HeldConnection(self.pools.app) as held:
            connection = await held.take()
            session = Session(connection, {**connection.settings, **self._limit}, held.take)
            return await session.row(of, sql, params)

    @asynccontextmanager
    async def system(self) -> AsyncGenerator[SystemSession]:
        """A transaction over all users; it ends as `write` does."""
        with refuse_erased_users():
            async with self.pools.system.connection() as connection:
                session = SystemSession(connection, self.pools.logins.system.role)
                yield session
                await session.end(*self._caused(session, None))

    def _caused(self, session: _Transaction, user_id: UUID | None) -> list[Statement]:
        """The statements that add the jobs of a transaction, then its audit entries, for which other appends wait until the commit."""
        jobs = self._add_jobs(user_id, session.deferrals) if session.deferrals else []
        return [*jobs, *map(append, session.audited)]
