"""Migrations at start: serialized by an advisory lock over replicas that start together."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from memd.db.advisory_locks import Fixed
from memd.db.errors import NewerDatabaseError


@contextmanager
def _transaction(conninfo: str) -> Generator[Connection]:
    """A connection for Alembic in one transaction; its errors are those of psycopg, as everywhere else."""
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(conninfo), poolclass=NullPool)
    try:
        with engine.begin() as connection:
            yield connection
    except DBAPIError as error:
        if isinstance(error.orig, psycopg.Error):
            raise error.orig from error
        raise


def _folder() -> Path:
    """The folder of the revisions, found by path: in a wheel part of this package, in a checkout next to it."""
    package = Path(__file__).parents[2]
    return next(each for each in (package / "migrations", package.parent / "migrations") if each.is_dir())


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_folder()))
    config.set_main_option("file_template", "%%(year)d%%(month).2d%%(day).2d_%%(slug)s")
    config.set_main_option("path_separator", "os")
    if connection is not None:
        config.attributes["connection"] = connection
    return config


def migrate(conninfo: str, revision: str = "head") -> str:
    """Bring the database at `conninfo` to a revision, the newest by default; the newest that this program brings.

    Raises NewerDatabaseError when the database is at a revision that this program does not bring.
    """
    with psycopg.connect(conninfo, autocommit=True) as guard:
        guard.execute("SELECT pg_advisory_lock(%s)", (Fixed.MIGRATION.value,))
        refuse_newer(current(conninfo))
        with _transaction(conninfo) as connection:
            command.upgrade(_config(connection), revision)
        guard.execute("SELECT pg_advisory_unlock(%s)", (Fixed.MIGRATION.value,))
    return head()


def refuse_newer(revision: str | None) -> None:
    """Raise NewerDatabaseError for the revision of a database that a newer program has upgraded."""
    if revision is not None and not knows(revision):
        raise NewerDatabaseError(revision)


def current(conninfo: str) -> str | None:
    """The revision of the database, or None before the first migration."""
    with _transaction(conninfo) as connection:
        return MigrationContext.configure(connection).get_current_revision()


def head() -> str:
    """The newest revision that this program brings."""
    revision = ScriptDirectory.from_config(_config()).get_current_head()
    if revision is None:
        msg = "memd was installed without its migrations"
        raise RuntimeError(msg)
    return revision


def knows(revision: str) -> bool:
    """Whether this program brings the revision."""
    return revision in {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
