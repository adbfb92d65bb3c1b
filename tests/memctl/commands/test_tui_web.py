"""`memctl tui --web` when it cannot begin; what it serves is shown in tests/e2e/test_memtui_in_browser.py."""

import os
import socket
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memctl.main import cli


@pytest.fixture(autouse=True)
def _environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command sets these for memtui; the test's end takes them back."""
    for name in ("MEMCTL_URL", "MEMCTL_API_KEY"):
        monkeypatch.setenv(name, "")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--url", "http://127.0.0.1:9", "--api-key", "k", "tui", *arguments])


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve.server", None)
    monkeypatch.delitem(sys.modules, "memctl.memtui_web", raising=False)
    result = run("--web")
    assert result.exit_code == 2
    assert "pip install 'memd-server[web]'" in result.stderr


def test_a_port_that_is_taken_is_named() -> None:
    pytest.importorskip("textual_serve", reason="textual-serve came with a newer requirements.dev: run make dev")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = run("--web", "--web-port", str(port))
    assert result.exit_code == 1
    assert f"cannot listen on 127.0.0.1:{port}: Address already in use" in result.stderr


@pytest.mark.parametrize("arguments", [("--web-port", "8000"), ("--web", "--web-port", "65536")])
def test_a_port_without_use_is_refused(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2
    assert not os.environ["MEMCTL_URL"]


def test_memtui_learns_the_data_directory(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMD_DATA_DIR", "")
    seen: list[str] = []
    monkeypatch.setattr("memctl.commands.tui.main", lambda _: seen.append(os.environ["MEMD_DATA_DIR"]))
    assert run("--data-dir", str(home)).exit_code == 0
    assert seen == [str(home)]
