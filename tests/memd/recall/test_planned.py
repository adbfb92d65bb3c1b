"""Plans are known today: a period ahead that ends, read from a text, hides nothing until it begins (contract 17.5)."""

import pytest

from memd.domain.dates.calendar_day import day_text
from memd.domain.dates.time_window import DAY_MS
from memd.services import now_ms
from tests.support.service import TestUser
from tests.support.wire import post


@pytest.mark.rule("17.5 validFrom, validUntil")
async def test_a_plan_is_found_before_it_begins_and_ends_with_its_period(user: TestUser) -> None:
    begin, end = now_ms() + 30 * DAY_MS, now_ms() + 44 * DAY_MS
    content = f"We are on vacation from {day_text(begin)} to {day_text(end)} in Zakopane."
    made = await post(user, "capture", {"title": "Vacation", "content": content, "category": "event"})
    assert made.get("validFrom") is None
    assert end < made["validUntil"] <= end + DAY_MS
    for times in ({}, {"validAt": begin + DAY_MS}):
        found = await post(user, "recall", {"query": "When is our vacation?", **times})
        assert [row["title"] for row in found["memories"]] == ["Vacation"]
    later = await post(user, "recall", {"query": "When is our vacation?", "validAt": end + 2 * DAY_MS})
    assert later["memories"] == []


@pytest.mark.rule("17.5 validFrom, validUntil")
async def test_a_period_that_a_request_names_is_kept(user: TestUser) -> None:
    begin, end = now_ms() + 30 * DAY_MS, now_ms() + 44 * DAY_MS
    fields = {"title": "Stall", "content": "The stall is open.", "validFrom": begin, "validUntil": end}
    assert (await post(user, "capture", fields))["validFrom"] == begin
    assert (await post(user, "recall", {"query": "Is the stall open?"}))["memories"] == []
