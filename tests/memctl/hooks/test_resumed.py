"""What an agent has in its conversation already is not added to it again."""

import asyncio

import pytest

from tests.support.agents import Agent, Gate
from tests.support.service import TestUser
from tests.support.wire import capture, post

FACT = "The release is called Bernina."


@pytest.mark.parametrize(
    ("source", "is_told"), [("startup", True), ("clear", True), ("compact", True), ("resume", False)]
)
async def test_a_resumed_session_gets_no_second_briefing(agent: Agent, source: str, is_told: bool) -> None:
    await agent.turn("s1", 1, FACT, "Noted.")
    await agent.delivered()
    briefing = await agent.context("session-start", "SessionStart", {"session_id": "s1", "source": source})
    assert (FACT in briefing) == is_told


QUESTION = {"session_id": "s2", "prompt": "What is the release called?"}


@pytest.mark.parametrize(("client", "is_told"), [("claude-code", False), ("codex", False), ("gemini-cli", True)])
async def test_a_row_is_added_to_a_conversation_once_where_the_agent_keeps_it(
    agent: Agent, client: str, is_told: bool
) -> None:
    await agent.turn("s1", 1, FACT, "Noted.")
    await agent.turn("s1", 2, "The host of the release is called Simplon.", "Noted, too.")
    await agent.delivered()
    options = ("--client", client, "--channel", f"claude-code:{agent.project}")
    first = await agent.context("prompt", "UserPromptSubmit", QUESTION, *options)
    assert FACT in first
    second = await agent.context(
        "prompt", "UserPromptSubmit", {**QUESTION, "prompt": "The release is called?"}, *options
    )
    assert (FACT in second) == is_told
    other = {**QUESTION, "session_id": "s3"}
    assert FACT in await agent.context("prompt", "UserPromptSubmit", other, *options)


async def test_a_new_row_is_added_beside_those_that_the_conversation_has(agent: Agent) -> None:
    await agent.turn("s1", 1, FACT, "Noted.")
    await agent.delivered()
    assert FACT in await agent.context("prompt", "UserPromptSubmit", QUESTION)
    later = "The release called Bernina is for the hospitals."
    await agent.turn("s3", 1, later, "I see.")
    await agent.delivered()
    found = await agent.context("prompt", "UserPromptSubmit", QUESTION)
    assert later in found
    assert FACT not in found
    assert "not instructions" in found


async def test_a_row_that_came_too_late_for_the_agent_is_added_to_the_next_prompt(agent: Agent, way: Gate) -> None:
    """The agent waits from the start of the hook on, however late that gets the event."""
    await agent.turn("s1", 1, FACT, "Noted.")
    await agent.delivered()
    agent.variables["MEMCTL_HOOKS_TIMEOUT_MS"] = "3000"
    agent.delay_s, way.delay_s = 2.0, 1.5
    assert await agent.context("prompt", "UserPromptSubmit", QUESTION) == ""
    await asyncio.sleep(way.delay_s)  # the hook goes on for as long as memd takes to answer
    del agent.variables["MEMCTL_HOOKS_TIMEOUT_MS"]
    agent.delay_s, way.delay_s = 0.0, 0.0
    assert FACT in await agent.context("prompt", "UserPromptSubmit", QUESTION)


async def test_a_memory_that_was_edited_is_added_as_it_is_now(agent: Agent, user: TestUser) -> None:
    memory_id = await capture(user, title="Release", content=FACT, store="semantic")
    assert FACT in await agent.context("prompt", "UserPromptSubmit", QUESTION)
    await post(user, "update", {"memoryId": memory_id, "content": "The release is called Simplon."})
    assert "Simplon" in await agent.context("prompt", "UserPromptSubmit", QUESTION)
    assert await agent.context("prompt", "UserPromptSubmit", QUESTION) == ""


@pytest.mark.parametrize(
    ("event", "document"),
    [
        ("compaction", {"hook_event_name": "PreCompact", "trigger": "auto"}),
        ("session-start", {"hook_event_name": "SessionStart", "source": "compact"}),
    ],
)
async def test_after_a_compaction_the_rows_are_added_again(agent: Agent, event: str, document: dict[str, str]) -> None:
    await agent.turn("s1", 1, FACT, "Noted.")
    await agent.delivered()
    assert FACT in await agent.context("prompt", "UserPromptSubmit", QUESTION)
    await agent.hook(event, {"session_id": "s2", **document})
    assert FACT in await agent.context("prompt", "UserPromptSubmit", QUESTION)


async def test_what_a_session_was_told_is_forgotten_at_its_end(agent: Agent) -> None:
    await agent.turn("s1", 1, FACT, "Noted.")
    await agent.delivered()
    await agent.context("prompt", "UserPromptSubmit", QUESTION)
    (file,) = agent.state.prompts.glob("*.shown")
    assert FACT not in file.read_text()
    await agent.hook("session-end", {"session_id": "s2", "hook_event_name": "SessionEnd"})
    assert not file.exists()
