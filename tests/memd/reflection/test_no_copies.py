"""Reflection writes nothing that a memory of the group says already (contract 11.6)."""

import pytest

from tests.memd.reflection.test_reflection import LESSON, inferred, reflect, say
from tests.support.service import TestUser
from tests.support.wire import Json, capture, post


@pytest.mark.rule("11.6 reflection rows")
@pytest.mark.parametrize(
    ("title", "content"),
    [
        ("Caches", LESSON),
        ("Caches", "Lesson: i learned  that the cache must\nalways be flushed before a migration"),
        ("I learned that the CACHE must always be flushed before a migration", "It was slow for a day."),
    ],
)
@pytest.mark.parametrize("store", ["semantic", "episodic"])
async def test_a_lesson_that_somebody_wrote_down_is_not_copied(
    user: TestUser, title: str, content: str, store: str
) -> None:
    await say(user)
    await capture(user, title=title, content=content, store=store, category="lesson")
    stats = (await reflect(user))["stats"]
    assert (stats["lessonsWritten"], stats["decisionsWritten"], stats["openLoopsWritten"]) == (0, 1, 1)
    assert stats["summaryWritten"] == 1
    assert [title for title in await inferred(user) if title.startswith("Lesson: ")] == []


@pytest.mark.rule("11.6 reflection rows", "11.6 groups")
@pytest.mark.parametrize("other", [{"channel": "slack"}, {"projectId": "alpha"}])
async def test_what_another_group_says_keeps_no_lesson_back(user: TestUser, other: Json) -> None:
    await say(user)
    await capture(user, content=LESSON, store="episodic", category="lesson", **other)
    assert (await reflect(user))["stats"]["lessonsWritten"] == 1


@pytest.mark.rule("11.6 reflection rows")
async def test_a_forgotten_lesson_keeps_none_back(user: TestUser) -> None:
    await say(user)
    await post(user, "forget", {"memoryId": await capture(user, content=LESSON, category="lesson", store="semantic")})
    assert (await reflect(user))["stats"]["lessonsWritten"] == 1


@pytest.mark.rule("11.6 reflection rows")
async def test_a_lesson_is_drawn_from_an_event_of_one_sentence(user: TestUser) -> None:
    await say(user)
    await capture(user, title="Flush", content=LESSON, store="episodic", category="event")
    assert (await reflect(user))["stats"]["lessonsWritten"] == 1
