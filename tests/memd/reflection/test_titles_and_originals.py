"""Summaries are distinguished by their titles, and what they were made from comes first (contract 11.2, 11.6)."""

import pytest

from tests.memd.reflection.test_reflection import LESSON, inferred, reflect, say
from tests.support.service import TestUser
from tests.support.wire import capture, post


@pytest.mark.rule("11.2 originBoost")
async def test_the_memory_with_the_answer_comes_before_its_reflection(user: TestUser) -> None:
    original = await capture(user, title="Cache", content=LESSON, store="episodic", category="event", strength=0.3)
    for content in ("The pump was cleaned on Tuesday.", "Anna paints the fence."):
        await capture(user, title=content, content=content, store="episodic", category="event")
    await reflect(user)
    rows = (await post(user, "recall", {"query": "What must be flushed before a migration?"}))["memories"]
    assert rows[0]["id"] == original
    assert rows[0]["rankingSignals"]["originBoost"] > 0
    assert [row["title"] for row in rows if LESSON in row["content"]][1].startswith("Reflection summary: ")


@pytest.mark.rule("11.6 reflection rows")
async def test_two_summaries_of_one_day_have_different_titles(user: TestUser) -> None:
    await say(user)
    await reflect(user)
    for content in ("We agreed to paint the boat green.", "Olaf bought the paint.", "It dries on Friday."):
        await capture(user, title=content, content=content, store="episodic", category="event")
    await reflect(user)
    titles = [title for title in await inferred(user) if title.startswith("Reflection summary: ")]
    assert [title.split(": ")[-1] for title in sorted(titles)] == [
        "We agreed to paint the boat green",
        "We decided to move the release to Thursday",
    ]
