"""Statements on a pooled connection: sent in pipelines, under settings of Postgres that stay with the connection.

Behind a proxy that pools transactions nothing stays with a connection, and every transaction sends its settings.

A read that loses its connection is run once more on another one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString, TypeAlias, TypeVar, cast, overload

from psycopg import AsyncCursor, OperationalError

from memd.db.connections.pool import Connection
from memd.db.connections.reconnect import Reconnect, is_lost
from memd.db.schema.distribution import adapt, is_of_node, set_on_nodes
from memd.db.typed_rows import Query, TypedRow, typed
from memd.tracing.spans import statement_span

Params: TypeAlias = Mapping[str, Any]
Statement: TypeAlias = tuple[str, Params]
R = TypeVar("R", bound=TypedRow)
S = TypeVar("S", bound=TypedRow)
T = TypeVar("T", bound=TypedRow)
NO_SETTINGS: Mapping[str, str] = {}
_READ_ONLY: Mapping[str, str] = {"transaction_read_only": "on"}
_BEGIN_READ: Statement = ("BEGIN READ ONLY", {})
_COMMIT: Statement = ("COMMIT", {})
INDEX_SETTINGS = "hnsw."
"""The beginning of the settings of a search by a vector index."""
UNKNOWN = ""
"""Marks a setting whose current value is unknown."""


class Session:
    """Statements inside one open transaction, or each call in a separate one; under `settings` of Postgres, if any."""

    def __init__(
        self, connection: Connection, settings: Mapping[str, str] = NO_SETTINGS, reconnect: Reconnect | None = None
    ) -> None:
        """With `reconnect`, for reads only, a call whose connection is lost is run once more on another connection."""
        self.connection = connection
        self._settings = adapt(settings) if connection.distributed else settings
        self._reconnect = reconnect
        self._waiting: list[Statement] = []

    @overload
    async def rows(self, of: Query[R]) -> list[R]: ...
    @overload
    async def rows(self, of: type[R], sql: str, params: Params | None = None) -> list[R]: ...
    async def rows(self, of: Any, sql: str = "", params: Params | None = None) -> list[Any]:
        """All rows of a statement, read as their type (`typed_rows`)."""
        query = cast("Query[Any]", of if isinstance(of, Query) else Query(of, sql, params))
        (cursor,) = await self._run((query.sql, query.params), binary=True)
        return await typed(cursor, query.of).fetchall()

    async def row(self, of: type[R], sql: str, params: Params | None = None) -> R | None:
        """The first row, or None."""
        rows = await self.rows(of, sql, params)
        return rows[0] if rows else None

    @overload
    async def rows_of(self, first: Query[R], second: Query[S], /) -> tuple[list[R], list[S]]: ...
    @overload
    async def rows_of(
        self, first: Query[R], second: Query[S], third: Query[T], /
    ) -> tuple[list[R], list[S], list[T]]: ...
    async def rows_of(self, *queries: Query[Any]) -> Any:
        """All rows of each of several queries, in one round trip."""
        cursors = await self._run(*((query.sql, query.params) for query in queries), binary=True)
        read = zip(cursors, queries, strict=True)
        return tuple([await typed(cursor, query.of).fetchall() for cursor, query in read])

    async def values(self, sql: str, params: Params | None = None) -> list[Any]:
        """The first column of all rows."""
        (cursor,) = await self._run((sql, params), binary=True)
        return [value for (value, *_) in await cursor.fetchall()]

    async def value(self, sql: str, params: Params | None = None) -> Any:
        """The first column of the first row, or None."""
        (cursor,) = await self._run((sql, params))
        row = await cursor.fetchone()
        return None if row is None else row[0]

    async def execute(self, sql: str, params: Params | None = None) -> int:
        """Run a statement; returns the number of rows it touched."""
        (cursor,) = await self._run((sql, params))
        return cursor.rowcount

    async def execute_all(self, *statements: Statement) -> None:
        """Run several statements in one round trip; the first that fails is raised, and none after it has run."""
        await self._run(*statements)

    async def flush(self) -> None:
        """Run the pending statements."""
        if self._waiting:
            await self._run()

    async def execute_many(self, sql: str, params: Sequence[Params]) -> None:
        """Run one statement for many parameter sets in one pipeline."""
        await self.flush()
        with statement_span(len(params)):
            async with self.connection.cursor() as cursor:
                await cursor.executemany(cast("LiteralString", sql), params)

    async def _run(self, *statements: tuple[str, Params | None], binary: bool = False) -> list[AsyncCursor[Any]]:
        """A cursor with the result of each statement, under one span of a trace."""
        with statement_span(len(statements) + len(self._waiting)):
            return await self._run_reconnecting(*statements, binary=binary)

    async def _run_reconnecting(
        self, *statements: tuple[str, Params | None], binary: bool = False
    ) -> list[AsyncCursor[Any]]:
        """The same; the first lost connection of a read is replaced."""
        try:
            return await self._run_once(*statements, binary=binary)
        except OperationalError as error:
            if self._reconnect is None or not is_lost(self.connection, error):
                raise
            self.connection, self._reconnect = await self._reconnect(), None
            return await self._run_once(*statements, binary=binary)

    async def _run_once(self, *statements: tuple[str, Params | None], binary: bool = False) -> list[AsyncCursor[Any]]:
        """A cursor with the result of each statement; more than one statement go in one round trip."""
        cursors = [self.connection.cursor(binary=binary) for _ in statements]
        changes = self._changes()
        before, after = self._frame(changes)
        waiting, self._waiting = self._waiting, list[Statement]()
        if not before and not waiting and len(statements) == 1:
            await self._execute(cursors[0], *statements[0])
            return cursors
        local = self.connection.pooled_settings is not None
        if not local:
            self.connection.settings = {**self.connection.settings, **dict.fromkeys(changes, UNKNOWN)}
        try:
            async with self.connection.pipeline():
                for statement in before + waiting:
                    await self._execute(self.connection.cursor(), *statement)
                for cursor, statement in zip(cursors, statements, strict=True):
                    await self._execute(cursor, *statement)
                for statement in after:
                    await self._execute(self.connection.cursor(), *statement)
        except BaseException:
            # psycopg regards statements as prepared that Postgres never reached, and has no public way to correct that.
            self.connection._prepared.clear()  # noqa: SLF001
            raise
        if changes and not local:
            self.connection.settings = {**self._lasting(), **self._kept()}
        return cursors

    def _changes(self) -> Params:
        """The settings to send: those that differ, and None for those to reset; all of a read behind a proxy."""
        pooled = self.connection.pooled_settings
        if pooled is not None:
            return {**pooled, **_READ_ONLY, **self._settings} if self._settings else {}
        known, expected = self.connection.settings, self._kept()
        if not expected or known == expected:
            return {}
        over = dict.fromkeys(known.keys() - expected - self._lasting().keys())
        return over | {name: value for name, value in expected.items() if known.get(name) != value}

    def _lasting(self) -> Params:
        """The settings of the connection that need no reset: only a search that sends its own reads them."""
        return {name: value for name, value in self.connection.settings.items() if name.startswith(INDEX_SETTINGS)}

    def _kept(self) -> Mapping[str, str]:
        """The settings that stay with the connection: on a cluster, those of the nodes go with each transaction instead."""
        if not self.connection.distributed:
            return self._settings
        return {name: value for name, value in self._settings.items() if not is_of_node(name)}

    def _frame(self, changes: Params) -> tuple[list[Statement], list[Statement]]:
        """The statements before and after those of a round trip: settings, and on a cluster a transaction."""
        settings = [set_config(changes, local=self.connection.pooled_settings is not None)] if changes else []
        on_nodes = set_on_nodes(self._settings) if self.connection.distributed else []
        return ([_BEGIN_READ, *settings, *on_nodes], [_COMMIT]) if on_nodes else (settings, [])

    @staticmethod
    async def _execute(cursor: AsyncCursor[Any], sql: str, params: Params | None) -> None:
        prepare = False if sql.startswith("SET LOCAL") else None
        await cursor.execute(cast("LiteralString", sql), params, prepare=prepare)


def transaction_settings(connection: Connection, settings: Mapping[str, str]) -> list[Statement]:
    """The statements that give a transaction its settings, the user among them."""
    if not connection.distributed:
        return [set_config(settings, local=True)]
    others = {name: value for name, value in adapt(settings).items() if not is_of_node(name)}
    return [set_config(others, local=True), *set_on_nodes(settings)]


def set_config(settings: Params, *, local: bool = False) -> Statement:
    """The statement that changes settings of the connection, or with `local` those of its transaction."""
    changes = ", ".join(f"set_config('{name}', %({name})s, {str(local).lower()})" for name in settings)
    return f"SELECT {changes}", settings
