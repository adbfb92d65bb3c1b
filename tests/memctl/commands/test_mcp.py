"""`memctl mcp install`: entries in the settings of clients."""

import json
import socket
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]
KEY = "0123456789abcdef" * 4
HERE = ("--url", "http://memd.test", "--api-key", KEY)
BEARER = {"Authorization": f"Bearer {KEY}"}
FILES = {
    "claude-code": ".claude.json",
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "codex": ".codex/config.toml",
    "cursor": ".cursor/mcp.json",
    "vscode": ".config/Code/User/mcp.json",
    "gemini-cli": ".gemini/settings.json",
    "copilot": ".copilot/mcp-config.json",
    "windsurf": ".codeium/windsurf/mcp_config.json",
    "zed": ".config/zed/settings.json",
    "opencode": ".config/opencode/opencode.json",
}
ENTRIES: dict[str, tuple[str, dict[str, Any]]] = {
    "claude-code": ("mcpServers", {"type": "http", "url": "http://memd.test/mcp?tools=core", "headers": BEARER}),
    "codex": ("mcp_servers", {"url": "http://memd.test/mcp?tools=core", "http_headers": BEARER}),
    "cursor": ("mcpServers", {"url": "http://memd.test/mcp?tools=core", "headers": BEARER}),
    "vscode": ("servers", {"type": "http", "url": "http://memd.test/mcp?tools=core", "headers": BEARER}),
    "gemini-cli": ("mcpServers", {"httpUrl": "http://memd.test/mcp?tools=core", "headers": BEARER}),
    "copilot": (
        "mcpServers",
        {"type": "http", "url": "http://memd.test/mcp?tools=core", "headers": BEARER, "tools": ["*"]},
    ),
    "windsurf": ("mcpServers", {"serverUrl": "http://memd.test/mcp?tools=core", "headers": BEARER}),
    "zed": ("context_servers", {"url": "http://memd.test/mcp?tools=core", "headers": BEARER}),
    "opencode": (
        "mcp",
        {"type": "remote", "url": "http://memd.test/mcp?tools=core", "enabled": True, "headers": BEARER},
    ),
}
SHARED: dict[str, tuple[str, dict[str, Any]]] = {
    "claude-code": (".mcp.json", {"headers": {"Authorization": "Bearer ${MEMCTL_API_KEY}"}}),
    "codex": (".codex/config.toml", {"bearer_token_env_var": "MEMCTL_API_KEY"}),
    "cursor": (".cursor/mcp.json", {"headers": {"Authorization": "Bearer ${env:MEMCTL_API_KEY}"}}),
    "vscode": (".vscode/mcp.json", {"headers": {"Authorization": "Bearer ${env:MEMCTL_API_KEY}"}}),
    "gemini-cli": (".gemini/settings.json", {"headers": {"Authorization": "Bearer ${MEMCTL_API_KEY}"}}),
    "copilot": (".github/mcp.json", {"headers": {"Authorization": "Bearer ${MEMCTL_API_KEY}"}}),
    "opencode": ("opencode.json", {"headers": {"Authorization": "Bearer {env:MEMCTL_API_KEY}"}}),
}


@pytest.fixture(autouse=True)
def _linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text()) if path.suffix == ".toml" else json.loads(path.read_text())


@pytest.mark.parametrize("client", ENTRIES)
def test_a_client_gets_its_entry_in_its_own_file(memctl: Run, home: Path, client: str) -> None:
    done = memctl(*HERE, "mcp", "install", client, "--yes")
    assert done.exit_code == 0
    table, entry = ENTRIES[client]
    path = home / FILES[client]
    assert read(path) == {table: {"memd": entry}}
    assert path.stat().st_mode & 0o777 == 0o600


def test_claude_desktop_starts_memctl_over_stdio(memctl: Run, home: Path) -> None:
    memctl(*HERE, "mcp", "install", "claude-desktop", "--yes")
    entry = read(home / FILES["claude-desktop"])["mcpServers"]["memd"]
    assert Path(entry["command"]).name == "memctl"
    assert entry["args"] == ["--url", "http://memd.test", "mcp", "stdio", "--tools", "core"]
    assert entry["env"] == {"MEMCTL_API_KEY": KEY}


def test_for_the_memd_of_this_machine_the_entry_names_its_folder_and_holds_no_key(memctl: Run, home: Path) -> None:
    folder = home / "my data"
    folder.mkdir()
    (folder / "local.key").write_text(KEY)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "memd.sock"))
        state = {"host": "127.0.0.1", "port": 9000, "socket": str(folder / "memd.sock")}
        (folder / "memd.json").write_text(json.dumps(state))
        memctl("--data-dir", str(folder), "mcp", "install", "claude-desktop", "--yes")
        memctl("--data-dir", str(folder), "mcp", "install", "cursor", "--project", "--stdio", "--yes")
    entry = read(home / FILES["claude-desktop"])["mcpServers"]["memd"]
    assert entry["args"] == ["--data-dir", str(folder), "mcp", "stdio", "--tools", "core"]
    assert "env" not in entry
    shared = read(home / "work" / ".cursor" / "mcp.json")["mcpServers"]["memd"]
    assert shared["args"][:2] == ["--url", "http://127.0.0.1:9000"]


def test_with_a_profile_memctl_finds_the_key_there(memctl: Run, home: Path) -> None:
    memctl("config", "set", "work", *HERE)
    memctl("mcp", "install", "claude-desktop", "--yes")
    entry = read(home / FILES["claude-desktop"])["mcpServers"]["memd"]
    assert entry["args"] == ["--profile", "work", "mcp", "stdio", "--tools", "core"]
    assert "env" not in entry


@pytest.mark.parametrize("client", SHARED)
def test_a_file_of_a_project_never_holds_the_key(memctl: Run, home: Path, client: str) -> None:
    memctl(*HERE, "mcp", "install", client, "--project", "--yes")
    name, part = SHARED[client]
    path = home / "work" / name
    entry = next(iter(read(path).values()))["memd"]
    assert entry | part == entry
    assert KEY not in path.read_text()


@pytest.mark.parametrize(
    ("client", "before"),
    [
        ("cursor", '{\n    "theme": "dark",\n    "mcpServers": {"other": {"command": "x"}}\n}\n'),
        ("codex", '# my settings\nmodel = "o5"\n\n[mcp_servers.other]\ncommand = "x" # mine\n'),
    ],
)
def test_everything_else_stays_and_the_old_file_is_kept(memctl: Run, home: Path, client: str, before: str) -> None:
    path = home / FILES[client]
    path.parent.mkdir(parents=True)
    path.write_text(before)
    path.chmod(0o640)
    memctl(*HERE, "mcp", "install", client, "--yes")
    table, entry = ENTRIES[client]
    after = read(path)
    assert after.pop(table) == {"other": {"command": "x"}, "memd": entry}
    assert after in ({"theme": "dark"}, {"model": "o5"})
    assert "# mine" in path.read_text() or client == "cursor"
    (copy,) = path.parent.glob("*.bak")
    assert (copy.read_text(), copy.stat().st_mode & 0o777) == (before, 0o640)
    assert path.stat().st_mode & 0o777 == 0o600, "it holds a key now"
    memctl("mcp", "uninstall", client, "--yes")
    assert {file.stat().st_mode & 0o077 for file in path.parent.glob("*.bak") if KEY in file.read_text()} == {0}


def test_a_shared_file_without_a_key_keeps_its_mode(memctl: Run, home: Path) -> None:
    path = home / "work" / ".mcp.json"
    path.write_text("{}")
    path.chmod(0o644)
    memctl(*HERE, "mcp", "install", "claude-code", "--project", "--yes")
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_web_token_is_masked(memctl: Run) -> None:
    token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJlLW9mLWFubg"
    given = ("--url", "http://memd.test", "--api-key", token)
    shown = memctl(*given, "mcp", "install", "cursor", "--print")
    assert ("…" + token[-4:] in shown.stdout, token in shown.stdout) == (True, False)
    assert token in memctl(*given, "mcp", "install", "cursor", "--print", "--show-key").stdout


@pytest.mark.usefixtures("typing")
def test_the_change_is_shown_without_the_key_and_nothing_is_written_without_a_yes(memctl: Run, home: Path) -> None:
    done = memctl(*HERE, "mcp", "install", "cursor", stdin="n\n")
    assert done.exit_code == 2
    assert '+      "url": "http://memd.test/mcp?tools=core",' in done.stderr
    assert KEY not in done.stderr
    assert KEY[-4:] in done.stderr
    assert not (home / FILES["cursor"]).exists()


def test_a_second_time_there_is_nothing_to_do(memctl: Run, home: Path) -> None:
    memctl(*HERE, "mcp", "install", "codex", "--yes")
    done = memctl(*HERE, "mcp", "install", "codex")
    assert (done.exit_code, "already" in done.stderr) == (0, True)
    assert not list((home / ".codex").glob("*.bak"))


@pytest.mark.parametrize("client", [*FILES])
def test_print_writes_the_entry_and_no_file(memctl: Run, home: Path, client: str) -> None:
    done = memctl(*HERE, "mcp", "install", client, "--print")
    text = tomllib.loads(done.stdout) if client == "codex" else json.loads(done.stdout)
    assert "memd" in next(iter(text.values()))
    assert not (home / FILES[client]).exists()


DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    ("client", "content"),
    [
        ("cursor", "{mcpServers: {}}"),
        ("cursor", "{} {}"),
        ("cursor", "[1]"),
        ("cursor", '{"mcpServers": []}'),
        ("cursor", f'{{"a": {DEEP}}}'),
        ("codex", f"a = {DEEP}"),
        ("codex", "mcp_servers = 1"),
        ("codex", "a = 1\na = 2"),
    ],
    ids=["bare name", "two", "list", "list of servers", "deep", "deep TOML", "no table", "a name twice"],
)
def test_settings_that_are_not_understood_stay_as_they_are(memctl: Run, home: Path, client: str, content: str) -> None:
    path = home / FILES[client]
    path.parent.mkdir()
    path.write_text(content)
    done = memctl(*HERE, "mcp", "install", client, "--yes")
    assert (done.exit_code, path.read_text()) == (2, content)
    assert f"{path} stays as it is" in done.stderr
    assert "--print shows it" in done.stderr
    assert memctl("mcp", "uninstall", client, "--yes").exit_code in {0, 2}
    assert (memctl("mcp", "list").exit_code, path.read_text()) == (0, content)


def test_without_a_key_there_is_nothing_to_install(memctl: Run) -> None:
    assert memctl("mcp", "install", "cursor", "--yes").exit_code == 4


@pytest.mark.parametrize(("client", "kind"), [("vscode", "stdio"), ("opencode", "local"), ("zed", None)])
def test_a_program_that_is_started_has_the_entry_of_its_client(memctl: Run, home: Path, client: str, kind: str) -> None:
    memctl(*HERE, "mcp", "install", client, "--stdio", "--yes")
    entry = read(home / FILES[client])[ENTRIES[client][0]]["memd"]
    assert entry.get("type") == kind
    words = entry["command"] if client == "opencode" else [entry["command"], *entry["args"]]
    assert words[1:] == ["--url", "http://memd.test", "mcp", "stdio", "--tools", "core"]
    assert entry["environment" if client == "opencode" else "env"] == {"MEMCTL_API_KEY": KEY}


@pytest.mark.parametrize("client", FILES)
def test_uninstall_removes_our_entry_alone(memctl: Run, home: Path, client: str) -> None:
    path = home / FILES[client]
    assert "has no entry memd" in memctl("mcp", "uninstall", client, "--yes").stderr
    memctl(*HERE, "mcp", "install", client, "--name", "other", "--yes")
    before = read(path)
    memctl(*HERE, "mcp", "install", client, "--yes")
    dry = memctl("mcp", "uninstall", client, "--dry-run")
    assert ("memd" in dry.stdout, KEY in dry.stdout, "memd" in path.read_text()) == (True, False, True)
    assert memctl("mcp", "uninstall", client, "--yes").exit_code == 0
    assert read(path) == before
    memctl("mcp", "uninstall", client, "--name", "other", "--yes")
    assert read(path) == {}


def test_a_file_of_a_project_holds_no_key_over_stdio_either(memctl: Run, home: Path) -> None:
    memctl(*HERE, "mcp", "install", "cursor", "--project", "--stdio", "--yes")
    assert KEY not in (home / "work" / ".cursor" / "mcp.json").read_text()


def test_list_shows_where_memd_is(memctl: Run, home: Path) -> None:
    assert memctl("mcp", "list").stdout == ""
    memctl(*HERE, "mcp", "install", "codex", "--yes")
    memctl(*HERE, "mcp", "install", "cursor", "--project", "--stdio", "--yes")
    (home / ".claude.json").write_text("no JSON")
    done = memctl("mcp", "list")
    assert done.stdout.splitlines() == [
        f"Codex: {home / FILES['codex']}: http://memd.test/mcp?tools=core",
        "Cursor: .cursor/mcp.json: memctl mcp stdio",
    ]
    assert "Claude Code" in done.stderr


def test_list_shows_a_file_once(memctl: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memctl(*HERE, "mcp", "install", "cursor", "--yes")
    monkeypatch.chdir(home)
    assert memctl("mcp", "list").stdout == f"Cursor: {home / FILES['cursor']}: http://memd.test/mcp?tools=core\n"


def test_every_tool_is_listed_when_asked_for(memctl: Run, home: Path) -> None:
    memctl(*HERE, "mcp", "install", "cursor", "--tools", "all", "--yes")
    assert read(home / FILES["cursor"])["mcpServers"]["memd"]["url"] == "http://memd.test/mcp"
    memctl(*HERE, "mcp", "install", "claude-desktop", "--tools", "all", "--yes")
    entry = read(home / FILES["claude-desktop"])["mcpServers"]["memd"]
    assert entry["args"] == ["--url", "http://memd.test", "mcp", "stdio"]


def test_secrets_of_other_servers_are_not_shown_and_stay_in_the_file(memctl: Run, home: Path) -> None:
    path = home / FILES["cursor"]
    path.parent.mkdir()
    path.write_text('{"mcpServers": {"other": {"url": "https://x", "headers": {"X-Api-Key": "zx-hunter-2"}}}}')
    done = memctl(*HERE, "mcp", "install", "cursor", "--yes")
    assert "X-Api-Key" in done.output
    assert "hunter" not in done.output
    assert read(path)["mcpServers"]["other"]["headers"] == {"X-Api-Key": "zx-hunter-2"}
    assert "hunter" not in memctl("mcp", "uninstall", "cursor", "--dry-run").output


def test_a_dry_run_without_an_entry_says_so(memctl: Run) -> None:
    done = memctl("mcp", "uninstall", "vscode", "--project", "--dry-run")
    assert (done.exit_code, done.stdout, "has no entry memd" in done.stderr) == (0, "", True)


def test_changes_within_a_second_keep_a_copy_each(memctl: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memctl.mcp_settings.time.strftime", lambda _form: "20261128-124824")
    path = home / FILES["cursor"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"theirs": 1}')
    for end_user in ("ann", "bob"):
        memctl(*HERE, "--as", end_user, "mcp", "install", "cursor", "--yes")
    copies = sorted(path.parent.glob("*.bak"), key=lambda copy: len(copy.name))
    assert ["ann" in copy.read_text() for copy in copies] == [False, True]
