"""POST /api/mcp/recent-messages (contract 7.3) and what POST /api/mcp/log stores for it (7.5)."""

from typing import Any

import pytest

from memd.context import Services
from tests.support.service import TestUser
from tests.support.talk import MINUTE, NOON, log, talk
from tests.support.wire import Json, post


async def recent(user: TestUser, **fields: Any) -> Json:
    return await post(user, "recent-messages", fields)


async def contents(user: TestUser, **fields: Any) -> list[str]:
    return [row["content"] for row in (await recent(user, **fields))["messages"]]


@pytest.mark.rule("7.3 reply: messages", "7.3 reply: turns, order, window")
async def test_a_row_has_every_field(user: TestUser) -> None:
    (message_id,) = await talk(user, "Hello.", channel="slack", metadata="kept as given")
    reply = await recent(user)
    assert reply["messages"] == [
        {
            "id": message_id,
            "_id": message_id,
            "messageId": message_id,
            "role": "user",
            "text": "Hello.",
            "content": "Hello.",
            "timestamp": NOON,
            "createdAt": NOON,
            "channel": "slack",
            "sessionKey": "s1",
            "turnId": None,
            "turnMessageIndex": None,
            "metadata": "kept as given",
        }
    ]
    assert (reply["order"], reply["window"]["windowSource"]) == ("chronological", "none")


@pytest.mark.rule("7.3 order")
async def test_the_newest_are_taken_then_ordered(user: TestUser) -> None:
    await talk(user, "one", "two", "three")
    assert await contents(user, limit=2) == ["two", "three"]
    assert await contents(user, limit=2, order="newest") == ["three", "two"]


@pytest.mark.rule("7.3 limit")
async def test_twenty_by_default_and_a_hundred_at_most(user: TestUser, services: Services) -> None:
    await talk(user, "message")
    async with services.database.write(user.id) as session:
        await session.execute(
            """
            INSERT INTO message (user_id, id, role, content, timestamp, created_at, expires_at, content_hash)
            SELECT user_id, uuidv7(), role, content || n, timestamp + n, created_at, expires_at, content_hash || n
            FROM message, generate_series(1, 100) n
            """
        )
    assert len(await contents(user)) == 20
    assert len(await contents(user, limit=1000)) == 100


@pytest.mark.rule("7.3 limit", "7.3 order")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"limit": 0}, "Field limit must be between 1 and 100"),
        ({"order": "oldest"}, "Field order must be one of: chronological, newest"),
    ],
)
async def test_refusals(user: TestUser, fields: Json, details: str) -> None:
    assert (await post(user, "recent-messages", fields, status=400))["details"] == details


@pytest.mark.rule("7.3 turn group", "7.3 reply: turns, order, window")
async def test_turns_group_messages_in_their_places(user: TestUser) -> None:
    fields = {"channel": "slack", "sessionKey": "s1", "turnId": "t1"}
    await log(user, "answer", timestamp=NOON, turnMessageIndex=1, **fields)
    await log(user, "question", timestamp=NOON + MINUTE, turnMessageIndex=0, **fields)
    alone = await log(user, "alone", timestamp=NOON - MINUTE, channel="slack")
    first, second = (await recent(user))["turns"]
    assert (first["turnId"], [row["content"] for row in first["messages"]]) == (f"message:{alone}", ["alone"])
    assert [row["content"] for row in second["messages"]] == ["question", "answer"]
    bounds = {name: second[name] for name in ("turnId", "timestamp", "startedAt", "endedAt", "channel", "sessionKey")}
    assert bounds == {
        "turnId": "t1",
        "timestamp": NOON,
        "startedAt": NOON,
        "endedAt": NOON + MINUTE,
        "channel": "slack",
        "sessionKey": "s1",
    }
    assert {row["channel"] for turn in (first, second) for row in turn["messages"]} == {"slack"}
