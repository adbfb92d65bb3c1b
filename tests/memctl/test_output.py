"""Tables, and messages about full disks."""

import contextlib
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from memctl import output

MEMORY = "mem_0" + "1" * 25
ROWS = [["A title\twith a tab\nand a long line " + "x" * 200, MEMORY]]


class Screen:
    """A terminal of a width."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Nothing waits."""

    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_whole_rows_with_tabs(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(["title", "id"], ROWS)
    [line] = capsys.readouterr().out.splitlines()
    assert line.split("\t") == [f"A title with a tab and a long line {'x' * 200}", MEMORY]


@pytest.mark.parametrize("width", [50, 80])
def test_ids_stay_whole_at_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    screen = Screen()
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(sys, "stdout", screen)
    output.table(["title", "id"], ROWS)
    plain = click.unstyle(screen.text)
    assert MEMORY in plain
    assert max(map(len, plain.splitlines())) <= width


ROW = (
    ["store", "strength", "result", "id"],
    [["semantic", "0.80", "failed", MEMORY], ["episodic", "0.20", "ok", MEMORY]],
)


def test_colours_mean_something_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm-256color")
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    output.table(*ROW)
    green, red, blue, grey = ("\x1b[32m", "\x1b[31m", "\x1b[34m", "\x1b[90m")
    assert f"{green}semantic" in screen.text
    assert f"{blue}episodic" in screen.text
    assert f"{green}0.80" in screen.text
    assert f"{grey}0.20" in screen.text
    assert f"{red}failed" in screen.text


def test_no_colour_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    output.table(*ROW)
    output.say_colored(("good", "green"), (" and plain", None))
    assert not re.search(r"\x1b\[[39]\d", screen.text)


def test_a_dumb_terminal_gets_no_control_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "120")
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    output.table(*ROW)
    output.say_colored(("good", "green"), (" and plain", None))
    output.say("weak", dim=True)
    assert "\x1b" not in screen.text


def test_a_terminal_too_narrow_for_a_table_gets_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stdout", screen)
    output.table(["who", "target", "change", "result"], [[MEMORY, MEMORY, "tier free to pro", "refused"]] * 2)
    block = f"who     {MEMORY}\ntarget  {MEMORY}\nchange  tier free to pro\nresult  refused\n"
    assert click.unstyle(screen.text) == f"{block}\n{block}"


def shown_at_80_columns(monkeypatch: pytest.MonkeyPatch) -> Screen:
    screen = Screen()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", screen)
    return screen


TIME = "2026-11-27 02:39"
TITLE = "Release checklist for the European storefront, including database migrations"


def test_a_table_breaks_no_time_and_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = shown_at_80_columns(monkeypatch)
    output.table(["name", "chunks", "changed", "agents", "id"], [["handbook", "3", TIME, "every agent", MEMORY]])
    plain = click.unstyle(screen.text)
    assert TIME in plain
    assert {"handbook", "every", "agent", MEMORY} <= set(plain.split())


def test_ids_go_below_the_longest_text_when_it_has_too_little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = shown_at_80_columns(monkeypatch)
    output.table(["created", "store", "category", "title", "id"], [[TIME, "episodic", "conversation", TITLE, MEMORY]])
    lines = [line.rstrip() for line in click.unstyle(screen.text).splitlines()]
    assert lines[3:] == [
        f"{TIME}  episodic  conversation  Release checklist for the European",
        f"{'':42}storefront, including database",
        f"{'':42}migrations",
        f"{'':42}{MEMORY}",
    ]


def test_indented_text_is_folded_at_words_and_stays_indented(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = shown_at_80_columns(monkeypatch)
    output.say(f"    {TITLE} {MEMORY}")
    output.say(f"{TIME}  {TITLE}", column=18)
    output.say_colored((" 1  0.50  ", None), (TITLE, "green"), column=10)
    assert click.unstyle(screen.text).splitlines() == [
        "    Release checklist for the European storefront, including database migrations",
        f"    {MEMORY}",
        f"{TIME}  Release checklist for the European storefront, including",
        f"{'':18}database migrations",
        " 1  0.50  Release checklist for the European storefront, including database",
        f"{'':10}migrations",
    ]


def test_text_at_the_margin_and_text_for_a_pipe_are_left_as_they_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output.say(f"    {TITLE} {MEMORY}")
    assert capsys.readouterr().out == f"    {TITLE} {MEMORY}\n"
    screen = shown_at_80_columns(monkeypatch)
    output.say(f"{TITLE} {MEMORY}")
    assert screen.text == f"{TITLE} {MEMORY}\n"


def test_a_full_disk_is_one_sentence() -> None:
    command = [sys.executable, "-m", "memctl", "completion", "bash"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (1, "memctl: cannot write the output: No space left on device\n")


def test_closed_standard_output_is_no_traceback(home: Path) -> None:
    command = ["sh", "-c", f"{sys.executable} -m memctl config list >&-"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        ("capture Title -", 2, "CONTENT must not be empty"),
        ("edit mem_01m8hbpyxge94t43krm5v9gr28", 2, "set EDITOR"),
        ("mcp stdio", 0, ""),
    ],
)
@pytest.mark.usefixtures("home")
def test_closed_standard_input_is_an_empty_one(arguments: str, code: int, reason: str) -> None:
    memctl = f"{sys.executable} -m memctl --url http://127.0.0.1:9 --api-key k"
    command = ["env", "-u", "EDITOR", "-u", "VISUAL", "sh", "-c", f"{memctl} {arguments} <&-"]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, timeout=60, check=False)
    assert (done.returncode, done.stdout, reason in done.stderr) == (code, "", True), done.stderr


def doctor_in(encoding: str, config: Path, stdout: int) -> subprocess.CompletedProcess[bytes]:
    """`memctl doctor`, which names the config file, in a locale with this encoding."""
    return subprocess.run(
        [sys.executable, "-m", "memctl", "doctor", "--url", "http://127.0.0.1:9"],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONIOENCODING": encoding, "MEMCTL_CONFIG": str(config)},
        cwd=Path(__file__).parents[2],
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("encoding", ["iso8859-1", "ascii", "utf-8"])
def test_a_pipe_gets_utf_8_in_every_locale(home: Path, encoding: str) -> None:
    done = doctor_in(encoding, home / "日本.toml", subprocess.PIPE)
    assert (done.returncode, "日本.toml" in done.stdout.decode()) == (3, True), done.stderr


def test_a_terminal_gets_a_question_mark_for_what_it_cannot_show(home: Path) -> None:
    master, terminal = pty.openpty()
    done = doctor_in("iso8859-1", home / "日本.toml", terminal)
    os.close(terminal)
    shown = os.read(master, 2**16)
    os.close(master)
    assert (done.returncode, b"??.toml" in shown) == (3, True), done.stderr


def at_a_terminal(rows: int, **environment: str) -> bytes:
    """What a terminal of 20 lines shows of a table with so many rows."""
    code = f"from memctl import output; output.table(['row'], [[f'row {{n}}'] for n in range({rows})])"
    ours, theirs = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("LESS", "PAGER")}
    whole = {**kept, "LINES": "20", "COLUMNS": "80", "TERM": "xterm", **environment}
    shown = b""
    with subprocess.Popen([sys.executable, "-c", code], stdin=theirs, stdout=theirs, env=whole):
        os.close(theirs)
        with contextlib.suppress(OSError):  # the terminal is closed when the process has ended
            while part := os.read(ours, 4096):
                shown += part
    os.close(ours)
    return shown


@pytest.mark.parametrize(("rows", "paged"), [(50, True), (5, False)])
def test_a_table_longer_than_the_screen_goes_through_the_pager(rows: int, *, paged: bool) -> None:
    shown = at_a_terminal(rows, PAGER="sed s/row/paged/")
    assert (b"paged 1" in shown, b"row 1" in shown) == (paged, not paged)


@pytest.mark.parametrize(
    ("settings", "flags", "is_coloured"),
    [
        ({}, b"-R", True),
        ({"PAGER": "less"}, b"-R", True),
        ({"LESS": "-FR"}, b"-FR", True),
        ({"LESS": "-F"}, b"-F", False),
        ({"PAGER": "cat"}, None, True),
    ],
)
def test_less_shows_colours_and_not_the_codes_of_them(
    tmp_path: Path, settings: dict[str, str], flags: bytes | None, *, is_coloured: bool
) -> None:
    less = tmp_path / "less"
    less.write_text('#!/bin/sh\necho "flags: $LESS"\ncat\n')
    less.chmod(0o755)
    shown = at_a_terminal(50, PATH=f"{tmp_path}:{os.environ['PATH']}", **settings)
    assert (b"\x1b[1m" in shown) == is_coloured
    assert re.findall(rb"flags: (\S*)\r", shown) == ([flags] if flags else [])
