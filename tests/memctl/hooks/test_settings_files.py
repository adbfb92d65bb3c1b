"""Settings files of agents that hold more than hooks: what is not ours stays, and what is not understood, too."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memctl.main import cli

Run = Callable[..., Result]
FILES = {"claude-code": ".claude/settings.json", "gemini-cli": ".gemini/settings.json"}


@pytest.fixture
def memctl(home: Path) -> Run:
    return lambda *arguments: CliRunner().invoke(cli, [*arguments], catch_exceptions=False)


DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    "content",
    [
        "// comments\n",
        "[1]",
        '{"hooks": []}',
        '{"hooks": {"Stop": {}}}',
        b"\xff\xfe",
        f'{{"a": {DEEP}}}',
        '{"a": NaN}',
        '{"hooks": {}, "hooks": {"Stop": []}, "a": 1, "hooks": 1}',
    ],
    ids=["comment", "list", "list of hooks", "object of an event", "bytes", "deep", "NaN", "a name twice"],
)
def test_settings_that_are_not_understood_stay_as_they_are(memctl: Run, home: Path, content: str | bytes) -> None:
    path = home / FILES["claude-code"]
    path.parent.mkdir()
    raw = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(raw)
    for command in ("install", "uninstall"):
        done = memctl("hooks", command, "claude-code", "--yes")
        assert (done.exit_code, path.read_bytes()) == (2, raw)
        assert f"{path} stays as it is" in done.stderr
    assert memctl("hooks", "status").exit_code == 0


COMMENTED = """// Settings of mine
{
  "hooks": {
    "Stop": [ // at the end
      {"hooks": [{"type": "command", "command": "say hello"}]},
    ],
  },
  "limit": 1e400, "emoji": "\\u00e9", // as it was
}
"""


@pytest.mark.parametrize("agent", FILES)
def test_comments_and_layout_stay(memctl: Run, home: Path, agent: str) -> None:
    path = home / FILES[agent]
    path.parent.mkdir()
    path.write_text(COMMENTED)
    memctl("hooks", "install", agent, "--yes")
    pieces = iter(path.read_text())
    assert all(character in pieces for character in COMMENTED), "nothing but additions"
    assert path.read_text().count("hooks run") == 5
    path.write_text(f"{path.read_text()}// edited\n")
    memctl("hooks", "uninstall", agent, "--yes")
    assert path.read_text() == f"{COMMENTED}// edited\n"
