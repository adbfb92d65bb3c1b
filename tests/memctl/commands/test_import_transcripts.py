"""`memctl import transcripts`: the sessions that coding agents kept before they had hooks."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.memctl.commands.test_imports import history, imported
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser

AT = "2026-11-20T10:00:00.000Z"
MS = 1_795_168_800_000
CLAUDE: list[dict[str, Any]] = [
    {"type": "queue-operation", "operation": "enqueue", "sessionId": "s1", "content": "The release is called Bernina."},
    {"type": "user", "sessionId": "s1", "cwd": "/home/ann/shop", "timestamp": AT, "uuid": "u1"}
    | {"message": {"role": "user", "content": "<command-name>/clear</command-name>"}},
    {"type": "user", "sessionId": "s1", "cwd": "/home/ann/shop", "timestamp": AT, "uuid": "u2"}
    | {"message": {"role": "user", "content": "The release is called Bernina."}},
    {"type": "assistant", "sessionId": "s1", "cwd": "/home/ann/shop", "timestamp": AT, "uuid": "u3"}
    | {"message": {"role": "assistant", "content": [{"type": "text", "text": "Noted."}]}},
]
CODEX: list[dict[str, Any]] = [
    {"timestamp": AT, "type": "session_meta", "payload": {"id": "s1", "cwd": "/home/ann/shop"}},
    {"timestamp": AT, "type": "event_msg"}
    | {"payload": {"type": "user_message", "message": "The release is called Bernina."}},
    {"timestamp": AT, "type": "event_msg", "payload": {"type": "agent_message", "message": "Noted."}},
]
COPILOT: list[dict[str, Any]] = [
    {"type": "session.start", "data": {"sessionId": "s1", "context": {"cwd": "/home/ann/shop"}}, "timestamp": AT},
    {"type": "user.message", "data": {"content": "The release is called Bernina."}, "timestamp": AT},
    {"type": "assistant.message", "data": {"content": "Noted."}, "timestamp": AT},
]
GEMINI: list[dict[str, Any]] = [
    {"sessionId": "s1", "projectHash": "0a75", "kind": "main"},
    {"type": "user", "content": [{"text": "The release is called Bernina."}], "timestamp": AT},
    {"type": "gemini", "content": "Noted.", "thoughts": []},
]


def write(home: Path, name: str, rows: list[dict[str, Any]]) -> str:
    path = home / "work" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return name


@pytest.mark.parametrize(
    ("rows", "channel"),
    [
        (CLAUDE, "claude-code:/home/ann/shop"),
        (CODEX, "codex:/home/ann/shop"),
        (COPILOT, "copilot:/home/ann/shop"),
        (GEMINI, "gemini-cli"),
    ],
    ids=["claude-code", "codex", "copilot", "gemini-cli"],
)
async def test_a_session_is_where_the_hooks_of_its_agent_would_have_put_it(
    terminal: Terminal, user: TestUser, home: Path, rows: list[dict[str, Any]], channel: str
) -> None:
    name = write(home, "session.jsonl", rows)
    assert (await imported(terminal, user, "transcripts", name))["messages"] == {"new": 2, "known": 0}
    assert (await imported(terminal, user, "transcripts", name))["messages"] == {"new": 0, "known": 2}
    said = await history(user)
    assert [row["content"] for row in said] == ["The release is called Bernina.", "Noted."]
    assert {(row["channel"], row["sessionKey"], row["timestamp"]) for row in said} == {(channel, "s1", MS)}


async def test_a_channel_may_name_the_folder_of_each_project(terminal: Terminal, user: TestUser, home: Path) -> None:
    write(home, "agents/one.jsonl", CLAUDE)
    write(home, "agents/two.jsonl", CODEX)
    write(home, "agents/three.jsonl", GEMINI)
    await imported(terminal, user, "transcripts", "agents", "--channel", "team:{folder}")
    assert {row["channel"] for row in await history(user)} == {"team:/home/ann/shop", "team:gemini-cli"}


async def test_a_folder_is_read_with_all_in_it_and_a_session_may_go_on(
    terminal: Terminal, user: TestUser, home: Path
) -> None:
    write(home, "agents/shop/one.jsonl", CLAUDE)
    write(home, "agents/rollout.jsonl", CODEX)
    (home / "work" / "agents" / "settings.json").write_text('{"theme": "dark"}')
    assert (await imported(terminal, user, "transcripts", "agents"))["messages"] == {"new": 4, "known": 0}
    later = {**CLAUDE[2], "message": {"role": "user", "content": "It is on Monday."}}
    write(home, "agents/shop/one.jsonl", [*CLAUDE, later])
    again = await imported(terminal, user, "transcripts", "agents", "--channel", "claude-code:/home/ann/shop")
    assert again["messages"]["new"] >= 1
    assert [row["content"] for row in await history(user)].count("It is on Monday.") == 1


async def test_a_session_of_gemini_cli_may_be_one_document(terminal: Terminal, user: TestUser, home: Path) -> None:
    head, *said = GEMINI
    (home / "work" / "session.json").write_text(json.dumps({**head, "messages": said}, indent=2))
    assert (await imported(terminal, user, "transcripts", "session.json"))["messages"] == {"new": 2, "known": 0}
    assert {(row["channel"], row["sessionKey"]) for row in await history(user)} == {("gemini-cli", "s1")}


async def test_what_cannot_be_read_in_a_folder_does_not_keep_the_rest_out(
    terminal: Terminal, user: TestUser, home: Path
) -> None:
    write(home, "agents/one.jsonl", CLAUDE)
    folder = home / "work" / "agents"
    (folder / "deep.jsonl").write_text("[" * 200_000 + "\n")
    (folder / "folder.json").mkdir()
    (folder / "gone.json").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.jsonl")
    assert (await imported(terminal, user, "transcripts", "agents"))["messages"] == {"new": 2, "known": 0}


async def test_another_file_is_refused_with_the_names_of_the_agents(
    terminal: Terminal, user: TestUser, home: Path
) -> None:
    (home / "work" / "notes.jsonl").write_text('{"title": "T", "content": "C"}\n')
    done = await terminal(user, "import", "transcripts", "notes.jsonl")
    assert done.exit_code == 2
    assert "not a transcript of Claude Code, Codex, Gemini CLI or Copilot CLI" in done.stderr
    assert await history(user) == []


@pytest.mark.parametrize(
    "rows", [CLAUDE, CODEX, COPILOT, GEMINI], ids=["claude-code", "codex", "copilot", "gemini-cli"]
)
async def test_a_transcript_among_json_lines_is_refused_with_the_command_for_it(
    terminal: Terminal, user: TestUser, home: Path, rows: list[dict[str, Any]]
) -> None:
    done = await terminal(user, "import", "jsonl", write(home, "session.jsonl", rows))
    assert done.exit_code == 2
    assert "use: memctl import transcripts session.jsonl" in done.stderr
    assert (await user.http.get("/api/memories?pageSize=10")).json()["memories"] == []


async def test_projects_deep_in_the_file_system_have_channels_of_their_own(
    terminal: Terminal, user: TestUser, home: Path
) -> None:
    folder = "/home" + "/deep" * 120
    for name in ("one", "two"):
        rows = [{**row, "sessionId": name, "cwd": f"{folder}/{name}"} for row in CLAUDE]
        await imported(terminal, user, "transcripts", write(home, f"{name}.jsonl", rows))
    assert len({row["channel"] for row in await history(user)}) == 2
