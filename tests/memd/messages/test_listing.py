"""GET /api/messages (contract 7.3): every message of a scope and window, newest first, in pages."""

from typing import Any

import pytest

from tests.support.service import MakeUser, TestUser
from tests.support.talk import MINUTE, NOON, log, talk
from tests.support.wire import Json, send

rule = pytest.mark.rule("7.3 GET /api/messages")


async def page(user: TestUser, status: int = 200, **query: Any) -> Json:
    return await send(user, "GET", "/api/messages", status=status, **query)


def texts(reply: Json) -> list[str]:
    return [row["content"] for row in reply["messages"]]


@rule
async def test_a_row_is_that_of_recent_messages(user: TestUser) -> None:
    message_id = await log(user, "The boiler is warm.", timestamp=NOON, sessionKey="s1", turnId="t1", metadata={"a": 1})
    reply = await page(user)
    (recent,) = (await send(user, "POST", "/api/mcp/recent-messages", {}))["messages"]
    assert reply == {"messages": [recent], "continueCursor": "", "isDone": True}
    assert (recent["id"], recent["metadata"]) == (message_id, {"a": 1})


@rule
async def test_pages_hold_each_message_once_however_many_share_a_moment(user: TestUser) -> None:
    ids = [await log(user, f"note {number}", timestamp=NOON) for number in range(7)]
    seen, cursor, pages = list[str](), "", 0
    while True:
        reply = await page(user, limit=2, cursor=cursor)
        seen += [row["id"] for row in reply["messages"]]
        pages += 1
        if reply["isDone"]:
            break
        cursor = reply["continueCursor"]
        await log(user, "later", timestamp=NOON + MINUTE)
    assert (sorted(seen), pages) == (sorted(ids), 4)
    assert seen == sorted(ids, reverse=True)


@rule
async def test_channel_session_and_window_narrow_the_list(user: TestUser) -> None:
    await talk(user, "one", "two", "three", channel="slack:a")
    await log(user, "elsewhere", timestamp=NOON, channel="peer-team:b", sessionKey="s2")
    assert texts(await page(user, channel="slack:a")) == ["three", "two", "one"]
    assert texts(await page(user, channel="slack:a", sessionKey="s2")) == []
    assert texts(await page(user, channel="slack:a", fromMs=NOON + MINUTE)) == ["three", "two"]
    assert texts(await page(user, channel="slack:a", toMs=NOON)) == ["one"]
    assert "elsewhere" not in texts(await page(user))
    assert set(texts(await page(user, allChannels="true"))) == {"one", "two", "three", "elsewhere"}


@rule
async def test_a_cursor_of_another_user_or_list_is_refused(user: TestUser, make_user: MakeUser) -> None:
    await talk(user, "one", "two")
    cursor = (await page(user, limit=1))["continueCursor"]
    other = await make_user()
    for who, text in ((other, cursor), (user, "nonsense"), (user, cursor[:-2])):
        assert (await page(who, 400, cursor=text))["details"] == "Field cursor must be a cursor of this list"
