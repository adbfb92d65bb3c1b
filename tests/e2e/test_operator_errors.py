"""The message about a mistake of the operator: one message and an exit code, no traceback, no password."""

import json
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner, Result
from psycopg.conninfo import make_conninfo

from memd.backup import backup
from memd.db.embedded.cluster import SOCKET_NAME
from memd.db.embedded.lock import DataDirectoryLock
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.errors import NewerDatabaseError
from memd.db.schema.migrate import current, migrate
from memd.main import main
from memd.settings import EmbedModel, Settings
from tests.support.daemon import run_memd
from tests.support.postgres import FAST

pytestmark = pytest.mark.e2e
COMMANDS = ("migrate", "backup", "restore", "audit head", "audit verify", "reembed", "key create")
EARLIER = "20261124_past_rows"


@pytest.fixture(scope="module")
def made(enterable_folder: Path, migrated: Path) -> Iterator[Path]:
    """A backup of an empty database, whose audit log then has an entry about it: of a copy."""
    file, folder = enterable_folder / "operator.tar", enterable_folder / "operator"
    subprocess.run(["cp", "-a", migrated, folder], check=True)  # with the owners of the files
    with EmbeddedPostgres(folder, FAST) as server:
        backup(Settings(data_dir=enterable_folder / "no-key", database_url=server.conninfo), file)
    yield file
    file.unlink()


@pytest.fixture
def call(made: Path, tmp_path: Path) -> "Call":
    """Calls a command on a data directory that is not there."""
    return Call(made, tmp_path)


class Call:
    """Commands with the files that they take."""

    def __init__(self, made: Path, folder: Path) -> None:
        self._files = {"backup": [str(folder / "new.tar")], "restore": [str(made)]}
        self.data_dir = folder / "data"

    def daemon(self, words: str, *options: str) -> subprocess.CompletedProcess[str]:
        """Run a command that becomes a daemon, in a process of its own; it is expected to give up."""
        return run_memd(words, "--data-dir", self.data_dir, *options, MEMD_EMBED_MODEL=EmbedModel.WORDLLAMA)

    def __call__(self, words: str, *options: str) -> Result:
        """Run `memd words`, with its file and the options."""
        arguments = [*words.split(), *self._files.get(words, []), "--data-dir", str(self.data_dir), *options]
        return CliRunner().invoke(main, arguments, env={"MEMD_EMBED_MODEL": EmbedModel.WORDLLAMA})


@pytest.mark.parametrize("words", COMMANDS)
def test_a_malformed_address_is_named_and_its_password_is_not_shown(call: Call, words: str) -> None:
    result = call(words, "--database-url", "mysql://ann:s3cret@db/memd")
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 1
    assert result.output.startswith("Error: MEMD_DATABASE_URL is not an address of Postgres")
    assert "s3cret" not in result.output


@pytest.mark.parametrize("words", COMMANDS)
def test_a_server_that_does_not_answer_is_one_message(call: Call, words: str) -> None:
    result = call(words, "--database-url", "postgresql://ann:s3cret@/memd?host=/nowhere")
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 1
    assert result.output.startswith("Error: memd cannot reach its database: ")
    assert "s3cret" not in result.output


@pytest.mark.parametrize("words", sorted({*COMMANDS} - {"migrate", "restore"}))
def test_a_bundled_postgres_that_refuses_is_one_message(made: Path, enterable_folder: Path, words: str) -> None:
    call = Call(made, enterable_folder / words.replace(" ", "-"))
    cluster = call.data_dir / "postgres"
    cluster.mkdir(parents=True)
    (cluster / "postmaster.pid").write_text("1\n\n\n\n/nowhere\n")
    lock = DataDirectoryLock(call.data_dir)
    lock.acquire()
    result = call(words)
    lock.release()
    assert (type(result.exception), result.exit_code) == (SystemExit, 1)
    assert result.output.startswith("Error: memd cannot reach its database: ")
    assert len(result.output.splitlines()) <= 3


def test_a_server_that_accepts_connections_and_says_nothing_is_named_in_seconds(call: Call) -> None:
    """libpq and psycopg wait for minutes."""
    with socket.create_server(("127.0.0.1", 0)) as frozen:
        result = call.daemon("doctor", "--database-url", f"postgresql://ann@127.0.0.1:{frozen.getsockname()[1]}/memd")
    assert result.returncode == 1
    assert "FAIL  database connection timeout expired" in result.stdout
    assert "memd doctor asks again" in result.stdout


def test_a_bundled_postgres_that_is_frozen_is_named_in_seconds(made: Path, enterable_folder: Path) -> None:
    call = Call(made, enterable_folder / "frozen")
    cluster = call.data_dir / "postgres"
    cluster.mkdir(parents=True)
    (cluster / "postmaster.pid").write_text(f"1\n\n\n\n{call.data_dir}\n")
    lock = DataDirectoryLock(call.data_dir)
    lock.acquire()
    with socket.socket(socket.AF_UNIX) as frozen:
        frozen.bind(str(call.data_dir / SOCKET_NAME))
        frozen.listen()
        result = call.daemon("doctor")
    lock.release()
    assert result.returncode == 1
    assert "FAIL  database connection timeout expired" in result.stdout


@pytest.mark.parametrize(
    ("wrong", "advice"),
    [
        ({"dbname": "nothing here"}, "create it (CREATE DATABASE"),
        ({"user": "nobody here"}, "create that login (CREATE ROLE"),
        ({"port": "1"}, "start that server, or correct its address"),
        ({"host": "db.invalid"}, "correct the host in MEMD_DATABASE_URL"),
    ],
)
def test_what_to_do_about_a_server_is_said(
    call: Call, embedded_postgres: EmbeddedPostgres, wrong: dict[str, str], advice: str
) -> None:
    address = make_conninfo(embedded_postgres.conninfo, **wrong)
    assert f"\nTo mend it: {advice}" in call("migrate", "--database-url", address).output
    assert f"→ {advice}" in call("doctor", "--database-url", address).output


@pytest.mark.parametrize("words", sorted({*COMMANDS} - {"migrate", "restore"}))
def test_a_folder_without_a_database_stays_empty(call: Call, words: str) -> None:
    result = call(words)
    assert result.exit_code == 1
    assert f"There is no database in {call.data_dir}" in result.output
    assert not call.data_dir.exists()


def test_a_worker_makes_no_database_that_nobody_serves(call: Call) -> None:
    result = call.daemon("worker")
    assert (result.returncode, call.data_dir.exists()) == (1, False)
    assert f"There is no database in {call.data_dir}" in result.stderr


def test_doctor_makes_no_database_either(call: Call) -> None:
    result = call("doctor", "--json")
    found = {check["check"]: check for check in json.loads(result.output)["checks"]}
    assert (result.exit_code, found["database"]["state"]) == (0, "warning")
    assert str(call.data_dir) in found["database"]["found"]
    assert not call.data_dir.exists()


def test_doctor_notices_a_proxy_that_does_not_answer(
    call: Call, new_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(new_database)
    monkeypatch.setenv("MEMD_DATABASE_POOL_URL", "postgresql://ann@/memd?host=/nowhere")
    result = call("doctor", "--json", "--database-url", new_database)
    states = {check["check"]: check["state"] for check in json.loads(result.output)["checks"]}
    assert (result.exit_code, states["database"], states["proxy"]) == (1, "ok", "failed")


def test_doctor_names_a_key_file_that_holds_no_text(call: Call, new_database: str) -> None:
    migrate(new_database)
    call.data_dir.mkdir()
    (call.data_dir / "local.key").write_bytes(b"\x8c\xff\x00")
    result = call("doctor", "--json", "--database-url", new_database)
    found = {check["check"]: check for check in json.loads(result.output)["checks"]}
    assert (result.exit_code, found["key"]["state"], found["key"]["fix"]) == (0, "warning", "memd key create")


def test_a_cluster_that_others_may_enter_is_refused_with_what_to_do(
    made: Path, migrated: Path, enterable_folder: Path
) -> None:
    call = Call(made, enterable_folder / "open")
    call.data_dir.parent.mkdir()
    subprocess.run(["cp", "-a", migrated, call.data_dir], check=True)
    (call.data_dir / "postgres").chmod(0o777)
    result = call("key create")
    assert result.exit_code == 1
    assert "has invalid permissions" in result.output
    assert "To mend it: chmod 700 that folder" in result.output


def test_a_database_of_a_newer_memd_is_left_alone(call: Call, new_database: str) -> None:
    migrate(new_database)
    with psycopg.connect(new_database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '20991231_later'")
    with pytest.raises(NewerDatabaseError, match="a newer memd has upgraded it"):
        migrate(new_database)
    result = call("reembed", "--database-url", new_database)
    assert (result.exit_code, "20991231_later" in result.output) == (1, True)
    assert current(new_database) == "20991231_later"
    started = call.daemon("serve", "--database-url", new_database, "--port", "0")
    assert (started.returncode, "a newer memd has upgraded it" in started.stderr) == (1, True)
    assert "database.upgrading" not in started.stderr


def test_a_start_that_the_model_rules_out_does_not_upgrade_the_database(call: Call, new_database: str) -> None:
    migrate(new_database, EARLIER)
    with psycopg.connect(new_database) as connection:
        connection.execute("INSERT INTO embedding_model (id, name, dimensions, current) VALUES (1, 'other', 3, true)")
    result = call.daemon("serve", "--port", "0", "--database-url", new_database)
    assert (result.returncode, "The stored vectors were computed by other" in result.stderr) == (1, True)
    assert current(new_database) == EARLIER


def test_vectors_are_not_made_in_tables_that_an_earlier_memd_may_be_serving(call: Call, new_database: str) -> None:
    migrate(new_database, EARLIER)
    result = call("reembed", "--database-url", new_database)
    assert (result.exit_code, current(new_database)) == (1, EARLIER)
    assert result.output.startswith(f"Error: The database is at revision {EARLIER}, of an earlier memd")
    assert result.output.endswith("upgrade it with: memd migrate\n")


@pytest.mark.parametrize("words", ["key create", "reembed"])
def test_a_database_without_tables_stays_so(call: Call, new_database: str, words: str) -> None:
    done = call(words, "--database-url", new_database)
    assert (done.exit_code, done.output) == (
        1,
        "Error: The database has no memd schema yet; is its address right? `memd serve` creates the schema\n",
    )
    assert current(new_database) is None


def test_vectors_are_made_again_on_a_server_of_ones_own(call: Call, new_database: str) -> None:
    migrate(new_database)
    result = call("reembed", "--database-url", new_database)
    assert (result.exit_code, result.output) == (
        0,
        "0 rows embedded; start memd with this model to use the new vectors\n",
    )


def test_a_backup_goes_into_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["backup", "-", "--data-dir", str(tmp_path / "data")])
    assert (result.exit_code, [*tmp_path.iterdir()]) == (2, [])
