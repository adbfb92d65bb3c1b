"""What an agent has in its conversation already is not added to it again."""

import pytest

from tests.support.agents import Agent

FACT = "The release is called Bernina."


@pytest.mark.parametrize(
    ("source", "is_told"), [("startup", True), ("clear", True), ("compact", True), ("resume", False)]
)
async def test_a_resumed_session_gets_no_second_briefing(agent: Agent, source: str, is_told: bool) -> None:
    await agent.turn("s1", 1, FACT, "Noted.")
    await agent.delivered()
    briefing = await agent.context("session-start", "SessionStart", {"session_id": "s1", "source": source})
    assert (FACT in briefing) == is_told
