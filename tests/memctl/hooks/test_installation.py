"""`memctl hooks install` and `uninstall`: what is in the files of agents before, between and after."""

import json
import os
import shlex
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memctl.hooks.agents import AGENTS
from memctl.main import cli
from memctl.settings import local_key_path

Run = Callable[..., Result]
FILES = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini-cli": ".gemini/settings.json",
    "cursor": ".cursor/hooks.json",
    "copilot": ".copilot/hooks/memd.json",
}
IN_PROJECT = {"copilot": ".github/hooks/memd.json"}
PLUGINS = {"openclaw", "opencode"}
"""Their files are tested in test_plugins.py."""
EVENTS = {
    "claude-code": ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"],
    "codex": ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"],
    "gemini-cli": ["SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd"],
    "cursor": ["sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "preCompact", "sessionEnd"],
    "copilot": ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"],
}
"""The names in the documentation of each agent."""
GROUP = '{"hooks": [{"type": "command", "command": "say hello"}], "matcher": "startup"}'
BEFORE = {
    "claude-code": '{\n    "model": "opus",\n    "hooks": {"SessionStart": [' + GROUP + "]}\n}",
    "codex": '{"hooks": {"Stop": [' + GROUP + "]}}\n",
    "gemini-cli": '{\n\t"theme": "Grün",\n\t"hooks": {}\n}\n',
    "cursor": '{\n  "version": 1,\n  "hooks": {"stop": [{"command": "say hello"}]}\n}\n',
    "copilot": '{\n  "version": 1,\n  "hooks": {"agentStop": [{"command": "say hello"}]}\n}\n',
}
HELLO = {"claude-code": "SessionStart", "codex": "Stop", "cursor": "stop", "copilot": "agentStop"}


@pytest.fixture
def memctl(home: Path) -> Run:
    return lambda *arguments, stdin=None: CliRunner().invoke(cli, [*arguments], input=stdin, catch_exceptions=False)


def commands(path: Path) -> dict[str, list[str]]:
    """All commands of a settings file by event."""
    found: dict[str, list[str]] = {}
    for event, rows in json.loads(path.read_text())["hooks"].items():
        entries: list[dict[str, Any]] = [entry for row in rows for entry in row.get("hooks", [row])]
        found[event] = [entry["command"] for entry in entries]
    return found


def ours(path: Path) -> dict[str, str]:
    return {event: row for event, rows in commands(path).items() for row in rows if "memctl" in row}


def tree(folder: Path) -> dict[str, tuple[bytes | None, int]]:
    """Every file and folder with its content and rights."""
    return {
        str(path.relative_to(folder)): (
            path.read_bytes() if path.is_file() else None,
            stat.S_IMODE(path.stat().st_mode),
        )
        for path in sorted(folder.rglob("*"))
        if path.relative_to(folder).parts[0] != "state"
    }


def test_every_agent_is_tested() -> None:
    assert {*FILES, *PLUGINS} == {*AGENTS}


@pytest.mark.parametrize("agent", FILES)
def test_every_event_gets_a_command_with_the_connection(memctl: Run, home: Path, agent: str) -> None:
    done = memctl(
        "--profile", "work", "config", "set", "work", "--url", "http://127.0.0.1:7378", "--api-key", "ab" * 32
    )
    assert done.exit_code == 0, done.output
    done = memctl("--profile", "work", "hooks", "install", agent, "--context-budget", "300", "--yes")
    assert done.exit_code == 0, done.output
    found = ours(home / FILES[agent])
    assert [*found] == EVENTS[agent]
    assert "ab" * 32 not in (home / FILES[agent]).read_text()
    words = [shlex.split(command) for command in found.values()]
    assert [each[1:4] for each in words] == [
        ["hooks", "run", event] for event in ("session-start", "prompt", "turn-end", "compaction", "session-end")
    ]
    assert all(Path(each[0]).is_absolute() and each[-2:] == ["--profile", "work"] for each in words)
    assert ["--budget" in each and each[each.index("--budget") + 1] for each in words] == ["800", "300", *[False] * 3]


@pytest.mark.parametrize("agent", FILES)
@pytest.mark.parametrize("was_there", [True, False])
def test_uninstall_leaves_every_file_byte_for_byte(memctl: Run, home: Path, agent: str, was_there: bool) -> None:
    path = home / FILES[agent]
    if was_there:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(BEFORE[agent])
        path.chmod(0o640)
    before = tree(home)
    for budget in ("300", "400"):  # a second installation replaces the first
        memctl("hooks", "install", agent, "--context-budget", budget, "--yes")
    assert [*ours(path)] == [event for event in commands(path) if event in EVENTS[agent]]
    assert [command for command in ours(path).values() if "--budget 300" in command] == []
    assert memctl("hooks", "uninstall", agent, "--yes").exit_code == 0
    assert tree(home) == before


@pytest.mark.parametrize("agent", FILES)
def test_of_a_file_that_was_edited_since_only_our_entries_go(memctl: Run, home: Path, agent: str) -> None:
    path = home / FILES[agent]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(BEFORE[agent])
    memctl("hooks", "install", agent, "--yes")
    edited = json.loads(path.read_text()) | {"added": "later"}
    path.write_text(json.dumps(edited, indent=4))
    memctl("hooks", "uninstall", agent, "--yes")
    expected = json.loads(BEFORE[agent]) | {"added": "later"}
    assert json.loads(path.read_text()) == {name: value for name, value in expected.items() if value != {}}


def test_a_second_entry_in_our_group_stays(memctl: Run, home: Path) -> None:
    path = home / FILES["claude-code"]
    memctl("hooks", "install", "claude-code", "--yes")
    document = json.loads(path.read_text())
    document["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say goodbye"})
    path.write_text(json.dumps(document))
    memctl("hooks", "uninstall", "claude-code", "--yes")
    assert json.loads(path.read_text()) == {
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say goodbye"}]}]}
    }


def test_a_file_that_only_held_our_entries_goes_though_it_was_edited(memctl: Run, home: Path) -> None:
    path = home / FILES["cursor"]
    memctl("hooks", "install", "cursor", "--yes")
    path.write_text(path.read_text() + "\n")
    memctl("hooks", "uninstall", "cursor", "--yes")
    assert not path.exists()
    assert not path.parent.exists()


@pytest.mark.parametrize("agent", FILES)
def test_a_project_gets_a_portable_command(memctl: Run, home: Path, agent: str) -> None:
    memctl("hooks", "install", agent, "--project", "--yes")
    path = home / "work" / IN_PROJECT.get(agent, FILES[agent])
    assert all(command.startswith("memctl hooks run ") for command in ours(path).values())
    assert str(home) not in path.read_text()
    before = tree(home / "work")
    assert memctl("hooks", "uninstall", agent, "--yes").stderr.endswith("has no hooks of memd\n")
    assert tree(home / "work") == before
    memctl("hooks", "uninstall", agent, "--project", "--yes")
    assert tree(home / "work") == {}


@pytest.mark.usefixtures("typing")
def test_the_change_is_shown_and_nothing_is_written_without_a_yes(memctl: Run, home: Path) -> None:
    done = memctl("hooks", "install", "codex", stdin="n\n")
    assert done.exit_code == 2
    assert '+    "Stop": [' in done.stderr
    assert not (home / ".codex").exists()
    dry = memctl("hooks", "install", "codex", "--dry-run")
    assert (dry.exit_code, '+    "Stop": [' in dry.stdout, (home / ".codex").exists()) == (0, True, False)
    memctl("hooks", "install", "codex", "--yes")
    again = memctl("hooks", "install", "codex")
    assert (again.exit_code, again.stderr.endswith("has these hooks already\n")) == (0, True)
    written = (home / FILES["codex"]).read_bytes()
    dry = memctl("hooks", "uninstall", "codex", "--dry-run")
    assert ('-    "Stop": [' in dry.stdout, (home / FILES["codex"]).read_bytes()) == (True, written)


def test_a_link_to_a_file_elsewhere_stays_a_link(memctl: Run, home: Path) -> None:
    target = home / "dotfiles.json"
    target.write_text("{}")
    path = home / FILES["claude-code"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    memctl("hooks", "install", "claude-code", "--yes")
    assert path.is_symlink()
    assert [*ours(target)] == EVENTS["claude-code"]
    memctl("hooks", "uninstall", "claude-code", "--yes")
    assert (path.is_symlink(), target.read_text()) == (True, "{}")


def test_a_link_to_a_file_that_is_not_there_yet_stays_a_link(memctl: Run, home: Path) -> None:
    target = home / "dotfiles" / "claude.json"
    path = home / FILES["claude-code"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    memctl("hooks", "install", "claude-code", "--yes")
    assert (path.is_symlink(), [*ours(target)]) == (True, EVENTS["claude-code"])
    memctl("hooks", "uninstall", "claude-code", "--yes")
    assert (path.is_symlink(), path.readlink(), target.parent.exists()) == (True, target, False)


def test_a_second_installation_renews_where_memd_is(memctl: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memctl("hooks", "install", "claude-code", "--yes")
    monkeypatch.setenv("MEMD_DATA_DIR", str(home / "moved"))
    memctl("hooks", "install", "claude-code", "--dry-run")
    kept = home / "state" / "hooks" / "environment.json"
    assert json.loads(kept.read_text())["MEMD_DATA_DIR"] == str(home / "data")
    memctl("hooks", "install", "claude-code", "--yes")
    assert json.loads(kept.read_text())["MEMD_DATA_DIR"] == str(home / "moved")
    assert {*data_directories(home / FILES["claude-code"])} == {str(home / "moved")}
    assert "has these hooks already" in memctl("hooks", "install", "claude-code").stderr


def data_directories(path: Path) -> list[str | None]:
    """The --data-dir in the command of each event."""
    words = [shlex.split(command) for command in ours(path).values()]
    return [each[each.index("--data-dir") + 1] if "--data-dir" in each else None for each in words]


@pytest.mark.parametrize("agent", FILES)
def test_the_command_names_the_data_directory_of_the_variable(
    memctl: Run, home: Path, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMD_DATA_DIR", "../else where")  # seen from the folder `work`; the agent runs in another one
    memctl("hooks", "install", agent, "--yes")
    assert [Path(str(each)).resolve() for each in data_directories(home / FILES[agent])] == [home / "else where"] * 5
    memctl("--data-dir", "given", "hooks", "install", agent, "--yes")
    assert data_directories(home / FILES[agent]) == [str(home / "work" / "given")] * 5


@pytest.mark.parametrize("variable", [{"MEMD_DATA_DIR": ""}, {"MEMCTL_URL": "http://127.0.0.1:7378"}])
def test_the_command_names_no_data_directory_that_is_the_default_or_not_asked(
    memctl: Run, home: Path, variable: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variable.items():
        monkeypatch.setenv(name, value)
    memctl("hooks", "install", "claude-code", "--yes")
    assert data_directories(home / FILES["claude-code"]) == [None] * 5


def test_naming_the_default_data_directory_is_naming_none(
    memctl: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMD_DATA_DIR", "")
    monkeypatch.setenv("MEMD_DATA_DIR", str(local_key_path().parent))
    memctl("hooks", "install", "claude-code", "--yes")
    assert data_directories(home / FILES["claude-code"]) == [None] * 5


def test_a_key_is_never_written_into_a_hook(memctl: Run, home: Path) -> None:
    done = memctl("--api-key", "ab" * 32, "hooks", "install", "codex", "--yes")
    assert (done.exit_code, (home / ".codex").exists()) == (2, False)


def test_what_the_hooks_keep_is_for_their_owner_alone(memctl: Run, home: Path) -> None:
    memctl("hooks", "install", "claude-code", "--yes")
    state = home / "state" / "hooks"
    files = [path for path in state.rglob("*") if path.is_file()]
    assert files
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / FILES["claude-code"]).stat().st_mode) == 0o600


def test_status_shows_where_hooks_are(memctl: Run, home: Path) -> None:
    nothing = memctl("hooks", "status")
    assert (nothing.exit_code, "no hooks are installed" in nothing.stdout) == (0, True)
    memctl("hooks", "install", "claude-code", "--yes")
    memctl("hooks", "install", "cursor", "--project", "--yes")
    os.chdir(home)  # the file of the project is known wherever one looks from
    output = memctl("hooks", "status").stdout
    assert f"Claude Code: {home / FILES['claude-code']}: {', '.join(EVENTS['claude-code'])}" in output
    assert f"Cursor: {home / 'work' / FILES['cursor']}: {', '.join(EVENTS['cursor'])}" in output
    assert "waiting for delivery: 0 entries" in output
    assert "no errors" in output


@pytest.mark.parametrize("options", [("--dry-run",), ("--yes",)])
def test_secrets_in_the_settings_are_not_shown_and_stay_in_the_file(
    memctl: Run, home: Path, options: tuple[str, ...]
) -> None:
    path = home / FILES["claude-code"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"env": {"ANTHROPIC_AUTH_TOKEN": "zx-hunter-2"}, "model": "opus"}')
    done = memctl("hooks", "install", "claude-code", *options)
    assert "ANTHROPIC_AUTH_TOKEN" in done.output
    assert "hunter" not in done.output
    assert "zx-hunter-2" in path.read_text()
    assert "hunter" not in memctl("hooks", "uninstall", "claude-code", "--yes").output
