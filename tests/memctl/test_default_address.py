"""Without a memd of this machine, nothing that is stored or asked goes to whatever listens on the default port."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from memctl import memtui, settings
from memctl.hooks.exchange import UnreachableError, send
from memctl.main import cli
from memd.db.embedded.lock import DataDirectoryLock
from tests.support.loopback import LoopbackHandler, LoopbackServer, answering


@pytest.fixture
def heard(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The requests that a foreign listener on the default port gets; it says ok to everything."""
    paths: list[str] = []

    class Listener(LoopbackHandler):
        def answer(self) -> None:
            paths.append(self.path)
            self.reply(200, json.dumps({"ok": True}).encode())

    with answering(LoopbackServer(Listener)) as server:
        monkeypatch.setattr(settings, "DEFAULT_URL", server.address)
        yield paths


@pytest.mark.parametrize("command", ["capture Title Secret", "recall secret", "log user secret", "search secret"])
def test_no_text_is_sent_to_a_guessed_address(heard: list[str], home: Path, command: str) -> None:
    done = CliRunner().invoke(cli, command.split())
    assert (done.exit_code, heard) == (3, [])
    assert f"no memd serves {home / 'data'}; start it with: memd serve" in done.stderr


@pytest.mark.parametrize("command", ["recall coffee", "doctor"])
def test_a_memd_that_does_not_listen_yet_is_not_started_again(home: Path, command: str) -> None:
    folder = home / "data"
    folder.mkdir(exist_ok=True)
    lock = DataDirectoryLock(folder)
    lock.acquire()
    starting = CliRunner().invoke(cli, command.split())
    lock.release()
    ended = CliRunner().invoke(cli, command.split())
    assert (starting.exit_code, ended.exit_code) == (3, 3)
    assert f"memd is still starting in {folder}" in starting.output
    assert ("no memd serves" in starting.output, "no memd serves" in ended.output) == (False, True)


@pytest.mark.parametrize("command", ["doctor", "tui"])
def test_a_guessed_address_is_neither_examined_nor_browsed(heard: list[str], home: Path, command: str) -> None:
    done = CliRunner().invoke(cli, [command])
    assert (done.exit_code, heard) == (3, [])
    assert "no memd serves" in done.output


def test_memtui_browses_no_guessed_address(heard: list[str], home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        memtui.main([])
    assert (end.value.code, heard) == (3, [])
    assert f"no memd serves {home / 'data'}" in capsys.readouterr().err


def test_the_command_that_starts_memd_names_the_directory_that_was_given(home: Path) -> None:
    done = CliRunner().invoke(cli, ["--data-dir", str(home / "other data"), "list"])
    assert f"start it with: memd serve --data-dir '{home / 'other data'}'" in done.stderr


def test_doctor_names_the_directory_of_a_memd_that_crashed(home: Path) -> None:
    folder = home / "data"
    folder.mkdir(exist_ok=True)
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(folder / "memd.sock"))
    left.close()
    state = {"host": "127.0.0.1", "port": 9, "socket": str(folder / "memd.sock"), "pid": 1}
    (folder / "memd.json").write_text(json.dumps(state))
    (folder / "local.key").write_text("local-key\n")
    done = CliRunner().invoke(cli, ["doctor"])
    assert (done.exit_code, done.stdout.count(f"memd serve --data-dir {folder}")) == (3, 2), done.output


def test_doctor_names_the_directory_that_no_memd_serves(home: Path) -> None:
    done = CliRunner().invoke(cli, ["doctor"])
    assert f"no memd serves {home / 'data'}\n" in done.stdout
    assert "start it with `memd serve`, or" in done.stdout
    done = CliRunner().invoke(cli, ["--data-dir", str(home / "other data"), "doctor"])
    assert f"no memd serves {home / 'other data'}\n" in done.stdout
    assert f"start it with `memd serve --data-dir '{home / 'other data'}'`" in done.stdout


def test_hooks_keep_what_they_have_to_deliver(heard: list[str]) -> None:
    target = settings.resolve(settings.Options())
    with pytest.raises(UnreachableError, match="no memd serves"):
        send(target, "/api/mcp/turn", {"assistantMessage": "secret"}, 1)
    assert heard == []


def test_completion_sends_no_key_to_a_guessed_address(
    heard: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_API_KEY", "0" * 64)
    shell = ShellComplete(cli, {}, "memctl", "_MEMCTL_COMPLETE")
    offered = shell.get_completions(["--data-dir", str(tmp_path / "unserved"), "show"], "")
    assert ([item.value for item in offered], heard) == ([], [])
