"""The plugins of agents that call code: their files before, between and after, and what the code sends to memctl."""

import json
import shlex
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memctl.hooks.agents import AGENTS
from memctl.main import cli

Run = Callable[..., Result]
FILES = {
    "openclaw": [
        ".openclaw/extensions/memd/index.js",
        ".openclaw/extensions/memd/openclaw.plugin.json",
        ".openclaw/openclaw.json",
    ],
    "opencode": [".config/opencode/plugins/memd.js"],
}
EVENTS = ["session-start", "prompt", "turn-end", "compaction", "session-end"]
SETTINGS = '{\n    "plugins": {"allow": ["other"], "entries": {"other": {"enabled": true}}},\n    "agents": {}\n}'


@pytest.fixture
def memctl(home: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    for name in ("OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH"):
        monkeypatch.delenv(name, raising=False)
    return lambda *arguments: CliRunner().invoke(cli, [*arguments], catch_exceptions=False)


def tree(home: Path) -> dict[str, tuple[bytes | None, int]]:
    return {
        str(path.relative_to(home)): (path.read_bytes() if path.is_file() else None, stat.S_IMODE(path.stat().st_mode))
        for path in sorted(home.rglob("*"))
        if path.relative_to(home).parts[0] not in {"state", "work"}
    }


@pytest.mark.parametrize("agent", FILES)
def test_the_script_runs_a_command_for_every_event(memctl: Run, home: Path, agent: str) -> None:
    assert memctl("hooks", "install", agent, "--context-budget", "300", "--yes").exit_code == 0
    script = (home / FILES[agent][0]).read_text()
    (line,) = [line for line in script.splitlines() if line.startswith("const COMMANDS = ")]
    commands = json.loads(line.removeprefix("const COMMANDS = ").removesuffix(";"))
    assert [words[1:4] for words in commands.values()] == [["hooks", "run", event] for event in EVENTS]
    assert {"300"} == {words[words.index("--budget") + 1] for event, words in commands.items() if event == "prompt"}
    output = memctl("hooks", "status").stdout
    assert f"{AGENTS[agent].title}: {home / FILES[agent][0]}: {', '.join(EVENTS)}" in output


@pytest.mark.parametrize("agent", FILES)
@pytest.mark.parametrize("is_edited", [False, True])
def test_uninstall_leaves_nothing_behind(memctl: Run, home: Path, agent: str, is_edited: bool) -> None:
    before = tree(home)
    for budget in ("300", "400"):
        assert memctl("hooks", "install", agent, "--context-budget", budget, "--yes").exit_code == 0
    assert [name for name, (content, _) in tree(home).items() if content is not None] == sorted(FILES[agent])
    if is_edited:
        for name in FILES[agent]:
            (home / name).write_text((home / name).read_text() + "\n")
    assert memctl("hooks", "uninstall", agent, "--yes").exit_code == 0
    assert tree(home) == before
    assert "has no hooks" in memctl("hooks", "uninstall", agent).stderr


def test_the_settings_of_openclaw_keep_everything_else(memctl: Run, home: Path) -> None:
    path = home / FILES["openclaw"][2]
    path.parent.mkdir()
    path.write_text(SETTINGS)
    before = tree(home)
    memctl("hooks", "install", "openclaw", "--yes")
    plugins = json.loads(path.read_text())["plugins"]
    assert plugins["entries"]["memd"] == {"enabled": True, "hooks": {"allowConversationAccess": True}}
    assert plugins["allow"] == ["other", "memd"]
    memctl("hooks", "uninstall", "openclaw", "--yes")
    assert tree(home) == before
    memctl("hooks", "install", "openclaw", "--yes")
    path.write_text(path.read_text() + "\n")
    memctl("hooks", "uninstall", "openclaw", "--yes")
    assert json.loads(path.read_text()) == json.loads(SETTINGS)


@pytest.mark.parametrize("agent", FILES)
def test_files_of_somebody_else_stay_as_they_are(memctl: Run, home: Path, agent: str) -> None:
    for name in FILES[agent]:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("// mine")
        before = tree(home)
        done = memctl("hooks", "install", agent, "--yes")
        assert (done.exit_code, f"{path} stays as it is" in done.stderr, tree(home)) == (2, True, before)
        path.unlink()


def test_a_project_of_opencode_gets_a_portable_script(memctl: Run, home: Path) -> None:
    memctl("hooks", "install", "opencode", "--project", "--yes")
    path = home / "work/.opencode/plugins/memd.js"
    assert str(home) not in path.read_text()
    assert shlex.join(["memctl", "hooks", "run"]) in " ".join(json.loads(_commands(path))["prompt"])
    memctl("hooks", "uninstall", "opencode", "--project", "--yes")
    assert [*(home / "work").iterdir()] == []


def _commands(path: Path) -> str:
    (line,) = [line for line in path.read_text().splitlines() if line.startswith("const COMMANDS = ")]
    return line.removeprefix("const COMMANDS = ").removesuffix(";")


def test_openclaw_has_no_hooks_of_a_project(memctl: Run) -> None:
    done = memctl("hooks", "install", "openclaw", "--project", "--yes")
    assert (done.exit_code, "OpenClaw has no hooks of a project" in done.stderr) == (2, True)
