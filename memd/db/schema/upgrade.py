"""Whether the schema is up to date, in one short read; Alembic is imported only if it is not."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final

import psycopg

from memd.logs import log

NEWEST: Final = "20261201_first_statistics"
"""The newest revision in `migrations/versions`; a test compares."""


def ensure_schema(
    conninfo: str,
    before_upgrade: Callable[[], object],
    while_upgrading: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> None:
    """Bring the database at `conninfo` up to date, under a lock that replicas share.

    `before_upgrade` is called before existing tables are changed; if it raises, they stay as they are. They are changed in
    the context of `while_upgrading`.
    """
    revision = _revision(conninfo)
    if revision == NEWEST:
        return
    from memd.db.schema.migrate import migrate, refuse_newer  # Alembic takes a third of a second to load

    if revision is None:
        migrate(conninfo)
        return
    refuse_newer(revision)
    before_upgrade()
    log.info("database.upgrading", revision=revision, to=NEWEST)
    began = time.monotonic()
    with while_upgrading():
        migrate(conninfo)
    log.info("database.upgraded", revision=NEWEST, seconds=round(time.monotonic() - began, 1))


def _revision(conninfo: str) -> str | None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        table = connection.execute("SELECT to_regclass('alembic_version')").fetchone()
        if table is None or table[0] is None:
            return None
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else row[0]
