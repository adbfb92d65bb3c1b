"""Prompts whose meaning is in the conversation get no context, even if other sessions have the same words."""

import pytest

from memctl.hooks.short_prompts import is_only_an_answer
from tests.support.agents import Agent

FACT = "The release is called Bernina."


ANSWERS = (
    "",
    " \n",
    "yes",
    "Yes, do that.",
    "ok go ahead!",
    "continue",
    "fix it",
    "try again please",
    "1",
    "option b",
    "+1",
    "yes/ok",
)
FOREIGN_ANSWERS = ("ja, mach das bitte", "weiter", "oui, vas-y", "s'il te plaît continue", "sí, por favor", "👍")
GREETINGS = (
    "good morning",
    "hello",
    "thanks, that's it for today",
    "ok, let's call it a day",
    "see you tomorrow!",
    "Danke, das war's für heute",
    "bonne nuit",
    "gracias, eso es todo por hoy",
)
TASKS = (
    "commit this",
    "run the tests",
    "deploy",
    "fix the VAT",
    "why Redis?",
    "where were we?",
    "what did we do today?",
    "hello world",
    "good morning, where were we?",
    "fix #42",
    "c++",
    "why C#?",
    "/undo",
    "好",
    "yes " * 30,
)


@pytest.mark.parametrize("prompt", [*ANSWERS, *FOREIGN_ANSWERS, *GREETINGS])
def test_an_answer_or_greeting_to_the_agent_has_nothing_to_look_for(prompt: str) -> None:
    assert is_only_an_answer(prompt)


@pytest.mark.parametrize("prompt", TASKS)
def test_a_word_of_its_own_is_looked_for(prompt: str) -> None:
    assert not is_only_an_answer(prompt)


async def test_a_farewell_does_not_bring_back_the_day(agent: Agent) -> None:
    await agent.turn("s1", 1, f"{FACT} Write it into the notes.", "Written.")
    await agent.delivered()
    asked = {"session_id": "s2", "prompt": "thanks, that's it for today"}
    assert await agent.context("prompt", "UserPromptSubmit", asked) == ""


async def test_a_fix_it_of_another_session_is_no_context(agent: Agent) -> None:
    await agent.turn("s1", 1, f"{FACT} Fix it.", "Fixed.")
    await agent.turn("s1", 2, "Yes, fix it.", "The name is fixed.")
    await agent.delivered()
    for prompt in ("fix it", "Yes, fix it."):
        asked = {"session_id": "s2", "prompt": prompt}
        assert await agent.context("prompt", "UserPromptSubmit", asked) == ""
    asked = {"session_id": "s2", "prompt": "What is the release called?"}
    assert FACT in await agent.context("prompt", "UserPromptSubmit", asked)
