"""Time windows of messages (contract 7.0), and temporal phrases, which lift and do not filter (11.7)."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.ids import decode
from tests.support.service import TestUser
from tests.support.talk import DAY, NOON, embed, found, log, search
from tests.support.wire import capture, post, send

MIDNIGHT = NOON // DAY * DAY
"""2025-06-15, 00:00 UTC."""


async def three_days(user: TestUser) -> None:
    for day in (-1, 0, 1):
        await log(user, f"report of day {day}", timestamp=MIDNIGHT + day * DAY, sessionKey=f"day {day}")
    await log(user, "report of the last moment", timestamp=MIDNIGHT + DAY - 1, sessionKey="late")


DAY_0 = {"report of day 0", "report of the last moment"}
WINDOWS: list[tuple[dict[str, Any], set[str]]] = [
    ({"fromMs": MIDNIGHT, "toMs": MIDNIGHT}, {"report of day 0"}),
    ({"fromMs": MIDNIGHT // 1000, "toMs": str(MIDNIGHT + DAY - 1)}, DAY_0),
    ({"startDate": "2025-06-15", "endDate": "2025-06-15"}, DAY_0),
    ({"after": "2025-06-15T00:00:00Z", "until": "2025-06-15T23:59:59.998"}, {"report of day 0"}),
    ({"since": "2025-06-15", "before": "2025-06-16"}, DAY_0 | {"report of day 1"}),
    ({"from": MIDNIGHT + 1, "to": MIDNIGHT + DAY - 1}, {"report of the last moment"}),
    ({"sinceMs": MIDNIGHT + DAY}, {"report of day 1"}),
    ({"beforeMs": "2025-06-15"}, {"report of day -1", "report of day 0"}),
]


@pytest.mark.rule(
    "7.0 lower bound",
    "7.0 upper bound",
    "7.0 bounds",
    "7.0 bare date",
    "7.2 time window",
    "7.3 channel, time window, sessionKey",
)
@pytest.mark.parametrize(("window", "contents"), WINDOWS, ids=[str(window) for window, _ in WINDOWS])
async def test_a_window_bounds_search_and_recent_alike(
    user: TestUser, window: dict[str, Any], contents: set[str]
) -> None:
    await three_days(user)
    assert set(await found(user, "report", **window)) == contents
    recent = await post(user, "recent-messages", window)
    assert {row["content"] for row in recent["messages"]} == contents
    assert recent["window"]["windowSource"] == "request"


@pytest.mark.rule("7.0 bounds")
async def test_a_window_bounds_recall_session_and_export_too(user: TestUser, services: Services) -> None:
    """Both bounds are inclusive."""
    for number in range(4):
        await log(user, f"report {number}", timestamp=NOON + number, sessionKey="s1")
        memory_id = await capture(user, title=f"report {number}")
        async with services.database.write(user.id) as session:
            params = {"at": NOON + number, "id": decode("mem", memory_id)}
            await session.execute("UPDATE memory SET created_at = %(at)s WHERE id = %(id)s", params)
    window = {"fromMs": NOON + 1, "toMs": NOON + 2}
    recalled = (await post(user, "recall", {"query": "report"} | window))["messageMatches"]
    messages = (await post(user, "session", {"sessionKey": "s1"} | window))["messages"]
    exported = (await send(user, "GET", "/api/memories", **window))["memories"]
    assert {row["content"] for row in recalled} == {row["content"] for row in messages} == {"report 1", "report 2"}
    assert {row["title"] for row in exported} == {"report 1", "report 2"}


async def test_neighbours_outside_of_the_window_stay_outside(user: TestUser) -> None:
    for index, content in enumerate(("early", "the walrus", "late")):
        await log(user, content, timestamp=NOON + index, sessionKey="s1")
    assert await found(user, "walrus", fromMs=NOON + 1, toMs=NOON + 1) == ["the walrus"]


@pytest.mark.rule("7.0 several names", "7.2 reply: window")
async def test_the_most_specific_name_wins_and_the_reply_tells_the_bounds(user: TestUser) -> None:
    reply = await search(user, "x", since="2020-01-01", fromMs=MIDNIGHT, until="2030-01-01", toMs=MIDNIGHT + 1)
    assert reply["window"] == {"fromMs": MIDNIGHT, "toMs": MIDNIGHT + 1, "windowSource": "request"}


@pytest.mark.rule("7.0 value", "7.0 from > to")
@pytest.mark.parametrize("path", ["search-messages", "recent-messages", "recall", "session"])
@pytest.mark.parametrize(
    ("window", "field"),
    [
        ({"fromMs": "soon"}, "fromMs"),
        ({"startDate": "2025-02-30"}, "startDate"),
        ({"until": [1]}, "until"),
        ({"toMs": True}, "toMs"),
        ({"fromMs": 2_000_000_000_000, "toMs": 1_000_000_000_000}, "fromMs"),
    ],
)
async def test_a_window_that_cannot_be_read_is_refused(
    user: TestUser, path: str, window: dict[str, Any], field: str
) -> None:
    reply = await post(user, path, {"query": "x", "sessionKey": "s"} | window, status=400)
    assert reply["error"] == "Bad request"
    assert f"Field {field} must be" in reply["details"]


@pytest.mark.rule("11.4 phrase of time", "7.2 reply: window")
async def test_a_temporal_phrase_lifts_the_messages_of_its_period_and_leaves_none_out(
    user: TestUser, services: Services
) -> None:
    today = services.clock() // DAY * DAY
    newer, older = "the report came", "the report that came, it seems"
    await log(user, older, timestamp=today - 1)
    await log(user, newer, timestamp=today + 1)
    await embed(services, user)
    assert [row["content"] for row in (await search(user, "which report came"))["messages"]] == [newer, older]
    reply = await search(user, "which report came Yesterday")
    assert [row["content"] for row in reply["messages"]] == [older, newer]
    assert reply["window"] == {"fromMs": None, "toMs": None, "windowSource": "none"}
    assert reply["temporalHint"] == {"fromMs": today - DAY, "toMs": today - 1, "phrase": "Yesterday"}


@pytest.mark.rule("11.4 phrase of time")
async def test_a_message_of_the_period_is_a_candidate_however_many_suit_better(
    user: TestUser, services: Services
) -> None:
    yesterday = services.clock() // DAY * DAY - DAY // 2
    await log(user, "Noodles with peanut sauce.", timestamp=yesterday)
    for number in range(60):
        await log(user, f"We could eat at place number {number}.", timestamp=NOON + number, sessionKey=f"s{number}")
    await embed(services, user)
    assert "Noodles with peanut sauce." in await found(user, "what did we eat yesterday", limit=100)


@pytest.mark.rule("11.7 lift")
async def test_a_title_that_looks_like_a_phrase_of_time_hides_nothing(user: TestUser, services: Services) -> None:
    song = "My favourite Beatles song is called Yesterday, Paul wrote it."
    lunch = "We had lunch at the Italian place."
    await log(user, song, timestamp=NOON)
    await log(user, lunch, timestamp=services.clock() // DAY * DAY - DAY // 2)
    await embed(services, user)
    assert await found(user, "which Beatles song is Yesterday") == [song, lunch]


@pytest.mark.rule("11.7 lift")
async def test_a_question_for_a_day_finds_what_was_said_on_that_day_first(user: TestUser, services: Services) -> None:
    yesterday = services.clock() // DAY * DAY - DAY // 2
    await log(user, "The boiler makes a noise again.", timestamp=yesterday, sessionKey="y")
    await log(user, "Order a new valve.", timestamp=yesterday + 1, sessionKey="y")
    for number in range(5):
        text = f"What did we talk about, you ask? We talked about yesterday's talk number {number}."
        await log(user, text, timestamp=NOON + number, sessionKey=f"s{number}")
    await embed(services, user)
    hits = await found(user, "what did we talk about yesterday?")
    assert set(hits[:2]) == {"The boiler makes a noise again.", "Order a new valve."}
    assert len(hits) == 7


@pytest.mark.rule("11.7 lift")
async def test_a_question_for_a_day_finds_what_has_no_vector_yet(user: TestUser, services: Services) -> None:
    """Just logged, and without a word of the question; a question of that day is no less a part of its talk."""
    yesterday = services.clock() // DAY * DAY - DAY // 2
    await log(user, "We talked about the weather.", timestamp=services.clock() // DAY * DAY, sessionKey="t")
    await embed(services, user)
    await log(user, "The boiler makes a noise again.", timestamp=yesterday, sessionKey="y")
    await log(user, "Which valve?", timestamp=yesterday + 1, sessionKey="z")
    hits = await found(user, "what did we talk about yesterday?")
    assert hits == ["The boiler makes a noise again.", "Which valve?", "We talked about the weather."]


@pytest.mark.rule("11.4 phrase of time")
async def test_a_query_without_a_temporal_phrase_has_no_hint(user: TestUser) -> None:
    await log(user, "the report of long ago", timestamp=NOON)
    assert "temporalHint" not in await search(user, "which report came")


@pytest.mark.rule("11.4 phrase of time")
async def test_a_window_of_the_request_comes_before_a_temporal_phrase(user: TestUser, services: Services) -> None:
    await log(user, "the report of yesterday", timestamp=services.clock() // DAY * DAY - 1)
    await log(user, "the report of long ago", timestamp=NOON)
    reply = await search(user, "which report came yesterday", toMs=NOON)
    assert [row["content"] for row in reply["messages"]] == ["the report of long ago"]
    assert reply["window"]["windowSource"] == "request"
    assert "temporalHint" not in reply


@pytest.mark.rule("17.5 messages")
@pytest.mark.parametrize("name", ["asOf", "knownAt"])
async def test_a_search_as_of_a_time_finds_nothing_that_was_said_later(user: TestUser, name: str) -> None:
    await three_days(user)
    assert await found(user, "report", **{name: MIDNIGHT - 1}) == ["report of day -1"]
    assert await found(user, "report", **{name: MIDNIGHT - 1}, fromMs=MIDNIGHT - DAY + 1) == []
    assert len(await found(user, "report", validAt=MIDNIGHT - 1)) == 4
