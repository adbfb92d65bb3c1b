"""A server that starts later than memd, or is still recovering, is awaited; any other trouble is reported at once."""

import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from structlog.testing import capture_logs

from memd.db.connections.server_wait import wait_for_servers
from memd.db.embedded.cluster import SUPERUSER
from memd.db.embedded.server import DATABASE, PORT, EmbeddedPostgres
from memd.resources import database, reachable_database
from memd.settings import Settings
from tests.support.postgres import FAST

SLOW_RECOVERY = {"restore_command": "sleep 0.6; false"}
"""Recovery asks for four files before it takes what is there."""


@pytest.fixture
def late(enterable_folder: Path, migrated: Path) -> Iterator[Path]:
    """The data directory of a server that does not run, and recovers from an archive at its next start."""
    folder = enterable_folder / "late"
    subprocess.run(["cp", "-a", migrated, folder], check=True)
    signal = folder / "postgres" / "recovery.signal"
    signal.touch()
    owner = (folder / "postgres").stat()
    shutil.chown(signal, owner.st_uid, owner.st_gid)
    yield folder
    shutil.rmtree(folder)


def address_of(folder: Path) -> str:
    return make_conninfo(host=str(folder / "socket"), port=PORT, user=SUPERUSER, dbname=DATABASE)


def events(log: list[dict[str, object]]) -> set[object]:
    return {entry["reason"] for entry in log if entry["event"] == "database.awaited"}


def test_a_server_is_awaited_from_before_its_start_until_it_has_recovered(late: Path) -> None:
    address, server = address_of(late), EmbeddedPostgres(late, {**FAST, **SLOW_RECOVERY})
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(address)
    starting = threading.Timer(0.6, server.start)
    with capture_logs() as log:
        starting.start()
        wait_for_servers([address], 60)
    try:
        with psycopg.connect(address) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    finally:
        starting.join()
        server.stop()
    assert events(log) == {"it does not answer", "it is starting up, recovering or shutting down"}


def test_the_wait_ends_and_connecting_says_why(tmp_path: Path) -> None:
    address, begun = address_of(tmp_path), time.monotonic()
    settings = Settings(data_dir=tmp_path, database_url=address)
    with capture_logs() as log, pytest.raises(psycopg.OperationalError), database(settings, patience_s=0.4):
        pass
    assert time.monotonic() - begun >= 0.4
    assert events(log) == {"it does not answer"}


@pytest.mark.parametrize("wrong", [{"dbname": "nothing here"}, {"user": "nobody here"}])
def test_a_refusal_is_not_waited_for(
    embedded_postgres: EmbeddedPostgres, wrong: dict[str, str], tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path, database_url=make_conninfo(embedded_postgres.conninfo, **wrong))
    with capture_logs() as log, pytest.raises(psycopg.OperationalError), database(settings, patience_s=60):
        pass
    assert not log


def test_commands_do_not_wait(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, database_url=address_of(tmp_path))
    with capture_logs() as log, pytest.raises(psycopg.OperationalError), reachable_database(settings):
        pass
    assert not log
