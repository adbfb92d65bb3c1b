"""The whole audit chain as the operator's commands read it, on a separate connection."""

from collections.abc import Iterator

import psycopg

from memd.audit.store import COLUMNS
from memd.domain.accounts.audit_chain import GENESIS, ChainedEntry, Link

ROWS_AT_ONCE = 2_000
_CHAIN = f"SELECT {COLUMNS} FROM audit_entry ORDER BY seq"


def stored_head(connection: psycopg.Connection) -> Link:
    """The recorded head of the chain."""
    row = connection.execute("SELECT seq, hash FROM audit_head").fetchone()
    return Link(row[0], bytes(row[1])) if row else Link(0, GENESIS)


def stored_chain(connection: psycopg.Connection) -> Iterator[ChainedEntry]:
    """Every entry in ascending order, a batch of rows in memory at a time."""
    with connection.cursor(name="audit_chain") as cursor:
        cursor.itersize = ROWS_AT_ONCE
        yield from (ChainedEntry._make(row) for row in cursor.execute(_CHAIN))
