"""`local.key`: no start destroys what may be the only copy of a key, and the owner of the database can make another."""

import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
from click.testing import CliRunner
from psycopg.conninfo import conninfo_to_dict

from memd.bootstrap import make_local_key
from memd.db.errors import NoAdministratorError
from memd.db.schema.migrate import migrate
from memd.main import main
from memd.resources import KEY_FILE
from memd.settings import Settings
from tests.support.daemon import Daemon, fast_daemon

pytestmark = pytest.mark.e2e


@pytest.fixture
def outside(enterable_folder: Path, new_database: str) -> Iterator[Daemon]:
    """A memd on a new database of a server of one's own, not started yet."""
    with fast_daemon(enterable_folder / "d-outside") as served:
        served.arguments = ("--workers-off", "--database-url", new_database)
        yield served


def scopes(daemon: Daemon, key: str) -> set[str]:
    """The scopes of a key; empty when it is not valid."""
    reply = httpx.get(f"{daemon.url}/api/mcp/auth", headers={"Authorization": f"Bearer {key}"})
    return {*reply.json()["scopes"]} if reply.is_success else set()


def test_the_owner_makes_a_key_while_memd_serves(daemon: Daemon) -> None:
    daemon.arguments = ("--workers-off",)
    daemon.start()
    before = daemon.key
    result = CliRunner().invoke(main, ["key", "create", "--data-dir", str(daemon.data_dir)])
    assert result.exit_code == 0, result.output
    assert daemon.key != before
    assert scopes(daemon, daemon.key) == {"read", "write", "admin", "keys"}
    assert (daemon.data_dir / f"{KEY_FILE}.1").read_text().strip() == before
    with daemon.http() as http:
        newest = http.get("/api/admin/audit", params={"action": "key.create"}).raise_for_status().json()["entries"][0]
        listed = http.get("/api/keys").raise_for_status().json()["keys"]
    assert newest["target"] in {key["id"] for key in listed if key["current"]}


def test_a_first_start_keeps_the_key_of_another_database(outside: Daemon) -> None:
    outside.data_dir.mkdir()
    file = outside.data_dir / KEY_FILE
    file.write_text("the only copy\n")
    outside.start()
    assert file.read_text() != "the only copy\n"
    assert scopes(outside, outside.key)
    assert (outside.data_dir / f"{KEY_FILE}.1").read_text() == "the only copy\n"
    assert any("key.set_aside" in line for line in outside.said)


def test_a_replica_without_the_key_says_so(outside: Daemon) -> None:
    outside.start()
    key = outside.key
    outside.stop()
    (outside.data_dir / KEY_FILE).unlink()
    outside.start()
    assert any(line.startswith(f"No key is in {outside.data_dir / KEY_FILE}") for line in outside.said)
    assert scopes(outside, key)


def test_without_an_administrator_there_is_no_key_to_make(new_database: str, tmp_path: Path) -> None:
    migrate(new_database)
    settings = Settings(data_dir=tmp_path, database_url=new_database)
    with pytest.raises(NoAdministratorError):
        make_local_key(settings)
    with psycopg.connect(new_database) as connection:
        connection.execute(
            "INSERT INTO app_user (user_id, name, tier, admin, active, created_at) VALUES "
            "('00000000-0000-0000-0000-000000000001', 'ann', 'free', true, false, 1),"
            "('00000000-0000-0000-0000-000000000002', 'bob', 'free', false, true, 2),"
            "('00000000-0000-0000-0000-000000000003', 'cid', 'free', true, true, 3)"
        )
    assert make_local_key(settings) == ("cid", tmp_path / KEY_FILE)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who makes a key for a memd of somebody else")
def test_a_key_that_root_makes_belongs_to_the_owner_of_the_folder(new_database: str, tmp_path: Path) -> None:
    migrate(new_database)
    with psycopg.connect(new_database) as connection:
        connection.execute(
            "INSERT INTO app_user (user_id, name, tier, admin, active, created_at) "
            "VALUES ('00000000-0000-0000-0000-000000000001', 'ann', 'free', true, true, 1)"
        )
    os.chown(tmp_path, 65534, 65534)
    _, file = make_local_key(Settings(data_dir=tmp_path, database_url=new_database))
    assert (file.stat().st_uid, file.stat().st_mode & 0o777) == (65534, 0o600)


def test_a_start_that_has_lost_its_database_says_so_once(outside: Daemon) -> None:
    database = str(conninfo_to_dict(outside.arguments[-1])["dbname"])
    warned: list[str] = []
    for arguments in (outside.arguments, ("--workers-off",), ("--workers-off",)):
        outside.arguments = arguments
        outside.start()
        outside.stop()
        warned.append("".join(line for line in outside.said if line.startswith("It served ")))
    assert (warned[0], warned[2]) == ("", "")
    assert f"/{database} before, and now the bundled Postgres" in warned[1]
