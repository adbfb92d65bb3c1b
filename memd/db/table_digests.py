"""Counts and content hashes of all tables, in one snapshot: those of a backup, and those of the restored database."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
from psycopg import sql

from memd.db.schema.catalogue import METADATA


@dataclass(frozen=True, slots=True)
class Digest:
    """The number of rows of a table, and the sum of their SHA-256 prefixes (64 bits each), independent of their order."""

    rows: int
    hash: str


@contextmanager
def frozen(conninfo: str) -> Generator[tuple[psycopg.Connection, str]]:
    """A read-only transaction on one instant, and the name of its snapshot for other programs of Postgres."""
    with psycopg.connect(conninfo) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        row = connection.execute("SELECT pg_export_snapshot()").fetchone()
        if row is None:
            raise psycopg.OperationalError("the server exports no snapshot")
        yield connection, row[0]
        connection.rollback()


def table_digests(connection: psycopg.Connection) -> dict[str, Digest]:
    """The digest of every table of memd that the database has and a backup holds: unlogged ones are left out."""
    return {table: _digest(connection, table) for table in sorted(METADATA.tables) if _columns(connection, table)}


def _columns(connection: psycopg.Connection, table: str) -> list[str]:
    """The columns of a logged table by name: their order may differ between a database that was upgraded and one that was restored."""
    rows = connection.execute(
        """
        SELECT attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
        WHERE c.oid = to_regclass(%s) AND c.relpersistence <> 'u' AND attnum > 0 AND NOT attisdropped ORDER BY attname
        """,
        [f"public.{table}"],
    )
    return [row[0] for row in rows]


def _digest(connection: psycopg.Connection, table: str) -> Digest:
    columns = sql.SQL(", ").join(sql.Identifier(column) for column in _columns(connection, table))
    statement = sql.SQL(
        """
        SELECT count(*), coalesce(sum(('x' || left(encode(sha256(convert_to(ROW({})::text, 'UTF8')), 'hex'), 16))
                                       ::bit(64)::bigint::numeric), 0)::text
        FROM {}
        """
    ).format(columns, sql.Identifier("public", table))
    rows, total = connection.execute(statement).fetchone() or (0, "0")
    return Digest(rows, total)
