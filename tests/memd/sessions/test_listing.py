"""GET /api/sessions (contract 7.4): the sessions that have messages, the last used first, in pages."""

from typing import Any

import pytest

from memd.domain.cursors import encode_cursor
from tests.support.service import MakeUser, TestUser
from tests.support.talk import MINUTE, NOON, log, talk
from tests.support.wire import Json, send

rule = pytest.mark.rule("7.4 GET /api/sessions")


async def listed(user: TestUser, status: int = 200, **query: Any) -> Json:
    return await send(user, "GET", "/api/sessions", status=status, **query)


def keys(reply: Json) -> list[str]:
    return [row["sessionKey"] for row in reply["sessions"]]


@rule
async def test_a_row_has_the_figures_of_the_session(user: TestUser) -> None:
    await talk(user, "one", "two", "three", channel="slack:a", sessionKey="s1")
    await log(user, "without a session", timestamp=NOON)
    assert await listed(user, channel="slack:a") == {
        "sessions": [
            {
                "sessionKey": "s1",
                "channel": "slack:a",
                "messageCount": 3,
                "firstTimestamp": NOON,
                "lastTimestamp": NOON + 2 * MINUTE,
            }
        ],
        "continueCursor": "",
        "isDone": True,
    }


@rule
async def test_pages_hold_each_session_once_the_last_used_first(user: TestUser) -> None:
    for number in range(5):
        await log(user, "a", timestamp=NOON + number % 3 * MINUTE, sessionKey=f"s{number}")
    seen, cursor = list[str](), ""
    while True:
        page = await listed(user, limit=2, cursor=cursor)
        seen += keys(page)
        if page["isDone"]:
            break
        cursor = page["continueCursor"]
    assert seen == ["s2", "s4", "s1", "s3", "s0"]


@rule
async def test_only_sessions_of_visible_messages_are_listed(user: TestUser, make_user: MakeUser) -> None:
    await log(user, "a", timestamp=NOON, channel="slack:a", sessionKey="both")
    await log(user, "b", timestamp=NOON + MINUTE, channel="peer-team:b", sessionKey="both")
    await log(user, "c", timestamp=NOON, channel="peer-team:b", sessionKey="hidden")
    assert keys(await listed(user)) == ["both"]
    (row,) = (await listed(user, channel="slack:a"))["sessions"]
    assert (row["messageCount"], row["lastTimestamp"]) == (1, NOON)
    assert keys(await listed(user, allChannels="true")) == ["both", "hidden"]
    assert keys(await listed(await make_user(), allChannels="true")) == []


@rule
async def test_a_cursor_of_another_user_is_refused(user: TestUser, make_user: MakeUser) -> None:
    for number in range(2):
        await log(user, "a", timestamp=NOON, sessionKey=f"s{number}")
    cursor = (await listed(user, limit=1))["continueCursor"]
    made = [
        encode_cursor(f"sessions of {user.id}", position)
        for position in ([2**70, "s"], [1, "\ud800"], [1, "\0"], ["x"])
    ]
    for who, text in ((await make_user(), cursor), (user, "nonsense"), *((user, each) for each in made)):
        assert (await listed(who, 400, cursor=text))["details"] == "Field cursor must be a cursor of this list"
