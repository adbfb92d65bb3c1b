"""Units of work: the only place that begins and commits transactions.

A `ReadSession` or `WriteSession` belongs to one user: the database itself (row-level security) shows it no row of
anybody else. A `SystemSession` sees all users, by a login of its own; it is for accounts, administration and jobs.
"""

from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, LiteralString, TypeAlias, TypeVar, cast
from uuid import UUID

from psycopg import AsyncCursor, Error, OperationalError
from psycopg.rows import dict_row, tuple_row

from memd.db.audit_append import append
from memd.db.engine import CUSTOM_PLAN, UNKNOWN, Connection, Pools, milliseconds
from memd.domain.audit_chain import AuditEntry
from memd.errors import Unauthorized

Row: TypeAlias = dict[str, Any]
Params: TypeAlias = Mapping[str, Any]
Statement: TypeAlias = tuple[str, Params]
T = TypeVar("T")
_NO_SETTINGS: Mapping[str, str] = {}
_BEGIN: Statement = ("BEGIN READ WRITE", {})
_COMMIT: Statement = ("COMMIT", {})
ERASED = "MD401"
"""The SQLSTATE with which `memd_admit_writer` refuses."""


class Session:
    """Statements inside one open transaction, or each call in one of its own; under `settings` of Postgres, if any."""

    def __init__(self, connection: Connection, settings: Mapping[str, str] = _NO_SETTINGS) -> None:
        self.connection = connection
        self._settings = settings
        self._waiting: list[Statement] = []

    async def rows(self, sql: str, params: Params | None = None) -> list[Row]:
        """All rows of a statement as dictionaries."""
        (cursor,) = await self._run((sql, params), row_factory=dict_row)
        return await cursor.fetchall()

    async def records(self, make: Callable[[Sequence[Any]], T], sql: str, params: Params | None = None) -> list[T]:
        """All rows of a statement, each made of its columns in their order: many wide rows in half the time of `rows`."""

        def maker(_cursor: object) -> Callable[[Sequence[Any]], T]:
            return make

        (cursor,) = await self._run((sql, params), row_factory=maker, binary=True)
        return await cursor.fetchall()

    async def rows_of(self, *statements: Statement) -> list[list[Row]]:
        """All rows of each of several statements, in one round trip."""
        cursors = await self._run(*statements, row_factory=dict_row)
        return [await cursor.fetchall() for cursor in cursors]

    async def row(self, sql: str, params: Params | None = None) -> Row | None:
        """The first row, or None."""
        (cursor,) = await self._run((sql, params), row_factory=dict_row)
        return await cursor.fetchone()

    async def value(self, sql: str, params: Params | None = None) -> Any:
        """The first column of the first row, or None."""
        (cursor,) = await self._run((sql, params))
        row = await cursor.fetchone()
        return None if row is None else row[0]

    async def execute(self, sql: str, params: Params | None = None) -> int:
        """Run a statement; the number of rows it touched."""
        (cursor,) = await self._run((sql, params))
        return cursor.rowcount

    async def execute_all(self, *statements: Statement) -> None:
        """Run several statements in one round trip; the first that fails is raised, and none after it has run."""
        await self._run(*statements)

    async def flush(self) -> None:
        """Run the statements that wait to be sent with others."""
        if self._waiting:
            await self._run()

    async def execute_many(self, sql: str, params: Sequence[Params]) -> None:
        """Run one statement for many parameter sets in one pipeline."""
        await self.flush()
        async with self.connection.cursor() as cursor:
            await cursor.executemany(cast("LiteralString", sql), params)

    async def _run(
        self, *statements: tuple[str, Params | None], row_factory: Any = tuple_row, binary: bool = False
    ) -> list[AsyncCursor[Any]]:
        """A cursor with the result of each statement; more than one statement go in one round trip."""
        cursors = [self.connection.cursor(row_factory=row_factory, binary=binary) for _ in statements]
        changes = self._changes()
        waiting, self._waiting = self._waiting, []
        if not changes and not waiting and len(statements) == 1:
            await self._execute(cursors[0], *statements[0])
            return cursors
        self.connection.settings = {**self.connection.settings, **dict.fromkeys(changes, UNKNOWN)}
        try:
            async with self.connection.pipeline():
                for statement in ([_set(changes)] if changes else []) + waiting:
                    await self._execute(self.connection.cursor(), *statement)
                for cursor, statement in zip(cursors, statements, strict=True):
                    await self._execute(cursor, *statement)
        except BaseException:
            # psycopg takes statements for prepared that Postgres did not come to, and has no public way to tell it.
            self.connection._prepared.clear()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            raise
        if changes:
            self.connection.settings = self._settings
        return cursors

    def _changes(self) -> Params:
        """What the connection has to be told: settings that differ, and None for those that are over."""
        known = self.connection.settings
        if not self._settings or known == self._settings:
            return {}
        over = dict.fromkeys(known.keys() - self._settings)
        return over | {name: value for name, value in self._settings.items() if known.get(name) != value}

    @staticmethod
    async def _execute(cursor: AsyncCursor[Any], sql: str, params: Params | None) -> None:
        await cursor.execute(cast("LiteralString", sql), params)


class ReadSession(Session):
    """Reads of one user; a statement on rows that have scopes takes the visible scopes as well."""

    def __init__(self, connection: Connection, user_id: UUID, settings: Mapping[str, str] = _NO_SETTINGS) -> None:
        super().__init__(connection, settings)
        self.user_id = user_id


class OwnerSession(ReadSession):
    """Reads of one user in every channel and knowledge base: for jobs, and for requests that test only the owner.

    A store function that reads rows without their scope takes this session, so that a caller has to ask for it.
    """


@dataclass(frozen=True, slots=True)
class Deferral:
    """A background job that is enqueued if and only if the transaction commits.

    While a job with the same `queueing_lock` waits, another is not added. Jobs with the same `lock` run one at a time.
    `delay_ms` counts from now. A `low_priority` job runs when no other is due.
    """

    kind: str
    payload: Mapping[str, Any]
    queueing_lock: str | None = None
    lock: str | None = None
    delay_ms: int = 0
    low_priority: bool = False


AddJobs: TypeAlias = Callable[[UUID | None, Sequence[Deferral]], Statement]


def admitting(user_id: UUID) -> Statement:
    """What lets a transaction write for a user; `Unauthorized` for an erased one, whose erasure waits for this end."""
    return "SELECT memd_admit_writer(%(writer)s)", {"writer": user_id}


@contextmanager
def _refusing_the_erased() -> Generator[None]:
    try:
        yield
    except Error as error:
        if error.sqlstate == ERASED:
            raise Unauthorized from error
        raise


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
        """Commit after what waits and the `last` statements, all in one round trip."""
        *_, committed = await self._run(*last, _COMMIT)
        if committed.statusmessage != "COMMIT":  # Postgres answers so where an earlier error was swallowed
            raise OperationalError("the transaction was rolled back")


class WriteSession(_Transaction, OwnerSession):
    """Reads and writes of one user, and the jobs that they cause."""

    def __init__(self, connection: Connection, user_id: UUID, settings: Mapping[str, str]) -> None:
        first = _set({"memd.user_id": str(user_id), **settings}, local=True)
        super().__init__(connection, [first, admitting(user_id)])
        self.user_id = user_id


class SystemSession(_Transaction):
    """Reads and writes over all users, and the jobs that they cause."""

    def __init__(self, connection: Connection, role: str | None) -> None:
        """`role` is the one to take where the login is not bound by itself."""
        as_role: list[Statement] = [] if role is None else [(f"SET LOCAL ROLE {role}", {})]
        super().__init__(connection, [*as_role, _set(CUSTOM_PLAN, local=True)])


class Database:
    """The three kinds of session, on a pool for requests and one for jobs and administration."""

    def __init__(self, pools: Pools, adding: AddJobs, *, statement_timeout_s: float | None = None) -> None:
        """`adding` gives the statement that adds the deferred jobs of a transaction to the queue.

        The timeout is that of user sessions (0: no limit), by default the one of requests.
        """
        self.pools = pools
        self._adding = adding
        timeout_s = pools.timeouts.statement_s if statement_timeout_s is None else statement_timeout_s
        self._limit = {"statement_timeout": str(milliseconds(timeout_s))}

    def for_jobs(self) -> "Database":
        """The same pools, with the statement timeout of jobs in user sessions too."""
        return Database(self.pools, self._adding, statement_timeout_s=self.pools.timeouts.job_s)

    @asynccontextmanager
    async def read(self, user_id: UUID, settings: Mapping[str, str] = CUSTOM_PLAN) -> AsyncGenerator[ReadSession]:
        """Reads of one user: each call is one round trip and one read-only transaction (Postgres makes a pipeline one).

        `settings` of Postgres hold for these reads. They and the user stay with the connection, and are sent along only
        when it served somebody or something else before.
        """
        async with self.pools.app.connection() as connection:
            yield ReadSession(connection, user_id, {"memd.user_id": str(user_id), **self._limit, **settings})

    @asynccontextmanager
    async def owner(self, user_id: UUID, settings: Mapping[str, str] = CUSTOM_PLAN) -> AsyncGenerator[OwnerSession]:
        """Reads as those of `read`, without scopes (`OwnerSession`)."""
        async with self.pools.app.connection() as connection:
            yield OwnerSession(connection, user_id, {"memd.user_id": str(user_id), **self._limit, **settings})

    @asynccontextmanager
    async def write(self, user_id: UUID, settings: Mapping[str, str] = CUSTOM_PLAN) -> AsyncGenerator[WriteSession]:
        """A transaction of one user, under `settings` of Postgres; committed when the block ends.

        When the block raises, the pool rolls back: that never hides the error, and it drops a connection that was cut
        off in the middle of a statement.
        """
        with _refusing_the_erased():
            async with self.pools.app.connection() as connection:
                session = WriteSession(connection, user_id, {**self._limit, **settings})
                yield session
                await session.end(*self._caused(session, user_id))

    async def look_up(self, function: LiteralString, value: Any) -> Row | None:
        """The row that a function of one argument gives outside of any user: the function is its own guard."""
        async with self.pools.app.connection() as connection:
            session = Session(connection, {**connection.settings, **self._limit})
            return await session.row(f"SELECT * FROM {function}(%(value)s)", {"value": value})

    @asynccontextmanager
    async def system(self) -> AsyncGenerator[SystemSession]:
        """A transaction over all users; it ends as `write` does."""
        with _refusing_the_erased():
            async with self.pools.system.connection() as connection:
                session = SystemSession(connection, self.pools.logins.system.role)
                yield session
                await session.end(*self._caused(session, None))

    def _caused(self, session: _Transaction, user_id: UUID | None) -> list[Statement]:
        """What adds the jobs of a transaction, then its audit entries: other appends wait for them until the commit."""
        jobs = [self._adding(user_id, session.deferrals)] if session.deferrals else []
        return [*jobs, *map(append, session.audited)]


def _set(settings: Params, *, local: bool = False) -> Statement:
    """What changes settings of the connection, or with `local` those of its transaction."""
    changes = ", ".join(f"set_config('{name}', %({name})s, {str(local).lower()})" for name in settings)
    return f"SELECT {changes}", settings
