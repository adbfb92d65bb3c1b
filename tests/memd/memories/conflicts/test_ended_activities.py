"""What a user does or plans, and says to have ended or done, is contradicted by that (contract 17.5)."""

import pytest

from memd.context import Services
from tests.memd.extraction.test_order_of_turns import say
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import capture, post, send


@pytest.mark.rule("17.5 conflicts", "17.5 profile")
@pytest.mark.parametrize(
    ("before", "after", "query"),
    [
        ("I play tennis on Wednesdays with Mara.", "I don't play tennis any more.", "Do I play tennis?"),
        ("I'm going to study law in Leiden.", "I decided not to study law after all.", "Am I going to study law?"),
        ("I want to run a marathon.", "I ran the marathon yesterday!", "Do I want to run a marathon?"),
    ],
)
async def test_the_end_comes_first(services: Services, user: TestUser, before: str, after: str, query: str) -> None:
    await say(user, services, (before, after), (1, 0), apart=200)
    (found,) = (await send(user, "GET", "/api/conflicts"))["conflicts"]
    assert found["certainty"] == 0.85
    rows = (await post(user, "recall", {"query": query}))["memories"]
    assert [row["id"] for row in rows[:2]] == [found["newId"], found["oldId"]]
    assert (await send(user, "GET", "/api/profile", subject="user"))["profiles"] == []


@pytest.mark.rule("17.5 conflicts")
async def test_who_plans_it_again_contradicts_nothing(services: Services, user: TestUser) -> None:
    await capture(user, content="The user gave up on the marathon.")
    await capture(user, content="The user wants to run a marathon.")
    await done(services, user)
    assert (await send(user, "GET", "/api/conflicts"))["conflicts"] == []
