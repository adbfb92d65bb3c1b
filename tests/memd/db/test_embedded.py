"""The embedded server: its start, its settings, its only master, and where it may live."""

import os
import re
import threading
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from memd.db.embedded.account import server_account
from memd.db.embedded.binaries import wheel_programs
from memd.db.embedded.cluster import make_socket_folder
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.errors import (
    DataDirectoryInUseError,
    DataDirectoryNotReachableError,
    DataDirectoryNotUsableError,
    PostgresFailedError,
)
from tests.memd.db.conftest import Supervise
from tests.support.postgres import FAST

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who runs Postgres as somebody else")


def _ask(conninfo: str, question: str) -> object:
    with psycopg.connect(conninfo) as connection:
        row = connection.execute(question.encode()).fetchone()
    return None if row is None else row[0]


def test_first_start_makes_database_memd_for_superuser_postgres_on_a_private_socket(new_data_dir: Path):
    with EmbeddedPostgres(new_data_dir) as server, psycopg.connect(server.conninfo) as connection:
        info = connection.info
        assert (info.dbname, info.user) == ("memd", "postgres")
        socket = Path(info.host)
        assert socket.stat().st_mode & 0o777 == 0o700
        assert _ask(server.conninfo, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") is True
        assert _ask(server.conninfo, "SELECT setting FROM pg_settings WHERE name = 'listen_addresses'") == ""


def test_data_is_kept_safe_and_the_same_on_every_machine(made_once: Path):
    settings = {
        "data_checksums": "on",
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "server_encoding": "UTF8",
        "jit": "off",
        "TimeZone": "UTC",
    }
    with EmbeddedPostgres(made_once) as server:
        assert {name: _ask(server.conninfo, f"SHOW {name}") for name in settings} == settings


def test_texts_fold_and_split_beyond_ascii(embedded_postgres: EmbeddedPostgres):
    locale = "SELECT datlocprovider::text || ' ' || datlocale FROM pg_database WHERE datname = 'memd'"
    assert _ask(embedded_postgres.conninfo, locale) == "b C.UTF-8"
    assert _ask(embedded_postgres.conninfo, "SELECT lower('ÜЁ')") == "üё"
    split = "SELECT to_tsvector('simple', 'sagt—man “Größe”')::text"
    assert _ask(embedded_postgres.conninfo, split) == "'größe':3 'man':2 'sagt':1"


def test_pgvector_is_there(new_database: str):
    with psycopg.connect(new_database) as connection:
        connection.execute("CREATE EXTENSION vector")
        row = connection.execute("SELECT '[1,0]'::halfvec <=> '[0,1]'::halfvec").fetchone()
    assert row == (1.0,)


def test_rows_outlive_a_restart(data_dir: Path):
    with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.conninfo) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    with EmbeddedPostgres(data_dir) as server:
        assert _ask(server.conninfo, "SELECT number FROM kept") == 7


def test_server_outlives_the_thread_that_started_it_and_ctrl_c_in_the_terminal(data_dir: Path):
    server = EmbeddedPostgres(data_dir)
    starter = threading.Thread(target=server.start)
    starter.start()
    starter.join()
    try:
        assert server.pid is not None
        assert os.getsid(server.pid) != os.getsid(0)
        assert _ask(server.conninfo, "SELECT 1") == 1
        assert "shutdown request" not in (data_dir / "postgres.log").read_text().rpartition("starting PostgreSQL")[2]
    finally:
        server.stop()


def test_log_tells_errors_but_nobodys_memories(data_dir: Path):
    with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.conninfo, autocommit=True) as connection:
        connection.execute("CREATE TABLE memory (title text PRIMARY KEY)")
        for _ in range(2):
            with suppress(psycopg.errors.UniqueViolation):
                connection.execute("INSERT INTO memory VALUES ('my secret title')")
    log = (data_dir / "postgres.log").read_text()
    assert "duplicate key value violates unique constraint" in log
    assert "secret" not in log


def test_stop_leaves_neither_process_nor_socket(data_dir: Path):
    server = EmbeddedPostgres(data_dir)
    server.start()
    pid = server.pid
    assert pid is not None
    server.stop()
    server.stop()
    assert server.pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert not (data_dir / "socket").exists()


async def test_async_context_serves(data_dir: Path):
    async with EmbeddedPostgres(data_dir, FAST) as server:
        connection = await psycopg.AsyncConnection.connect(server.conninfo)
        async with connection:
            assert await (await connection.execute("SHOW fsync")).fetchone() == ("off",)
    assert server.pid is None


def test_second_memd_on_a_data_directory_is_refused_with_the_first_ones_pid(data_dir: Path, supervise: Supervise):
    first = supervise(data_dir)
    with pytest.raises(DataDirectoryInUseError, match=f"process id {first.process.pid};") as refused:
        EmbeddedPostgres(data_dir).start()
    assert refused.value.pid == first.process.pid
    assert _ask(first.said["conninfo"], "SELECT 1") == 1


def test_second_server_in_the_same_process_is_refused(data_dir: Path):
    with EmbeddedPostgres(data_dir), pytest.raises(DataDirectoryInUseError, match=f"process id {os.getpid()};"):
        EmbeddedPostgres(data_dir).start()


@pytest.mark.parametrize("name", ["n" * 120, "a,b"], ids=["longer than a socket may be", "with a list separator"])
def test_data_directory_of_any_name(made_once: Path, enterable_folder: Path, name: str):
    folder = enterable_folder / name
    made_once.rename(folder)
    try:
        with EmbeddedPostgres(folder) as server, psycopg.connect(server.conninfo) as connection:
            socket = Path(connection.info.host)
            assert socket.stat().st_mode & 0o777 == 0o700
            assert not socket.is_relative_to(folder)
        assert not socket.exists()
    finally:
        folder.rename(made_once)


def test_socket_folder_that_others_may_enter_is_refused(enterable_folder: Path):
    account = server_account(enterable_folder / "postgres")
    data_dir = enterable_folder / ("squatted-" * 12)
    folder = make_socket_folder(data_dir, account)
    folder.chmod(0o755)
    try:
        with pytest.raises(DataDirectoryNotUsableError, match=str(folder)):
            make_socket_folder(data_dir, account)
    finally:
        folder.rmdir()


@as_root
def test_root_is_refused_below_a_closed_folder_which_stays_closed(new_data_dir: Path):
    closed = new_data_dir / "closed"
    closed.mkdir(parents=True)
    new_data_dir.chmod(0o711)
    closed.chmod(0o700)
    with pytest.raises(DataDirectoryNotReachableError, match=rf"may not enter {closed};.*chmod o\+x '{closed}'"):
        EmbeddedPostgres(closed / "data").start()
    assert closed.stat().st_mode & 0o777 == 0o700


@as_root
def test_root_runs_postgres_as_an_unprivileged_user_who_owns_the_cluster(data_dir: Path):
    with EmbeddedPostgres(data_dir) as server:
        owner = Path(f"/proc/{server.pid}").stat().st_uid
        assert owner != 0
        assert (data_dir / "postgres").stat().st_uid == owner


@as_root
def test_ordinary_user_runs_postgres_as_self(new_data_dir: Path, supervise: Supervise):
    new_data_dir.mkdir()
    os.chown(new_data_dir, 65534, 65534)
    supervisor = supervise(new_data_dir / "data", "nobody")
    assert _ask(supervisor.said["conninfo"], "SELECT count(*) FROM pg_database WHERE datname = 'memd'") == 1
    assert {path.stat().st_uid for path in (new_data_dir / "data").iterdir()} == {65534}
    assert (new_data_dir / "data").stat().st_mode & 0o777 == 0o700


@as_root
def test_root_runs_a_copy_of_the_programs_when_the_installation_is_closed(
    new_data_dir: Path, enterable_folder: Path, supervise: Supervise
):
    package = wheel_programs().parents[1]
    site = enterable_folder / "closed-site"
    site.mkdir(mode=0o700)
    for real in (package, package.with_name(f"{package.name}.libs")):
        (site / real.name).symlink_to(real)
    for _ in range(2):
        supervisor = supervise(new_data_dir, path=(site,))
        assert Path(f"/proc/{supervisor.said['pid']}/exe").readlink().is_relative_to(new_data_dir)
        assert _ask(supervisor.said["conninfo"], "SELECT count(*) FROM pg_available_extensions") == 2
        supervisor.process.communicate()
        assert supervisor.process.returncode == 0


def test_interrupted_first_start_is_done_again(new_data_dir: Path):
    draft = new_data_dir / "postgres.new"
    draft.mkdir(parents=True)
    new_data_dir.chmod(0o711)
    (draft / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres(new_data_dir) as server:
        assert _ask(server.conninfo, "SELECT 1") == 1
    assert not draft.exists()


def test_first_start_on_a_full_disk_says_so_and_leaves_nothing(new_data_dir: Path, supervise: Supervise):
    small_files = ("/bin/sh", "-c", 'ulimit -f 1000; exec "$0" "$@"')
    failed = supervise(new_data_dir, before=small_files)
    assert failed.said["error"] == "PostgresFailedError"
    assert str(new_data_dir) in failed.said["message"]
    assert re.search("File too large|size limit exceeded", failed.said["message"])
    assert not list(new_data_dir.glob("postgres*"))


def test_cluster_of_another_postgres_is_refused_with_both_versions(data_dir: Path):
    (data_dir / "postgres" / "PG_VERSION").write_text("16\n")
    with pytest.raises(DataDirectoryNotUsableError, match=r"by PostgreSQL 16; this memd ships PostgreSQL 18"):
        EmbeddedPostgres(data_dir).start()


def test_foreign_files_in_the_clusters_place_are_refused_and_kept(data_dir: Path):
    (data_dir / "postgres" / "PG_VERSION").unlink()
    with pytest.raises(DataDirectoryNotUsableError, match="no Postgres cluster"):
        EmbeddedPostgres(data_dir).start()
    assert (data_dir / "postgres" / "global").is_dir()


def test_failed_start_tells_what_postgres_said_and_lets_the_directory_go(data_dir: Path):
    with pytest.raises(PostgresFailedError, match="no_such_setting"):
        EmbeddedPostgres(data_dir, {"no_such_setting": "1"}).start()
    with EmbeddedPostgres(data_dir) as server:
        assert _ask(server.conninfo, "SELECT 1") == 1


def test_data_directory_that_is_a_file_is_refused(new_data_dir: Path):
    new_data_dir.write_text("")
    with pytest.raises(DataDirectoryNotUsableError, match=str(new_data_dir)):
        EmbeddedPostgres(new_data_dir).start()


def test_what_fails_beside_the_start_is_not_blamed_on_postgres(data_dir: Path):
    def meanwhile() -> None:
        raise PermissionError("the model")

    with pytest.raises(PermissionError, match="the model"):
        EmbeddedPostgres(data_dir, meanwhile=meanwhile).start()
