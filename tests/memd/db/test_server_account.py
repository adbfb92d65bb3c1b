"""Under root Postgres has a system user of its own: who may log in, what is handed over, and what others may read."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from memd.db.embedded import service_user
from memd.db.embedded.account import ServerAccount, server_account
from memd.db.embedded.ownership import change_owner
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.embedded.service_user import NoServiceUserError
from memd.db.errors import DataDirectoryNotUsableError

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who runs Postgres as somebody else")
NOBODY = 65534


def as_user(uid: int, act: Callable[[], object]) -> str:
    """The error when a process of this user does it; blank when it succeeds."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        text = ""
        try:
            os.setgroups([])
            os.setgid(pwd.getpwuid(uid).pw_gid)
            os.setuid(uid)
            act()
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test wants to know
            text = f"{type(error).__name__}: {error}"
        os.write(writer, text.encode()[:4000])
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader) as text:
        return text.read()


def make_over(folder: Path, uid: int) -> None:
    """The state that an earlier release left: a cluster of this user in a folder that everybody may enter."""
    subprocess.run(["chown", "-hR", f"{uid}:{uid}", folder / "postgres"], check=True)
    folder.chmod(0o711)


def test_postgres_runs_as_its_own_user_and_not_as_one_that_others_share(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        assert pwd.getpwuid(Path(f"/proc/{server.pid}").stat().st_uid).pw_name == "memd"


def test_a_cluster_that_was_copied_by_root_comes_with_the_command_that_gives_it_back(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir):
        pass
    make_over(data_dir, 0)
    with pytest.raises(DataDirectoryNotUsableError) as refused, EmbeddedPostgres(data_dir):
        pass
    command = str(refused.value).rpartition("give them back: ")[2]
    subprocess.run(command, shell=True, check=True)  # noqa: S602 - as an operator would paste it
    with EmbeddedPostgres(data_dir):
        pass


def test_only_root_may_log_in_whoever_reaches_the_socket(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        for uid in (NOBODY, server_account(data_dir / "postgres").uid):
            (data_dir / "socket").chmod(0o711)
            data_dir.chmod(0o711)
            for login in ("postgres", "memd_app", "memd_system"):
                error = as_user(uid, lambda login=login: psycopg.connect(server.conninfo, user=login))
                assert "Peer authentication failed" in error or "Permission denied" in error, error
        with psycopg.connect(server.conninfo, user="memd_app") as connection:
            assert connection.execute("SELECT session_user").fetchone() == ("memd_app",)


def test_others_read_nothing_in_the_data_directory(data_dir: Path) -> None:
    (data_dir / "postgres.log").write_text("old line\n")
    (data_dir / "postgres.log").chmod(0o644)
    with EmbeddedPostgres(data_dir):
        assert data_dir.stat().st_mode & 0o777 == 0o710
        assert (data_dir / "socket").stat().st_mode & 0o777 == 0o700
        open_to_others = [path.name for path in data_dir.iterdir() if path.stat().st_mode & 0o007]
        assert [name for name in open_to_others if not name.startswith("programs-")] == []
    log = data_dir / "postgres.log"
    assert log.stat().st_mode & 0o777 == 0o600
    assert "old line" in log.read_text()


def test_a_cluster_of_nobody_is_handed_over_and_keeps_its_rows(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.conninfo) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    make_over(data_dir, NOBODY)
    with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.conninfo) as connection:
        assert connection.execute("SELECT number FROM kept").fetchone() == (7,)
        assert pwd.getpwuid(Path(f"/proc/{server.pid}").stat().st_uid).pw_name == "memd"
    owners = {path.lstat().st_uid for path in (data_dir / "postgres").rglob("*")}
    assert owners == {pwd.getpwnam("memd").pw_uid}


@pytest.mark.parametrize("trap", ["symbolic link", "second name", "file of root"])
def test_nothing_outside_the_cluster_is_given_away(data_dir: Path, tmp_path: Path, trap: str) -> None:
    make_over(data_dir, NOBODY)
    outside = data_dir.with_name(f"{data_dir.name}-outside")
    outside.write_text("secret")
    inside = data_dir / "postgres" / "global" / "trap"
    if trap == "symbolic link":
        inside.symlink_to(outside)
    elif trap == "second name":
        os.chown(outside, NOBODY, NOBODY)
        inside.hardlink_to(outside)
    else:
        inside.write_text("planted")
    before = outside.stat().st_uid
    try:
        with pytest.raises(DataDirectoryNotUsableError, match=r"global/trap .*chown -hR"):
            EmbeddedPostgres(data_dir).start()
        assert outside.stat().st_uid == before
        inside.unlink()
        with EmbeddedPostgres(data_dir):
            pass
    finally:
        outside.unlink()


def test_a_handover_that_was_interrupted_goes_on(data_dir: Path) -> None:
    make_over(data_dir, NOBODY)
    entry = pwd.getpwnam("memd")
    account = ServerAccount("memd", entry.pw_uid, entry.pw_gid, other=True)
    (data_dir / "postgres" / "global" / "trap").mkdir()
    (data_dir / "postgres" / "global" / "trap" / "link").symlink_to("/etc/passwd")
    with pytest.raises(DataDirectoryNotUsableError):
        change_owner(data_dir / "postgres", NOBODY, account)
    shutil.rmtree(data_dir / "postgres" / "global" / "trap")
    change_owner(data_dir / "postgres", NOBODY, account)
    assert {path.stat().st_uid for path in (data_dir / "postgres").rglob("*")} == {account.uid}


def test_a_cluster_of_an_ordinary_user_stays_that_users(data_dir: Path) -> None:
    daemon = pwd.getpwnam("daemon")
    make_over(data_dir, daemon.pw_uid)
    assert server_account(data_dir / "postgres").name == "daemon"
    with EmbeddedPostgres(data_dir) as server:
        assert Path(f"/proc/{server.pid}").stat().st_uid == daemon.pw_uid


@pytest.mark.parametrize(
    ("tools", "ran"),
    [
        (("useradd",), [["useradd", "--system"]]),
        (("addgroup", "adduser"), [["addgroup", "-S"], ["adduser", "-S"]]),
        (("useradd", "addgroup", "adduser"), [["useradd", "--system"]]),
    ],
)
def test_the_user_is_made_by_the_tools_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tools: tuple[str, ...], ran: list[list[str]]
) -> None:
    notes = tmp_path / "ran"
    for tool in tools:
        script = tmp_path / tool
        script.write_text(f'#!/bin/sh\necho "{tool} $@" >>{notes}\n')
        script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(service_user, "NAME", "memd-made")
    found = iter([None, None, pwd.getpwnam("daemon")])
    monkeypatch.setattr(service_user, "_find", lambda: next(found))
    assert service_user.service_user().pw_name == "daemon"
    assert [line.split()[:2] for line in notes.read_text().splitlines()] == ran


def test_several_first_starts_at_once_make_the_user_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = tmp_path / "ran"
    slow = tmp_path / "useradd"
    slow.write_text(f"#!/bin/sh\n/bin/sleep 0.2\necho made >>{notes}\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(service_user, "_find", lambda: pwd.getpwnam("daemon") if notes.exists() else None)
    with ThreadPoolExecutor(4) as starts:
        found = list(starts.map(lambda _: service_user.service_user().pw_name, range(4)))
    assert found == ["daemon"] * 4
    assert notes.read_text().splitlines() == ["made"]


def test_a_user_that_cannot_be_made_is_named_with_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_user, "_find", lambda: None)
    monkeypatch.setattr(service_user, "LOCKED_S", 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoServiceUserError, match=r"neither useradd nor adduser.*create it with: useradd --system"):
        service_user.service_user()
    failing = tmp_path / "useradd"
    failing.write_text("#!/bin/sh\necho 'useradd: cannot lock /etc/passwd' >&2; exit 1\n")
    failing.chmod(0o755)
    with pytest.raises(NoServiceUserError, match="cannot lock /etc/passwd"):
        service_user.service_user()
