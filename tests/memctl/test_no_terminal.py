"""memtui without a terminal, as in a pipe or a scheduled script: one sentence, and it ends."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SENTENCE = "memtui needs a terminal; in scripts use memctl, for example: memctl list --json\n"
NOWHERE = ("--url", "http://127.0.0.1:9", "--api-key", "k")
MEMTUI = ("-c", "from memctl.memtui import main; main()", *NOWHERE)
MEMCTL_TUI = ("-m", "memctl", *NOWHERE, "tui")


@pytest.fixture
def terminal_end() -> Iterator[int]:
    ends = pty.openpty()
    yield ends[1]
    for end in ends:
        os.close(end)


def run(arguments: tuple[str, ...], stdin: int, stdout: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    environment = {name: value for name, value in os.environ.items() if name != "TEXTUAL_DRIVER"}
    root = Path(__file__).parents[2]
    return subprocess.run(
        command,
        check=False,
        stdin=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=root,
        timeout=60,
        text=True,
    )


@pytest.mark.parametrize("command", [MEMTUI, MEMCTL_TUI], ids=["memtui", "memctl tui"])
def test_with_nothing_to_read_from_it_ends(command: tuple[str, ...], terminal_end: int, home: Path) -> None:
    done = run(command, subprocess.DEVNULL, terminal_end)
    assert (done.returncode, done.stderr) == (2, SENTENCE)


@pytest.mark.parametrize("command", [MEMTUI, MEMCTL_TUI], ids=["memtui", "memctl tui"])
def test_into_a_pipe_it_writes_no_screen(command: tuple[str, ...], terminal_end: int, home: Path) -> None:
    done = run(command, terminal_end, subprocess.PIPE)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", SENTENCE)


@pytest.mark.parametrize("command", [MEMTUI, MEMCTL_TUI], ids=["memtui", "memctl tui"])
def test_on_a_dumb_terminal_it_writes_no_screen(
    command: tuple[str, ...], terminal_end: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    done = run(command, terminal_end, terminal_end)
    assert (done.returncode, done.stderr) == (2, SENTENCE)


def test_its_help_may_be_piped(home: Path) -> None:
    done = run((*MEMTUI, "--help"), subprocess.DEVNULL, subprocess.PIPE)
    assert done.returncode == 0
    assert "Browse, search and understand" in done.stdout
