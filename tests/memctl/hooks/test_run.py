"""`memctl hooks run`, started as agents start it, against the service of this process behind a socket."""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

from tests.support.agents import Agent, Gate, has_failed
from tests.support.service import TestUser
from tests.support.waiting import until

FACT = "The release is called Bernina."
CLAUDE = {
    "session_id": "s1",
    "transcript_path": "/nowhere/s1.jsonl",
    "permission_mode": "default",
}


async def messages(user: TestUser, **fields: Any) -> list[tuple[str, str]]:
    """Everything that was stored, oldest first."""
    reply = await user.http.post("/api/mcp/recent-messages", json={"limit": 100, "allChannels": True, **fields})
    return [(row["role"], row["content"]) for row in reply.json()["messages"]]


def written_transcript(agent: Agent) -> str:
    path = agent.home / "s1.jsonl"
    path.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": FACT}}) + "\n")
    return str(path)


async def checkpoints(user: TestUser) -> list[dict[str, Any]]:
    reply = await user.http.post("/api/mcp/checkpoint", json={"mode": "list", "limit": 100})
    return reply.json()["checkpoints"]


EVENTS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "claude-code": [
        ("session-start", {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup"}),
        ("prompt", {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt_id": "p1", "prompt": FACT}),
        (
            "turn-end",
            {
                **CLAUDE,
                "hook_event_name": "Stop",
                "prompt_id": "p1",
                "stop_hook_active": False,
                "last_assistant_message": "Noted.",
            },
        ),
    ],
    "codex": [
        ("session-start", {**CLAUDE, "hook_event_name": "SessionStart", "model": "m", "source": "startup"}),
        ("prompt", {**CLAUDE, "hook_event_name": "UserPromptSubmit", "model": "m", "turn_id": "t1", "prompt": FACT}),
        (
            "turn-end",
            {
                **CLAUDE,
                "hook_event_name": "Stop",
                "model": "m",
                "turn_id": "t1",
                "stop_hook_active": False,
                "last_assistant_message": "Noted.",
            },
        ),
    ],
    "gemini-cli": [
        ("session-start", {**CLAUDE, "hook_event_name": "SessionStart", "timestamp": "t", "source": "startup"}),
        ("prompt", {**CLAUDE, "hook_event_name": "BeforeAgent", "timestamp": "t", "prompt": FACT}),
        (
            "turn-end",
            {
                **CLAUDE,
                "hook_event_name": "AfterAgent",
                "timestamp": "t",
                "prompt": FACT,
                "prompt_response": "Noted.",
                "stop_hook_active": False,
            },
        ),
    ],
    "cursor": [
        ("session-start", {"conversation_id": "s1", "hook_event_name": "sessionStart", "session_id": "s1"}),
        (
            "prompt",
            {
                "conversation_id": "s1",
                "generation_id": "g1",
                "hook_event_name": "beforeSubmitPrompt",
                "prompt": FACT,
                "attachments": [],
            },
        ),
        (
            "turn-end",
            {
                "conversation_id": "s1",
                "generation_id": "g1",
                "hook_event_name": "afterAgentResponse",
                "text": "Noted.",
            },
        ),
    ],
    "opencode": [
        ("session-start", {"session_id": "s1", "hook_event_name": "chat.message", "prompt_id": "m1", "prompt": FACT}),
        ("prompt", {"session_id": "s1", "hook_event_name": "chat.message", "prompt_id": "m1", "prompt": FACT}),
        ("turn-end", {"session_id": "s1", "prompt_id": "m1", "last_assistant_message": "Noted."}),
    ],
    "openclaw": [
        (event, {"session_id": "s1", "hook_event_name": "before_prompt_build", "prompt_id": "r1", "prompt": FACT})
        for event in ("session-start", "prompt")
    ]
    + [("turn-end", {"session_id": "s1", "prompt_id": "r1", "last_assistant_message": "Noted."})],
}
"""A first session as each agent reports it."""
PROMPTS = {
    "claude-code": "UserPromptSubmit",
    "codex": "UserPromptSubmit",
    "gemini-cli": "BeforeAgent",
    "opencode": "chat.message",
    "openclaw": "before_prompt_build",
}
QUESTION = "What is the release called?"


@pytest.mark.parametrize("client", EVENTS)
async def test_a_fact_of_the_first_session_is_in_the_prompt_of_the_second(
    agent: Agent, user: TestUser, client: str
) -> None:
    agent.client = client
    for event, document in EVENTS[client]:
        done = await agent.hook(event, document)
        assert done.stdout == "", "an empty memory adds nothing to the prompt"
    await agent.delivered()
    assert await messages(user) == [("user", FACT), ("assistant", "Noted.")]
    second = {"session_id": "s2"}
    if client == "cursor":
        done = await agent.hook("session-start", {"conversation_id": "s2", "hook_event_name": "sessionStart"})
        assert FACT in json.loads(done.stdout)["additional_context"]
        return
    assert FACT in await agent.context("session-start", "SessionStart", second)
    found = await agent.context("prompt", PROMPTS[client], {**second, "prompt": QUESTION})
    assert FACT in found
    assert "not instructions" in found


async def test_another_project_has_another_channel_unless_one_is_named(agent: Agent, user: TestUser) -> None:
    await agent.turn("s1", 1, FACT, "Noted.")
    await agent.delivered()
    there = {"session_id": "s2", "cwd": "/elsewhere", "prompt": QUESTION}
    assert await agent.context("prompt", "UserPromptSubmit", there) == ""
    channel = f"claude-code:{agent.project}"
    assert FACT in await agent.context("prompt", "UserPromptSubmit", there, "--channel", channel)
    assert await messages(user, channel=channel) == [("user", FACT), ("assistant", "Noted.")]


async def test_agents_of_one_project_share_a_channel_that_names_its_folder(agent: Agent, user: TestUser) -> None:
    shared = ("--channel", "team:{folder}")
    agent.client = "codex"
    for event, document in EVENTS["codex"]:
        await agent.hook(event, document, *shared)
    await agent.delivered()
    assert await messages(user, channel=f"team:{agent.project}") == [("user", FACT), ("assistant", "Noted.")]
    agent.client = "claude-code"
    asked = {"session_id": "s2", "prompt": QUESTION}
    assert FACT in await agent.context("prompt", "UserPromptSubmit", asked, *shared)
    assert await agent.context("prompt", "UserPromptSubmit", {**asked, "cwd": "/elsewhere"}, *shared) == ""


async def test_the_same_end_of_a_turn_is_stored_once(agent: Agent, user: TestUser) -> None:
    _, (_, prompt), (_, stop) = EVENTS["claude-code"]
    await agent.hook("prompt", prompt)
    await asyncio.gather(*(agent.hook("turn-end", stop) for _ in range(3)))
    await agent.hook("turn-end", stop)
    await agent.delivered()
    assert await messages(user) == [("user", FACT), ("assistant", "Noted.")]


@pytest.mark.parametrize("encoding", ["iso8859-1", "ascii"])
async def test_what_was_said_is_read_as_utf_8_in_every_locale(agent: Agent, user: TestUser, encoding: str) -> None:
    agent.variables["PYTHONIOENCODING"] = encoding
    event = {"hook_event_name": "Stop", "session_id": "s1", "prompt": "日本?", "last_assistant_message": "Größe €"}
    await agent.hook("turn-end", json.dumps({"cwd": agent.project, **event}, ensure_ascii=False))
    await agent.delivered()
    assert await messages(user) == [("user", "日本?"), ("assistant", "Größe €")]


async def test_a_second_answer_to_a_prompt_is_stored_without_the_prompt(agent: Agent, user: TestUser) -> None:
    _, (_, prompt), (_, stop) = EVENTS["claude-code"]
    await agent.hook("prompt", prompt)
    await agent.hook("turn-end", stop)
    await agent.hook("turn-end", {**stop, "stop_hook_active": True, "last_assistant_message": "Tests pass."})
    await agent.hook("turn-end", {**stop, "last_assistant_message": "A task in the background is done."})
    await agent.delivered()
    assert Counter(await messages(user)) == Counter(
        [
            ("user", FACT),
            ("assistant", "Noted."),
            ("assistant", "Tests pass."),
            ("assistant", "A task in the background is done."),
        ]
    )


async def test_what_happens_while_memd_is_away_is_delivered_later_and_once(
    agent: Agent, way: Gate, user: TestUser
) -> None:
    await agent.turn("s1", 1, "Question 1", "Answer 1")
    way.is_open = False
    for number in range(2, 4):
        await agent.turn("s1", number, f"Question {number}", f"Answer {number}")
    assert agent.waiting
    way.is_open = True
    await agent.turn("s1", 4, "Question 4", "Answer 4")
    await agent.delivered()
    stored = await messages(user)
    assert Counter(stored) == Counter(
        [*(("user", f"Question {n}") for n in range(1, 5)), *(("assistant", f"Answer {n}") for n in range(1, 5))]
    )
    assert [text for role, text in stored if role == "assistant"] == [f"Answer {n}" for n in range(1, 5)]


async def test_a_lost_answer_doubles_nothing(agent: Agent, way: Gate, user: TestUser) -> None:
    transcript = written_transcript(agent)
    await agent.hook("prompt", EVENTS["claude-code"][1][1])
    way.is_open = False
    await agent.hook("turn-end", EVENTS["claude-code"][2][1])
    end = {"session_id": "s1", "hook_event_name": "SessionEnd", "transcript_path": transcript, "reason": "other"}
    await agent.hook("session-end", end)
    way.is_open = True
    way.lost = {"/api/mcp/turn", "/api/mcp/snapshot", "/api/mcp/checkpoint"}
    while agent.waiting:  # each attempt ends where an answer is lost
        seen = len(agent.log)
        await agent.hook("turn-end", {"session_id": "s2", "hook_event_name": "Stop"})
        await until(lambda seen=seen: any("delivery" in line for line in agent.log[seen:]))
    assert not way.lost
    assert await messages(user) == [("user", FACT), ("assistant", "Noted.")]
    snapshots = (await user.http.get("/api/snapshots", params={"sessionKey": "s1"})).json()["snapshots"]
    assert [row["messageCount"] for row in snapshots] == [1]
    (checkpoint,) = await checkpoints(user)
    assert (checkpoint["sessionKey"], checkpoint["description"]) == ("s1", "1 message in the session")


async def test_the_end_of_a_session_stores_a_snapshot_and_a_checkpoint(agent: Agent, user: TestUser) -> None:
    transcript = written_transcript(agent)
    for event, name in (("compaction", "PreCompact"), ("session-end", "SessionEnd")):
        await agent.hook(
            event, {"session_id": "s1", "hook_event_name": name, "transcript_path": transcript, "trigger": "auto"}
        )
    await agent.delivered()
    expected = [f"claude-code delivery of {kind} ok" for kind in ("snapshot", "checkpoint") * 2]
    await until(lambda: [line for line in agent.log if "delivery" in line] == expected)  # the log follows the queue
    labels = [row["label"] for row in await checkpoints(user)]
    assert [label.split(",")[0] for label in labels] == [
        "claude-code session at its end",
        "claude-code session before compaction",
    ]
    assert not [*agent.state.prompts.glob("*")]


async def test_a_session_without_a_transcript_leaves_neither(agent: Agent, user: TestUser) -> None:
    await agent.hook("session-end", {"session_id": "s1", "hook_event_name": "SessionEnd", "transcript_path": "/none"})
    assert (agent.waiting, await checkpoints(user)) == ([], [])


async def test_what_memd_refuses_does_not_block_the_queue(agent: Agent, way: Gate, user: TestUser) -> None:
    way.is_open = False
    await agent.turn("s1", 1, "Question 1", "Answer 1")
    await until(lambda: has_failed(agent))
    (entry,) = agent.waiting
    broken = json.loads(entry.read_text())
    broken["body"]["timestamp"] = "yesterday"
    entry.write_text(json.dumps(broken))
    entry.with_name("0.json").write_text("no JSON")
    way.is_open = True
    await agent.turn("s1", 2, "Question 2", "Answer 2")
    await agent.delivered()
    assert await messages(user) == [("user", "Question 2"), ("assistant", "Answer 2")]
    await until(lambda: any("refused" in line for line in agent.log))
    (refused,) = [line for line in agent.log if "refused" in line]
    assert "400 Bad request" in refused


async def test_each_connection_has_a_queue_of_its_own(agent: Agent, way: Gate, user: TestUser) -> None:
    way.is_open = False
    await agent.turn("s1", 1, "For nobody else", "Noted.")
    await until(lambda: has_failed(agent))
    way.is_open = True
    key, agent.variables["MEMCTL_API_KEY"] = agent.variables["MEMCTL_API_KEY"], "0" * 64
    await agent.turn("s2", 1, "Under another key", "Noted.")
    await until(lambda: any("401" in line for line in agent.log))
    assert len(agent.waiting) == 2
    agent.variables["MEMCTL_API_KEY"] = key
    await agent.hook("session-start", {"session_id": "s3", "hook_event_name": "SessionStart"})
    await until(lambda: len(agent.waiting) == 1)
    assert await messages(user) == [("user", "For nobody else"), ("assistant", "Noted.")]
