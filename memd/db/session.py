"""Units of work: the only place that begins and commits transactions.

A `ReadSession` or `WriteSession` belongs to one user: the database itself (row-level security) shows it no row of
anybody else. A `SystemSession` sees all users, by a login of its own; it is for accounts, administration and jobs.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, LiteralString, TypeAlias, TypeVar, cast
from uuid import UUID

from psycopg import AsyncCursor
from psycopg.rows import dict_row, tuple_row

from memd.db.audit_append import append
from memd.db.engine import OWN_PLAN, UNKNOWN, Connection, Pools
from memd.domain.audit_chain import AuditEntry

Row: TypeAlias = dict[str, Any]
Params: TypeAlias = Mapping[str, Any]
Statement: TypeAlias = tuple[str, Params]
T = TypeVar("T")
_NO_SETTINGS: Mapping[str, str] = {}


class Session:
    """Statements inside one open transaction, or each call in one of its own; under `settings` of Postgres, if any."""

    def __init__(self, connection: Connection, settings: Mapping[str, str] = _NO_SETTINGS) -> None:
        self.connection = connection
        self._settings = settings

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

    async def execute_many(self, sql: str, params: Sequence[Params]) -> None:
        """Run one statement for many parameter sets in one pipeline."""
        async with self.connection.cursor() as cursor:
            await cursor.executemany(cast("LiteralString", sql), params)

    async def _run(
        self, *statements: tuple[str, Params | None], row_factory: Any = tuple_row, binary: bool = False
    ) -> list[AsyncCursor[Any]]:
        """A cursor with the result of each statement; more than one statement go in one round trip."""
        cursors = [self.connection.cursor(row_factory=row_factory, binary=binary) for _ in statements]
        changes = self._changes()
        if not changes and len(statements) == 1:
            await self._execute(cursors[0], *statements[0])
            return cursors
        self.connection.settings = {**self.connection.settings, **dict.fromkeys(changes, UNKNOWN)}
        try:
            async with self.connection.pipeline():
                if changes:
                    await self._execute(self.connection.cursor(), *_set(changes))
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
    """Reads of one user."""

    def __init__(self, connection: Connection, user_id: UUID, settings: Mapping[str, str] = _NO_SETTINGS) -> None:
        super().__init__(connection, settings)
        self.user_id = user_id


@dataclass(frozen=True, slots=True)
class Deferral:
    """A background job that a transaction causes: it exists exactly when the transaction commits.

    While a job with the same `once` waits, another is not added. Jobs with the same `alone` run one after the other.
    `delay_ms` counts from now. One that may wait is taken up when nothing else is due.
    """

    kind: str
    payload: Mapping[str, Any]
    once: str | None = None
    alone: str | None = None
    delay_ms: int = 0
    may_wait: bool = False


Flush: TypeAlias = Callable[[Connection, UUID | None, Sequence[Deferral]], Awaitable[None]]


class WriteSession(ReadSession):
    """Reads and writes of one user, and the jobs that they cause."""

    def __init__(self, connection: Connection, user_id: UUID) -> None:
        super().__init__(connection, user_id)
        self.deferrals: list[Deferral] = []
        self.audited: list[AuditEntry] = []

    def defer(self, deferral: Deferral) -> None:
        """Have a job done once this transaction is committed."""
        self.deferrals.append(deferral)

    def audit(self, entry: AuditEntry) -> None:
        """Append to the audit chain when this transaction commits; if that fails, nothing of it is committed."""
        self.audited.append(entry)


class SystemSession(Session):
    """Reads and writes over all users, and the jobs that they cause."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.deferrals: list[Deferral] = []
        self.audited: list[AuditEntry] = []

    def defer(self, deferral: Deferral) -> None:
        """Have a job of no user done once this transaction is committed."""
        self.deferrals.append(deferral)

    def audit(self, entry: AuditEntry) -> None:
        """Append to the audit chain when this transaction commits; if that fails, nothing of it is committed."""
        self.audited.append(entry)


class Database:
    """The three kinds of session, on a pool for requests and one for jobs and administration."""

    def __init__(self, pools: Pools, flush: Flush) -> None:
        """`flush` adds the deferred jobs of a transaction to the queue, just before it commits."""
        self.pools = pools
        self._flush = flush

    @asynccontextmanager
    async def read(self, user_id: UUID, settings: Mapping[str, str] = OWN_PLAN) -> AsyncGenerator[ReadSession]:
        """Reads of one user: each call is one round trip and one read-only transaction (Postgres makes a pipeline one).

        `settings` of Postgres hold for these reads. They and the user stay with the connection, and are sent along only
        when it served somebody or something else before.
        """
        async with self.pools.app.connection() as connection:
            yield ReadSession(connection, user_id, {"memd.user_id": str(user_id), **settings})

    @asynccontextmanager
    async def write(self, user_id: UUID) -> AsyncGenerator[WriteSession]:
        """A transaction of one user; committed when the block ends, rolled back when it raises."""
        identity = f"SET LOCAL memd.user_id = '{user_id}'"
        async with self.pools.app.connection() as connection, _transaction(connection, identity):
            session = WriteSession(connection, user_id)
            yield session
            if session.deferrals:
                await self._flush(connection, user_id, session.deferrals)
            await _append_audited(session)

    async def look_up(self, function: LiteralString, value: Any) -> Row | None:
        """The row that a function of one argument gives outside of any user: the function is its own guard."""
        async with self.pools.app.connection() as connection:
            return await Session(connection).row(f"SELECT * FROM {function}(%(value)s)", {"value": value})

    @asynccontextmanager
    async def system(self) -> AsyncGenerator[SystemSession]:
        """A transaction over all users."""
        role = self.pools.logins.system.role
        identity = "" if role is None else f"SET LOCAL ROLE {role}"
        async with self.pools.system.connection() as connection, _transaction(connection, identity):
            session = SystemSession(connection)
            yield session
            if session.deferrals:
                await self._flush(connection, None, session.deferrals)
            await _append_audited(session)


async def _append_audited(session: WriteSession | SystemSession) -> None:
    """Append the audit entries of a transaction; last of all, since other appends wait from here to the commit."""
    if session.audited:
        await session.execute_all(*map(append, session.audited))


def _set(changes: Params) -> Statement:
    """What changes settings of the connection."""
    return "SELECT " + ", ".join(f"set_config('{name}', %({name})s, false)" for name in changes), changes


@asynccontextmanager
async def _transaction(connection: Connection, identity: str) -> AsyncGenerator[None]:
    """BEGIN and the statement that says who acts, in one round trip; COMMIT.

    When the block raises, the pool's own context rolls back: that never hides the error, and it drops a connection that
    was cut off in the middle of a statement.
    """
    planning = "; ".join(f"SET LOCAL {name} = {value}" for name, value in OWN_PLAN.items())
    await connection.execute(cast("LiteralString", f"BEGIN READ WRITE; {identity}; {planning}"))
    yield
    await connection.execute("COMMIT")
