"""Stored text never commands the terminal: no escape sequence, no markup, no control of direction, in any command."""

import io
import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import click
import pytest
from click.testing import Result

from memctl import diagnostics
from memctl.diagnostics import ExitCode, meter, note, waiting
from memctl.output import json_line
from memctl.text import escaped_json, printable
from memd.context import Services
from memd.domain.types import KeyScope
from tests.memctl.conftest import Terminal
from tests.memctl.test_docs import leaves
from tests.support.hostile_rows import COMMANDS_A_TERMINAL, HOSTILE, Rows, hostile_rows
from tests.support.service import MakeUser, TestUser

READS: dict[str, tuple[str, ...]] = {
    "audit": ("--days", "1"),  # first: what a recall returns is not junk
    "recall": ("harbour", "--explain"),
    "search": ("harbour", "--all"),
    "recent": (),
    "tail": ("--once",),
    "wake": (),
    "context": ("harbour",),
    "show": ("{memory}",),
    "trace": ("{memory}",),
    "triggers": ("Bash",),
    "list": ("--columns", "title,tags,channel,id"),
    "stats": (),
    "export": (),
    "kb list": (),
    "kb show": ("{base}",),
    "kb chunks": ("{base}",),
    "kb query": ("{base}", "harbour"),
    "checkpoint list": (),
    "sessions list": (),
    "sessions show": ("{session}",),
    "checkpoint show": ("{checkpoint}",),
    "checkpoint restore": ("{checkpoint}", "--dry-run"),
    "snapshot list": (),
    "snapshot show": ("{snapshot}",),
    "graph owners": ("harbour",),
    "graph connection": ("Anna", "harbour"),
    "graph chain": ("harbour",),
    "keys list": (),
    "users list": (),
    "account users list": (),
    "history": ("{memory}",),
    "diff": ("{memory}",),
    "jobs list": (),
    "conflicts list": (),
    "profile": ("harbour",),
    "standing list": (),
    "standing show": ("{standing}",),
    "standing run": ("{standing}",),
    "api": ("GET", "/api/memories"),
    "audit-log": (),
}
SHOW_NO_STORED_TEXT = {
    *(
        "capture",
        "log",
        "edit",
        "supersede",
        "forget",
        "snapshot save",
        "reflect",
        "checkpoint create",
        "checkpoint delete",
    ),
    *("restore", "undo", "standing add", "standing remove", "conflicts resolve", "mcp list", "mcp uninstall"),
    *("hooks install", "hooks run", "hooks retry", "hooks status", "hooks uninstall"),
    *("import chatgpt", "import claude", "import jsonl", "import markdown", "import mem0"),
    *("import transcripts", "kb import", "kb export"),
    *("kb create", "kb set", "kb empty", "kb archive", "kb unarchive", "kb delete", "keys create", "keys revoke"),
    *(
        "keys rotate",
        "keys update",
        "users create",
        "users delete",
        "account users erase",
        "messages delete",
        "sessions delete",
        "users set",
        "erasure",
        "device approve",
        "device deny",
        "jobs run",
        "wait",
        "eval",
    ),
    *("mcp install", "mcp stdio", "tui", "login", "doctor", "config list", "config set", "config use"),
    "config delete",
    "logout",
    "completion",
}
"""What writes, and what shows counts, ids and the caller's own words; all of it passes through the same two modules."""
FORMS = {"export": ("--format=jsonl",)}


def test_every_command_is_tried_or_shows_no_stored_text() -> None:
    assert {name for name, _ in leaves()} - SHOW_NO_STORED_TEXT == READS.keys()


def filled(arguments: tuple[str, ...], rows: Rows) -> list[str]:
    return [each.format(**asdict(rows)) for each in arguments]


def harmless(done: Result, command: str) -> None:
    for text in (done.stdout, done.stderr):
        found = COMMANDS_A_TERMINAL.search(text)
        assert found is None, (command, found, text)


async def test_no_command_passes_on_what_commands_a_terminal(
    services: Services, terminal: Terminal, make_user: MakeUser, days_pass: Callable[[int], None]
) -> None:
    days_pass(2)
    user = await make_user(admin=True, scopes=tuple(KeyScope))
    rows = await hostile_rows(services, user)
    seen: set[str] = set()
    for name, arguments in READS.items():
        for form in FORMS.get(name, ("--text", "--json", "--jsonl")):
            done = await terminal(user, *name.split(), *filled(arguments, rows), form)
            if done.exit_code == 2 and "No such option" in done.stderr:
                continue
            # an administrator also sees the jobs of other tests, some of which failed
            ends = {ExitCode.OK, ExitCode.DONE_IN_PART} if name == "jobs list" else {ExitCode.OK}
            assert done.exit_code in ends, (name, form, done.stderr)
            harmless(done, f"{name} {form}")
            if "[/nope]" in done.stdout:
                seen.add(name)
            if form != "--text":
                documents = [done.stdout] if form == "--json" else done.stdout.split("\n")[:-1]
                assert all(json.loads(document) is not None for document in documents)
    assert seen >= {"recall", "search", "recent", "tail", "wake", "show", "export", "kb list", "kb show", "kb chunks"}
    assert seen >= {
        "kb query",
        "checkpoint list",
        "checkpoint show",
        "sessions show",
        "snapshot list",
        "snapshot show",
        "graph owners",
        "keys list",
        "users list",
        "audit",
    }


async def test_a_hostile_title_is_archived_by_audit(
    services: Services, terminal: Terminal, user: TestUser, days_pass: Callable[[int], None]
) -> None:
    await hostile_rows(services, user)
    days_pass(2)
    done = await terminal(user, "audit", "--kind", "never-recalled", "--days", "1", "--apply", "--yes")
    assert done.exit_code == 0
    harmless(done, "audit")


class Screen(io.StringIO):
    """Standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_bars_and_spinners_take_text_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(diagnostics.sys, "stderr", screen)
    with meter("[/nope]", 2) as progress:
        progress.advance(1, HOSTILE)
    with waiting(HOSTILE):
        pass
    shown = screen.getvalue()
    assert "[/nope]" in shown
    assert "\x1b]" not in shown
    assert not set("\x07\x9b\x90\u202e\u2066\u200f") & set(shown)


@pytest.mark.usefixtures("typing")
def test_questions_and_notes_are_harmless(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    questions: list[str] = []
    monkeypatch.setattr(click, "confirm", lambda text, **_: questions.append(text) or True)
    diagnostics.confirm(HOSTILE)
    note(HOSTILE)
    assert COMMANDS_A_TERMINAL.search(questions[0] + capsys.readouterr().err) is None


@pytest.mark.parametrize("value", [HOSTILE, "\ud800 alone", {"\u202e": ["\x85\u2028", "ж 漢 é"]}])
def test_json_means_the_same(value: Any) -> None:
    row = {"text": value}
    for text in (json_line(row), escaped_json(json.dumps(row, ensure_ascii=False, indent=2))):
        assert COMMANDS_A_TERMINAL.search(text.replace("\n", "")) is None
        assert json.loads(text) == row
        text.encode()


def test_plain_text_in_any_script_stays() -> None:
    text = "Grüße, привет, שלום, سلام, 漢字, emoji 👩‍👩‍👧, tab\tand\nline"
    assert printable(text) == text
