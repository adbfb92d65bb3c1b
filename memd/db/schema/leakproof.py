"""The LEAKPROOF mark of word search: without it, Postgres uses no index of words below row-level security."""

from typing import Any, Final

from psycopg import Connection

_OPERATOR: Final = "pg_catalog.ts_match_vq(tsvector, tsquery)"
MARK_LEAKPROOF: Final = f"ALTER FUNCTION {_OPERATOR} LEAKPROOF"
"""Gives the mark; only a superuser may."""


def is_leakproof(connection: Connection[Any]) -> bool:
    """Whether the database has the mark."""
    statement = f"SELECT proleakproof FROM pg_proc WHERE oid = '{_OPERATOR}'::regprocedure"
    row = connection.execute(statement.encode()).fetchone()
    return row is not None and bool(row[0])
