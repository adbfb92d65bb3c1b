"""Which goals, decisions and guardrails a briefing points out: what is due soon first, nothing that has ended (contract 7.1)."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.support.service import TestUser
from tests.support.wire import capture, post

pytestmark = pytest.mark.rule("7.1 briefing 5")


def day(ahead: int) -> str:
    moment = datetime.now(UTC) + timedelta(days=ahead)
    return f"{moment.day} {moment:%B} {moment.year}"


async def titles(user: TestUser, field: str) -> list[str]:
    return [row["title"] for row in (await post(user, "wake", {}))[field]]


async def test_goals_that_are_due_soon_come_first(user: TestUser) -> None:
    texts = {
        "invoice": f"Pay the invoice by {day(3)}.",
        "dentist": f"Dentist on {day(1)}.",
        "marathon": f"Run a marathon on {day(400)}.",
        "book": f"Return the book on {day(-3)}.",
        "garden": "Tidy up the garden.",
        "review": f"Review the budget by {day(20)}.",
        "piano": "Learn to play the piano.",
    }
    for title, text in texts.items():
        await capture(user, title=title, content=text, category="goal")
    assert await titles(user, "openGoals") == ["dentist", "invoice", "review", "piano", "garden"]


@pytest.mark.parametrize(
    ("category", "field"), [("goal", "openGoals"), ("decision", "recentDecisions"), ("rule", "guardrails")]
)
async def test_what_has_ended_is_left_out(user: TestUser, category: str, field: str) -> None:
    await capture(user, title="ended", content="No deploys in December.", category=category, validUntil=day_ms(-3))
    await capture(user, title="open", content="No deploys on Fridays.", category=category, validUntil=day_ms(3))
    await capture(user, title="to come", content="No deploys in March.", category=category, validFrom=day_ms(3))
    assert set(await titles(user, field)) == {"open", "to come"}


def day_ms(ahead: int) -> int:
    return int((datetime.now(UTC) + timedelta(days=ahead)).timestamp() * 1000)


async def test_a_goal_that_names_no_day_is_briefed_with_its_end(user: TestUser) -> None:
    await capture(user, title="Report", content="Submit the report.", category="goal", validUntil="2095-12-12")
    await capture(user, title="Rent", content=f"Pay the rent by {day(3)}.", category="goal", validUntil="2095-12-13")
    briefing = (await post(user, "wake", {}))["briefing"]
    assert "Submit the report. (until 2095-12-12)" in briefing
    assert "2095-12-13" not in briefing
