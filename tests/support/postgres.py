"""The embedded Postgres for tests: one server for each test session (each pytest-xdist worker is one), gone at its end."""

import itertools
import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from memd.db.embedded.server import EmbeddedPostgres

FAST = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "shared_buffers": "128MB"}
"""Settings for data that nobody will miss."""

MEMORY_BYTES = 2_000_000_000

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def enterable_folder() -> Iterator[Path]:
    """A folder with a short path that every user may enter, as Postgres needs under root; pytest's own are closed.

    It lies in memory where there is plenty: making and removing clusters takes seconds on a busy disk.
    """
    base = "/dev/shm" if _free_bytes("/dev/shm") > MEMORY_BYTES else "/tmp"  # noqa: S108 - a socket's path must be short
    folder = Path(tempfile.mkdtemp(prefix="memd-test-", dir=base))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


def _free_bytes(folder: str) -> int:
    return shutil.disk_usage(folder).free if Path(folder).is_dir() else 0


@pytest.fixture(scope="session")
def embedded_postgres(request: pytest.FixtureRequest, enterable_folder: Path) -> Iterator[EmbeddedPostgres]:
    """The running server of this session; its `conninfo` names the empty database `memd`."""
    assert not request.config.getoption("--without-database"), "tests.support.selection does not know this fixture"
    with EmbeddedPostgres(enterable_folder / "server", FAST) as server:
        yield server


@contextmanager
def empty_database(server: EmbeddedPostgres) -> Generator[str]:
    """The conninfo of an empty database on the server, dropped when the block ends."""
    name = f"test_{next(_numbers)}"
    with psycopg.connect(server.conninfo, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield make_conninfo(server.conninfo, dbname=name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def new_database(embedded_postgres: EmbeddedPostgres) -> Iterator[str]:
    """The conninfo of an empty database of this test's own, dropped afterwards. Roles belong to the whole server."""
    with empty_database(embedded_postgres) as conninfo:
        yield conninfo
