"""POST /api/mcp/session and /api/mcp/snapshot (contract 7.4, 7.7)."""

from typing import Any

import pytest

from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, post

T0 = 1_700_000_000_000


async def log(user: TestUser, content: str, **fields: Any) -> str:
    return (await post(user, "log", {"content": content, "sessionKey": "s1", "channel": "slack"} | fields))["id"]


async def show(user: TestUser, status: int = 200, **fields: Any) -> Json:
    return await post(user, "session", {"sessionKey": "s1"} | fields, status=status)


async def talk(user: TestUser, count: int, **fields: Any) -> list[str]:
    return [
        await log(
            user, f"Message {number}", role=("user", "assistant")[number % 2], timestamp=T0 + number * 1000, **fields
        )
        for number in range(count)
    ]


@pytest.mark.rule("7.4 reply")
async def test_figures_excerpts_messages_and_turns(user: TestUser) -> None:
    turn = {"sessionKey": "s1", "channel": "slack", "turnId": "t1", "assistantMessage": "b " * 200, "timestamp": T0}
    first = (await post(user, "turn", turn | {"userMessage": "First"}))["messages"]
    last = await log(user, "Note", role="system", timestamp=T0 + 5000)
    reply = await show(user)
    assert reply["summary"] | {"recentExcerpts": []} == {
        "sessionKey": "s1",
        "channel": "slack",
        "messageCount": 3,
        "turnCount": 2,
        "firstTimestamp": T0,
        "lastTimestamp": T0 + 5000,
        "roles": {"user": 1, "assistant": 1, "system": 1},
        "recentExcerpts": [],
    }
    excerpts = reply["summary"]["recentExcerpts"]
    assert excerpts[0] == {
        "messageId": first[0]["id"],
        "role": "user",
        "timestamp": T0,
        "turnId": "t1",
        "turnMessageIndex": 0,
        "excerpt": "First",
    }
    assert len(excerpts[1]["excerpt"]) <= 160
    assert [row["messageId"] for row in excerpts] == [row["id"] for row in reply["messages"]]
    assert [row["id"] for row in reply["messages"]] == [first[0]["id"], first[1]["id"], last]
    assert [(group["turnId"], len(group["messages"])) for group in reply["turns"]] == [
        ("t1", 2),
        (f"message:{last}", 1),
    ]
    assert {row["channel"] for group in reply["turns"] for row in group["messages"]} == {"slack"}


@pytest.mark.rule("7.4 sessionKey")
async def test_the_session_key_is_required(user: TestUser) -> None:
    assert (await show(user, 400, sessionKey=" "))["details"] == "Missing required field: sessionKey"


@pytest.mark.rule("7.4 case: unknown session")
async def test_an_unknown_session_counts_nothing(user: TestUser, make_user: MakeUser) -> None:
    await talk(await make_user(), 2)
    assert await show(user) == {
        "summary": {
            "sessionKey": "s1",
            "channel": None,
            "messageCount": 0,
            "turnCount": 0,
            "firstTimestamp": None,
            "lastTimestamp": None,
            "roles": {"user": 0, "assistant": 0, "system": 0},
            "recentExcerpts": [],
        },
        "messages": [],
        "turns": [],
    }


@pytest.mark.rule("7.4 limit")
@pytest.mark.parametrize(
    ("fields", "count"), [({}, 12), ({"limit": 3}, 3), ({"recentLimit": 3}, 3), ({"limit": 90}, 50)]
)
async def test_the_newest_come_oldest_first_up_to_the_limit(user: TestUser, fields: Json, count: int) -> None:
    ids = await talk(user, 52)
    reply = await show(user, **fields)
    assert [row["id"] for row in reply["messages"]] == ids[-count:]
    assert reply["summary"]["messageCount"] == 52


@pytest.mark.rule("7.4 limit")
@pytest.mark.parametrize("limit", [0, -1, 2.5, "3"])
async def test_a_wrong_limit_is_refused(user: TestUser, limit: Any) -> None:
    assert (await show(user, 400, limit=limit))["error"] == "Bad request"


@pytest.mark.rule("7.4 sinceMs")
@pytest.mark.parametrize("since", [T0 + 2000, str(T0 + 2000), (T0 + 2000) // 1000, "2023-11-14T22:13:22Z"])
async def test_since_bounds_messages_and_figures(user: TestUser, since: Any) -> None:
    ids = await talk(user, 4)
    reply = await show(user, sinceMs=since)
    assert [row["id"] for row in reply["messages"]] == ids[2:]
    assert (reply["summary"]["messageCount"], reply["summary"]["firstTimestamp"]) == (2, T0 + 2000)


async def test_a_time_that_cannot_be_read_is_refused(user: TestUser) -> None:
    assert (await show(user, 400, sinceMs="soon"))["error"] == "Bad request"


@pytest.mark.parametrize(
    ("channel", "agent", "count"),
    [
        ("slack", None, 2),
        ("peer-coach:7", None, 3),
        (None, None, 2),
        ("Slack", None, 0),
        ("peer-coach:", None, 0),
        (None, "peer-coach", 0),
    ],
)
async def test_what_a_channel_sees_of_a_session(
    user: TestUser, channel: str | None, agent: str | None, count: int
) -> None:
    await talk(user, 2)
    await talk(user, 3, channel="peer-coach:7")
    reply = await show(user, channel=channel, agentId=agent)
    assert (reply["summary"]["messageCount"], len(reply["messages"])) == (count, count)


@pytest.mark.parametrize(
    ("where", "count"),
    [({}, 5), ({"channel": "slack"}, 2), ({"agentId": "peer-coach"}, 0)],
    ids=["all", "a channel", "a peer"],
)
async def test_all_channels_of_a_session_are_shown_to_who_asks_for_them(
    user: TestUser, where: Json, count: int
) -> None:
    """Contract 10.4, rule 2, which holds for a session as for search and recent messages."""
    await talk(user, 2)
    await talk(user, 3, channel="peer-coach:7")
    reply = await show(user, allChannels=True, **where)
    assert (reply["summary"]["messageCount"], len(reply["messages"])) == (count, count)
    assert (await show(user, 400, allChannels="true"))["details"] == "Field allChannels must be a boolean"


SNAPSHOT: Json = {
    "sessionKey": "s1",
    "channel": "slack",
    "messages": [{"role": "user", "content": "12345"}, {"role": "bot", "content": "6789", "timestamp": T0}],
}


@pytest.mark.rule("7.7 reply")
async def test_a_snapshot_is_counted_in_messages_and_tokens(user: TestUser) -> None:
    reply = await post(user, "snapshot", SNAPSHOT)
    assert reply == {
        "ok": True,
        "id": reply["id"],
        "messageCount": 2,
        "totalTokens": 3,
        "createdAt": reply["createdAt"],
    }
    assert reply["id"].startswith("snap_")


@pytest.mark.rule("7.7 messages", "7.7 reason")
async def test_a_snapshot_keeps_roles_words_times_and_its_reason(user: TestUser) -> None:
    snapshot_id = (await post(user, "snapshot", SNAPSHOT))["id"]
    memory_id = (await post(user, "capture", {"title": "t", "content": "c", "sourceSnapshotId": snapshot_id}))["id"]
    kept = (await post(user, "trace", {"memoryId": memory_id}))["snapshot"]
    assert [(row["role"], row["content"], row["timestamp"]) for row in kept["messages"]] == [
        ("user", "12345", None),
        ("assistant", "6789", T0),
    ]
    assert kept["reason"] == "manual"


@pytest.mark.rule("7.7 reason")
async def test_a_given_reason_is_kept(user: TestUser) -> None:
    snapshot_id = (await post(user, "snapshot", SNAPSHOT | {"reason": "compaction"}))["id"]
    memory_id = (await post(user, "capture", {"title": "t", "content": "c", "sourceSnapshotId": snapshot_id}))["id"]
    assert (await post(user, "trace", {"memoryId": memory_id}))["snapshot"]["reason"] == "compaction"


@pytest.mark.rule("7.7 messages", "7.7 sessionKey, channel")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"messages": None}, "Missing required field: messages"),
        ({"messages": []}, "Missing required field: messages"),
        ({"messages": "text"}, "Field messages must be an array"),
        ({"messages": [{"role": "user"}]}, "Missing required field: messages[0].content"),
        ({"messages": [{"content": 5}]}, "Field messages[0].content must be a string"),
        ({"sessionKey": " "}, "Missing required field: sessionKey"),
        ({"reason": 1}, "Field reason must be a string"),
    ],
    ids=lambda value: str(value)[:50],
)
async def test_a_snapshot_that_is_not_whole_is_refused(user: TestUser, fields: Json, details: str) -> None:
    assert await post(user, "snapshot", SNAPSHOT | fields, status=400) == {"error": "Bad request", "details": details}


@pytest.mark.rule("7.7 messages")
async def test_a_snapshot_holds_ten_thousand_messages(user: TestUser) -> None:
    messages = [{"role": "user", "content": "word"}] * 10_000
    assert (await post(user, "snapshot", SNAPSHOT | {"messages": messages}))["messageCount"] == 10_000
    refusal = await post(user, "snapshot", SNAPSHOT | {"messages": [*messages, messages[0]]}, status=400)
    assert refusal["details"] == "Field messages exceeds maximum length of 10000 items"


@pytest.mark.parametrize("channel", [None, "", "  "])
async def test_a_snapshot_may_have_no_channel(user: TestUser, channel: str | None) -> None:
    sent = {"sessionKey": "s", "channel": channel, "messages": [{"role": "user", "content": "Hello"}]}
    reply = await user.http.post(
        "/api/mcp/snapshot", json={key: value for key, value in sent.items() if value is not None}
    )
    assert (reply.status_code, reply.json()["messageCount"]) == (200, 1)
