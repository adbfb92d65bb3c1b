"""GET /api/activity (contract 6.10): what was written on each day."""

from datetime import UTC, date, datetime, timedelta

import pytest

from memctl.wire.limits import ACTIVITY_DAYS_MAX
from tests.support.service import TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send


async def activity(user: TestUser, **query: int) -> Json:
    return await send(user, "GET", "/api/activity", **query)


def by_day(reply: Json, name: str) -> dict[date, int]:
    """The days that have a number."""
    first = date.fromisoformat(reply["firstDay"])
    return {first + timedelta(days=at): number for at, number in enumerate(reply[name]) if number}


def noon(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.rule("6.10 GET /api/activity")
async def test_captures_and_messages_are_counted_on_their_day(user: TestUser) -> None:
    today = datetime.now(UTC).date()
    days = [today - timedelta(days=back) for back in range(6)]
    for at in (3, 3, 1):
        await capture(user, createdAt=noon(days[at]))
    gone = await capture(user, createdAt=noon(days[5]))
    await post(user, "forget", {"memoryId": gone})
    await post(user, "log", {"role": "user", "content": "hello", "channel": "cli", "timestamp": noon(days[2])})
    await fill(user, await make_base(user), chunk("a chunk of a knowledge base"))
    reply = await activity(user, days=30)
    assert by_day(reply, "captures") == {days[3]: 2, days[1]: 1, days[5]: 1}
    assert by_day(reply, "messages") == {days[2]: 1}
    assert len(reply["captures"]) == len(reply["messages"]) == 30
    assert date.fromisoformat(reply["firstDay"]) in {today + timedelta(days=ahead - 29) for ahead in (0, 1)}


@pytest.mark.rule("6.10 GET /api/activity")
async def test_days_are_cut_above_and_refused_below(user: TestUser) -> None:
    for query in ({}, {"days": 4000}):
        assert len((await activity(user, **query))["captures"]) == ACTIVITY_DAYS_MAX
    assert (await activity(user, days=1))["messages"] == [0]
    await send(user, "GET", "/api/activity", days=0, status=400)
