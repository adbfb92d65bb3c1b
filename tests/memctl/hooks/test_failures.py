"""Failures inside a hook stay in its log: the agent sees exit code 0 and no output."""

import asyncio
import json
import socket
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from memctl.hooks import exchange, transcripts
from memctl.hooks.events import Message
from memctl.hooks.transcripts import newest
from memctl.settings import Connection
from memctl.wire.limits import BODY_MAX_BYTES
from tests.support.agents import Agent, Gate, has_failed
from tests.support.loopback import LoopbackHandler, LoopbackServer, answering
from tests.support.service import TestUser
from tests.support.waiting import until

FACT = "The release is called Bernina."
STOP = {"session_id": "s1", "hook_event_name": "Stop", "last_assistant_message": "Noted."}
END = {"session_id": "s1", "hook_event_name": "SessionEnd", "reason": "other"}
STUCK = """
import os, pathlib, time
def stuck(*arguments, **options):
    while not pathlib.Path({release!r}).exists():
        time.sleep(0.01)
    return before(*arguments, **options)
import {module}
before, {module}.{name} = {module}.{name}, stuck
"""
"""A program of Python in which a function of the system does not return before a file is there."""


def stick(agent: Agent, module: str, name: str) -> Path:
    """Make a function of the system block in the hooks of this agent; the file whose creation releases it."""
    release = agent.home / "release"
    folder = agent.home / "stuck"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(STUCK.format(release=str(release), module=module, name=name))
    agent.variables |= {"PYTHONPATH": str(folder), "MEMCTL_HOOKS_TIMEOUT_MS": "300"}
    return release


@pytest.mark.parametrize(
    ("arguments", "document"),
    [
        (["prompt"], ""),
        (["prompt"], "no JSON"),
        (["prompt"], "[1]"),
        (["prompt"], "{}"),
        (["prompt"], '{"session_id": 3}'),
        (["prompt", "--budget", "1000000"], "{}"),
        (["prompt", "--unknown"], "{}"),
        (["lunch"], "{}"),
        (["turn-end", "--profile", "nobody"], '{"session_id": "s"}'),
        (["turn-end", "--url", "ftp://nowhere"], '{"session_id": "s"}'),
        (["compaction"], '{"session_id": "\\ud800\\u0000", "transcript_path": "\\u0000"}'),
        (["turn-end"], '{"session_id": "s", "last_assistant_message": ["not text"]}'),
    ],
)
async def test_nothing_that_is_wrong_shows_in_the_agent(agent: Agent, arguments: list[str], document: str) -> None:
    done = await agent.hook(arguments[0], document, *arguments[1:])
    assert done.stdout == ""
    assert agent.log


async def test_a_turn_without_an_answer_is_logged_as_not_stored(agent: Agent) -> None:
    await agent.hook("turn-end", '{"session_id": "s", "stop_hook_active": false}')
    assert agent.log[-1].startswith("claude-code turn-end ok, nothing to store: the event has no answer")


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", b"SSH-2.0-other\r\n"])
async def test_a_server_that_is_not_memd_gets_nothing_accepted(agent: Agent, answer: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1 << 16)
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        agent.variables["MEMCTL_URL"] = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        assert await agent.context("prompt", "UserPromptSubmit", {"session_id": "s", "prompt": FACT}) == ""
        await agent.hook("turn-end", {"session_id": "s", "last_assistant_message": "Noted."})
        await until(lambda: has_failed(agent))
    assert len(agent.waiting) == 1
    assert any("prompt error" in line for line in agent.log)


async def test_an_agent_does_not_wait_for_a_server_that_never_answers(agent: Agent) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        agent.variables |= {
            "MEMCTL_URL": f"http://127.0.0.1:{silent.getsockname()[1]}",
            "MEMCTL_HOOKS_TIMEOUT_MS": "300",
        }
        assert await agent.context("prompt", "UserPromptSubmit", {"session_id": "s", "prompt": FACT}) == ""
    assert agent.log[-1].startswith("claude-code prompt error")


async def test_the_log_has_neither_prompts_nor_answers_and_stays_small(agent: Agent, way: Gate) -> None:
    agent.state.folder.mkdir(parents=True)
    agent.state.log.write_text("x" * 300_000)
    await agent.turn("s1", 1, FACT, "A confidential answer")
    await agent.delivered()
    way.is_open = False
    await agent.turn("s1", 2, FACT, "A confidential answer")
    assert "Bernina" not in str(agent.log)
    assert "confidential" not in str(agent.log)
    assert agent.state.log.stat().st_size < 10_000


async def test_an_agent_does_not_wait_for_a_name_server_that_never_answers(agent: Agent) -> None:
    release = stick(agent, "socket", "getaddrinfo")
    agent.variables["MEMCTL_URL"] = "http://localhost:9"
    assert await agent.context("prompt", "UserPromptSubmit", {"session_id": "s", "prompt": FACT}) == ""
    assert agent.log[-1].startswith("claude-code prompt error gave up")
    release.touch()
    await until(lambda: "after the deadline" in agent.log[-1])


async def test_a_disk_that_is_slower_than_the_deadline_loses_no_turn(agent: Agent, user: TestUser) -> None:
    release = stick(agent, "os", "fsync")
    await agent.hook("turn-end", STOP)
    assert agent.log == [line for line in agent.log if line.startswith("claude-code turn-end error gave up")]
    release.touch()
    await until(lambda: "claude-code delivery of turn ok" in agent.log)
    reply = await user.http.post("/api/mcp/recent-messages", json={"limit": 10, "allChannels": True})
    assert [row["content"] for row in reply.json()["messages"]] == ["Noted."]


async def test_a_transcript_that_is_gone_is_an_error_of_the_log(agent: Agent, way: Gate) -> None:
    transcript = agent.home / "s1.jsonl"
    transcript.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": FACT}}))
    way.is_open = False
    await agent.hook("session-end", {**END, "transcript_path": str(transcript)})
    await until(lambda: any("delivery of snapshot error" in line for line in agent.log))
    transcript.unlink()
    way.is_open = True
    await agent.hook("turn-end", STOP)
    await agent.delivered()
    lost = [line for line in agent.log if "lost: the transcript is gone" in line]
    assert [line.split(" error", 1)[0] for line in lost] == [
        f"claude-code delivery of {kind}" for kind in ("snapshot", "checkpoint")
    ]


async def test_what_memd_refuses_is_set_aside_and_can_be_sent_again(agent: Agent, way: Gate, user: TestUser) -> None:
    way.refused = {"/api/mcp/turn": 403}
    await agent.hook("turn-end", STOP)
    await until(lambda: any("error refused: 403" in line for line in agent.log))
    assert agent.waiting == []
    agent.variables["MEMCTL_STATE_DIR"] = str(agent.home / "state")
    status = await agent.memctl("hooks", "status")
    assert f"1 entry refused by {way.url}, the last with 403 refused by the gate" in status
    assert await agent.memctl("hooks", "retry") == "1 entry will be sent again\n"
    await agent.hook("session-start", {"session_id": "s2", "hook_event_name": "SessionStart"})
    await agent.delivered()
    reply = await user.http.post("/api/mcp/recent-messages", json={"limit": 10, "allChannels": True})
    assert [row["content"] for row in reply.json()["messages"]] == ["Noted."]


async def test_a_look_up_that_fails_is_tried_again_and_stores_nothing_twice(
    agent: Agent, way: Gate, user: TestUser
) -> None:
    transcript = agent.home / "s1.jsonl"
    transcript.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": FACT}}))
    way.lost, way.refused = {"/api/mcp/snapshot"}, {"/api/snapshots": 503}
    await agent.hook("session-end", {**END, "transcript_path": str(transcript)})
    while agent.waiting:  # the first attempt ends at the lost answer, the second at the look-up
        seen = len(agent.log)
        await agent.hook("turn-end", {"session_id": "s2", "hook_event_name": "Stop"})
        await until(lambda seen=seen: any("delivery" in line for line in agent.log[seen:]))
    assert (way.lost, way.refused) == (set(), {})
    snapshots = (await user.http.get("/api/snapshots", params={"sessionKey": "s1"})).json()["snapshots"]
    assert [row["messageCount"] for row in snapshots] == [1]


async def test_the_folders_are_for_their_owner_alone_without_an_installation(agent: Agent, way: Gate) -> None:
    way.is_open = False
    await agent.turn("s1", 1, FACT, "Noted.")
    await until(lambda: has_failed(agent))
    found = [agent.home / "state", *(agent.home / "state").rglob("*")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in found if path.is_dir()} == {0o700}


@pytest.mark.parametrize("character", ["a", "漢", "😀", "\u0001", '"'])
def test_a_snapshot_in_any_script_is_smaller_than_memd_takes(monkeypatch: pytest.MonkeyPatch, character: str) -> None:
    assert transcripts.SENT_BYTES < BODY_MAX_BYTES - 1_000_000
    monkeypatch.setattr(transcripts, "SENT_BYTES", 5_000)
    kept = newest(Message("user", character * 100) for _ in range(100))
    sent = json.dumps([message.as_body() for message in kept], ensure_ascii=False).encode()
    assert 4_000 < len(sent) < 5_100


class Endless(LoopbackHandler):
    """A server whose replies have no end."""

    def answer(self) -> None:
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):
            while True:
                self.wfile.write(b" " * 65_536)


def test_a_reply_without_end_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "MAX_REPLY_BYTES", 1 << 20)
    with answering(LoopbackServer(Endless)) as server:
        target = Connection(server.address, "k", "", "")
        assert exchange.send(target, "/api/mcp/wake", None, 5) == exchange.Answer(200, {})
