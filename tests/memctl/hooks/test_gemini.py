"""What Gemini CLI 0.61 reports that its documentation does not say."""

import json
from pathlib import Path
from typing import Any

import pytest

from memctl.hooks.events import Message
from memctl.hooks.transcripts import read_transcript
from tests.support.agents import Agent
from tests.support.service import TestUser

FACT = "The release is called Bernina."
ADDED = "<hook_context>Memory briefing: &lt;none&gt;\n\nLast session: our favourite tea is sencha.</hook_context>"


@pytest.fixture
def gemini(agent: Agent) -> Agent:
    agent.client = "gemini-cli"
    return agent


def transcript(agent: Agent) -> Path:
    """A session of a prompt with what hooks added before and after it."""
    path = agent.home / "session.jsonl"
    records: list[Any] = [
        {"sessionId": "s1", "kind": "main"},
        {"type": "user", "content": [{"text": ADDED}]},
        {"type": "user", "content": [{"text": f"{ADDED}\n\n{FACT}"}, {"text": ADDED}]},
        {"$set": {"lastUpdated": "2026-11-28T08:47:53.585Z"}},
        {"type": "gemini", "content": "Noted.", "thoughts": []},
    ]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


async def test_a_prompt_with_the_briefing_in_it_is_stored_without_it(gemini: Agent, user: TestUser) -> None:
    prompt = {"session_id": "s1", "prompt": f"{ADDED}\n\n{FACT}"}
    await gemini.hook("prompt", {**prompt, "hook_event_name": "BeforeAgent"})
    await gemini.hook("turn-end", {**prompt, "hook_event_name": "AfterAgent", "prompt_response": "Noted."})
    await gemini.delivered()
    reply = await user.http.post("/api/mcp/recent-messages", json={"limit": 10, "allChannels": True})
    assert [row["content"] for row in reply.json()["messages"]] == [FACT, "Noted."]


async def test_the_context_of_a_prompt_is_that_of_the_users_words(gemini: Agent, user: TestUser) -> None:
    await user.http.post("/api/mcp/capture", json={"title": "Tea", "content": "Our favourite tea is sencha."})
    asked = {"session_id": "s1", "hook_event_name": "BeforeAgent", "prompt": f"{ADDED}\n\nWhere do bears sleep?"}
    assert (await gemini.hook("prompt", asked)).stdout == ""


def test_a_transcript_is_read_without_what_hooks_added(gemini: Agent) -> None:
    assert read_transcript(transcript(gemini), None) == [Message("user", FACT), Message("assistant", "Noted.")]


def test_a_tag_within_the_words_of_the_user_stays(tmp_path: Path) -> None:
    said = "Why does <hook_context>this</hook_context> appear?"
    path = tmp_path / "session.jsonl"
    path.write_text(json.dumps({"type": "user", "content": said}) + "\n")
    assert read_transcript(path, None) == [Message("user", said)]


@pytest.mark.parametrize(("trigger", "stored"), [("auto", 0), ("manual", 1)])
async def test_a_compaction_that_may_not_take_place_stores_nothing(
    gemini: Agent, user: TestUser, trigger: str, stored: int
) -> None:
    event = {"session_id": "s1", "hook_event_name": "PreCompress", "transcript_path": str(transcript(gemini))}
    await gemini.hook("compaction", {**event, "trigger": trigger})
    await gemini.delivered()
    assert len((await user.http.get("/api/snapshots")).json()["snapshots"]) == stored
