"""Copilot CLI: the end of a turn names no answer and the end of a session no transcript, so both come from elsewhere."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.agents import Agent
from tests.support.service import TestUser

FACT = "The release is called Bernina."
QUESTION = "What is the release called?"


@pytest.fixture
def copilot(agent: Agent) -> Agent:
    agent.client = "copilot"
    return agent


AT = "2026-11-28T08:58:06.711Z"
END = {
    "type": "hook.start",
    "data": {"hookType": "agentStop", "input": {"sessionId": "s1", "timestamp": 1795856286711}},
}


def written(*records: dict[str, Any]) -> str:
    """Records as Copilot CLI 1.0.102 writes them."""
    return "".join(f"{json.dumps(record, separators=(',', ':'))}\n" for record in records)


def transcript(agent: Agent, *said: tuple[str, str], has_ended: bool = True) -> Path:
    """The session so far."""
    path = agent.home / "events.jsonl"
    records = [{"type": f"{role}.message", "data": {"content": content}} for role, content in said]
    path.write_text(written(*records, *([END] if has_ended else [])))
    return path


async def event(agent: Agent, event: str, name: str, **fields: Any) -> str:
    """One event; the text that the hook adds."""
    done = await agent.hook(event, {"session_id": "s1", "hook_event_name": name, **fields})
    return json.loads(done.stdout)["additionalContext"] if done.stdout else ""


async def turn(agent: Agent) -> None:
    await event(agent, "prompt", "UserPromptSubmit", prompt=FACT)
    path = transcript(agent, ("user", FACT), ("assistant", "Let me look."), ("assistant", "Noted."))
    await event(agent, "turn-end", "Stop", transcript_path=str(path), timestamp=AT, stop_reason="end_turn")


async def stored(user: TestUser) -> list[str]:
    reply = await user.http.post("/api/mcp/recent-messages", json={"limit": 10, "allChannels": True})
    return [row["content"] for row in reply.json()["messages"]]


async def test_a_turn_is_stored_and_the_next_session_is_told(copilot: Agent, user: TestUser) -> None:
    await turn(copilot)
    await copilot.delivered()
    assert await stored(user) == [FACT, "Noted."]
    assert FACT in await event(copilot, "session-start", "SessionStart", session_id="s2", source="new")
    assert FACT in await event(copilot, "prompt", "UserPromptSubmit", session_id="s2", prompt=QUESTION)


async def test_a_resumed_session_is_told_again(copilot: Agent) -> None:
    await turn(copilot)
    await copilot.delivered()
    assert FACT in await event(copilot, "session-start", "SessionStart", source="resume")


async def test_a_turn_that_was_broken_off_stores_nothing(copilot: Agent, user: TestUser) -> None:
    await turn(copilot)
    await event(copilot, "prompt", "UserPromptSubmit", prompt=QUESTION)
    path = transcript(copilot, ("user", FACT), ("assistant", "Noted."), ("user", QUESTION))
    await event(copilot, "turn-end", "Stop", transcript_path=str(path), timestamp=AT)
    await copilot.delivered()
    assert await stored(user) == [FACT, "Noted."]
    assert "nothing to store" in copilot.log[-1]


@pytest.mark.parametrize(
    "before", [[("user", FACT), ("assistant", "Let me look.")], [("user", "Hi"), ("assistant", "Hi")]]
)
async def test_an_answer_that_is_written_after_the_hook_began_is_waited_for(
    copilot: Agent, user: TestUser, before: list[tuple[str, str]]
) -> None:
    await event(copilot, "prompt", "UserPromptSubmit", prompt=FACT)
    path = transcript(copilot, *before, has_ended=False)
    earlier = {"type": "hook.start", "data": {"hookType": "agentStop", "input": {"timestamp": 1795856280000}}}
    with path.open("a") as file:
        file.write(written(earlier))
    stop = asyncio.create_task(event(copilot, "turn-end", "Stop", transcript_path=str(path), timestamp=AT))
    await asyncio.sleep(1)
    rest = [("user", FACT), ("assistant", "Noted.")]
    transcript(copilot, *before, *rest)
    await stop
    await copilot.delivered()
    assert await stored(user) == [FACT, "Noted."]


@pytest.mark.parametrize("is_broken_off", [False, True])
async def test_the_end_of_a_session_stores_a_snapshot(copilot: Agent, user: TestUser, is_broken_off: bool) -> None:
    await turn(copilot)
    if is_broken_off:
        await event(copilot, "prompt", "UserPromptSubmit", prompt=QUESTION)
    await event(copilot, "session-end", "SessionEnd", reason="complete")
    await copilot.delivered()
    (snapshot,) = (await user.http.get("/api/snapshots")).json()["snapshots"]
    assert (snapshot["sessionKey"], snapshot["messageCount"]) == ("s1", 3)


async def test_an_event_without_a_transcript_is_no_error(copilot: Agent) -> None:
    await event(copilot, "turn-end", "Stop")
    await event(copilot, "session-end", "SessionEnd", reason="complete")
    assert [line for line in copilot.log if " error " in line] == []
