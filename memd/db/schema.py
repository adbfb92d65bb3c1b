"""Whether the schema is up to date, in one short read; Alembic is imported only if it is not."""

from typing import Final

import psycopg

NEWEST: Final = "20261128_derived_facts"
"""The newest revision in `migrations/versions`; a test compares."""


def ensure_schema(conninfo: str) -> None:
    """Bring the database at `conninfo` up to date, under a lock that replicas share."""
    if _revision(conninfo) == NEWEST:
        return
    from memd.db.migrate import migrate  # Alembic takes a third of a second to load

    migrate(conninfo)


def _revision(conninfo: str) -> str | None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        table = connection.execute("SELECT to_regclass('alembic_version')").fetchone()
        if table is None or table[0] is None:
            return None
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else row[0]
