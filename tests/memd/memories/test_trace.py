"""POST /api/mcp/trace (contract 6.7): the talk behind a memory, its neighbours, or the reason why there is none."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.ids import decode
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, post

GONE = "The source conversation is no longer available."
UNKNOWN = "Stored before conversation tracking began. The source conversation is not known."


async def talk(user: TestUser, count: int, **fields: Any) -> list[str]:
    """Store messages one second apart; their ids, in order."""
    ids: list[str] = []
    for number in range(count):
        turn = {
            "sessionKey": "s1",
            "channel": "slack",
            "turnId": f"t{number}{fields}",
            "assistantMessage": f"Message {number}",
            "timestamp": 1_700_000_000_000 + number * 1000,
        }
        ids.append((await post(user, "turn", turn | fields))["messages"][0]["id"])
    return ids


async def link(services: Services, user: TestUser, memory_id: str, **columns: Any) -> None:
    """Give a memory its origin, as extraction does."""
    assignments = ", ".join(f"{name} = %({name})s" for name in columns)
    async with services.database.write(user.id) as session:
        await session.execute(
            f"UPDATE memory SET {assignments} WHERE id = %(id)s", {**columns, "id": decode("mem", memory_id)}
        )


@pytest.mark.rule(
    "6.7 reply: memory",
    "6.7 reply: sourceConversation",
    "6.7 reply: snapshot",
    "6.7 reply: reason",
    "6.7 case: no link, written directly",
)
@pytest.mark.parametrize("source", ["external", "cron", "observation", "inference"])
async def test_a_memory_written_directly_says_so(user: TestUser, source: str) -> None:
    memory_id = await capture(user, title="T", content="C", store="semantic", category="fact", source=source)
    reply = await post(user, "trace", {"memoryId": memory_id})
    assert reply == {
        "memory": {
            "id": memory_id,
            "title": "T",
            "content": "C",
            "store": "semantic",
            "category": "fact",
            "source": source,
            "createdAt": reply["memory"]["createdAt"],
        },
        "sourceConversation": [],
        "contextBefore": [],
        "contextAfter": [],
        "snapshot": None,
        "sourceMemories": [],
        "reason": f"Written directly through the API (source: {source}). No conversation stands behind this memory.",
    }


async def test_a_reflection_names_the_memories_that_it_was_made_from(services: Services, user: TestUser) -> None:
    messages = [
        "We decided to keep Postgres for the ledger. The talk took an hour.",
        "The pump was cleaned on Tuesday.",
        "Anna paints the fence.",
    ]
    ids = [
        await capture(user, title=f"Note {index}", content=text, store="episodic", category="event")
        for index, text in enumerate(messages)
    ]
    made = (await post(user, "reflect", {"windowHours": 1}))["memoryIds"]
    replies = [await post(user, "trace", {"memoryId": memory_id}) for memory_id in made]
    sources = {reply["memory"]["title"].split(":")[0]: reply["sourceMemories"] for reply in replies}
    assert [row["id"] for row in sources["Decision"]] == [ids[0]]
    assert [row["content"] for row in sources["Reflection summary"]] == messages
    assert {row["archived"] for row in sources["Reflection summary"]} == {False}
    assert {reply["reason"] for reply in replies} == {
        "Made by memd from 1 memory, listed as its sources.",
        "Made by memd from 3 memories, listed as its sources.",
    }
    decision = next(reply["memory"]["id"] for reply in replies if reply["memory"]["title"].startswith("Decision"))
    await post(user, "forget", {"memoryId": ids[0], "permanent": True})
    await post(user, "trace", {"memoryId": decision}, status=404)  # made from that memory alone
    summary = next(reply["memory"]["id"] for reply in replies if reply["memory"]["title"].startswith("Reflection"))
    left = await post(user, "trace", {"memoryId": summary})
    assert [row["id"] for row in left["sourceMemories"]] == ids[1:]


@pytest.mark.rule("6.7 case: no link, other source")
async def test_a_memory_of_talk_without_a_link_says_that_it_is_not_known(services: Services, user: TestUser) -> None:
    memory_id = await capture(user)
    await link(services, user, memory_id, source="conversation")
    assert (await post(user, "trace", {"memoryId": memory_id}))["reason"] == UNKNOWN


@pytest.mark.rule("6.7 reply: sourceConversation", "6.7 reply: contextBefore, contextAfter", "6.7 reply: reason")
async def test_the_conversation_comes_with_five_neighbours_on_each_side(services: Services, user: TestUser) -> None:
    ids = await talk(user, 14)
    memory_id = await capture(user)
    await link(
        services, user, memory_id, source="conversation", source_message_ids=[decode("msg", i) for i in ids[6:8]]
    )
    reply = await post(user, "trace", {"memoryId": memory_id})
    assert reply["sourceConversation"] == [
        {
            "role": "assistant",
            "text": f"Message {number}",
            "content": f"Message {number}",
            "timestamp": 1_700_000_000_000 + number * 1000,
            "messageId": ids[number],
        }
        for number in (6, 7)
    ]
    (fields,) = {tuple(row) for row in reply["contextBefore"] + reply["sourceConversation"] + reply["contextAfter"]}
    assert set(fields) == {"role", "text", "content", "timestamp", "messageId"}
    assert [row["messageId"] for row in reply["contextBefore"]] == ids[1:6]
    assert [row["messageId"] for row in reply["contextAfter"]] == ids[8:13]
    assert "reason" not in reply


@pytest.mark.rule("6.7 reply: contextBefore, contextAfter")
async def test_neighbours_have_the_same_session_and_the_same_channel(services: Services, user: TestUser) -> None:
    ids = await talk(user, 3)
    await talk(user, 3, channel="discord")
    await talk(user, 3, sessionKey="s2")
    memory_id = await capture(user)
    await link(services, user, memory_id, source_message_ids=[decode("msg", ids[1])])
    reply = await post(user, "trace", {"memoryId": memory_id})
    assert [row["messageId"] for row in reply["contextBefore"]] == [ids[0]]
    assert [row["messageId"] for row in reply["contextAfter"]] == [ids[2]]


async def snapshot(user: TestUser, count: int) -> str:
    messages = [{"role": "user", "content": f"Line {number}", "timestamp": number} for number in range(count)]
    body = {"sessionKey": "s", "channel": "slack", "messages": messages, "reason": "compaction"}
    return (await post(user, "snapshot", body))["id"]


@pytest.mark.rule("6.7 reply: sourceConversation", "6.7 reply: snapshot")
async def test_without_messages_the_snapshot_is_the_conversation(user: TestUser) -> None:
    snapshot_id = await snapshot(user, 2)
    memory_id = await capture(user, sourceSnapshotId=snapshot_id)
    reply = await post(user, "trace", {"memoryId": memory_id})
    assert [(row["role"], row["text"], row["timestamp"]) for row in reply["sourceConversation"]] == [
        ("user", "Line 0", 0),
        ("user", "Line 1", 1),
    ]
    assert reply["snapshot"] | {"createdAt": 0, "messages": []} == {
        "id": snapshot_id,
        "messages": [],
        "messageCount": 2,
        "omittedCount": 0,
        "createdAt": 0,
        "reason": "compaction",
    }
    assert [row["content"] for row in reply["snapshot"]["messages"]] == ["Line 0", "Line 1"]
    assert "reason" not in reply


@pytest.mark.rule("6.7 reply: snapshot")
@pytest.mark.parametrize(("count", "omitted"), [(20, 0), (21, 1), (45, 25)])
async def test_of_a_long_snapshot_the_first_and_the_last_ten_are_shown(
    user: TestUser, count: int, omitted: int
) -> None:
    memory_id = await capture(user, sourceSnapshotId=await snapshot(user, count))
    shown = (await post(user, "trace", {"memoryId": memory_id}))["snapshot"]
    lines = [row["content"] for row in shown["messages"]]
    assert (shown["messageCount"], shown["omittedCount"], len(lines)) == (count, omitted, count - omitted)
    assert lines[:10] == [f"Line {number}" for number in range(10)]
    assert lines[-10:] == [f"Line {number}" for number in range(count - 10, count)]


@pytest.mark.rule("6.7 case: expired")
async def test_expired_messages_leave_the_reason(services: Services, user: TestUser) -> None:
    ids = await talk(user, 2)
    memory_id = await capture(user)
    await link(services, user, memory_id, source_message_ids=[decode("msg", row) for row in ids])
    async with services.database.write(user.id) as session:
        await session.execute("DELETE FROM message")
    reply = await post(user, "trace", {"memoryId": memory_id})
    assert (reply["reason"], reply["sourceConversation"], reply["contextBefore"]) == (GONE, [], [])


@pytest.mark.rule("6.7 case: expired")
async def test_an_expired_snapshot_leaves_the_reason(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, sourceSnapshotId=await snapshot(user, 2))
    async with services.database.write(user.id) as session:
        await session.execute("DELETE FROM snapshot")
    reply = await post(user, "trace", {"memoryId": memory_id})
    assert (reply["reason"], reply["snapshot"]) == (GONE, None)


async def test_an_archived_memory_can_be_traced(user: TestUser) -> None:
    memory_id = await capture(user)
    await post(user, "forget", {"memoryId": memory_id})
    assert (await post(user, "trace", {"memoryId": memory_id}))["memory"]["id"] == memory_id


@pytest.mark.rule("6.7 memoryId", "6.7 channel")
async def test_who_may_trace(user: TestUser, make_user: MakeUser) -> None:
    memory_id = await capture(user, channel="peer-coach:7")
    foreign = await capture(await make_user())
    await post(user, "trace", {"memoryId": memory_id, "channel": "peer-coach:7"})
    assert await post(user, "trace", {"memoryId": memory_id, "channel": "slack"}, status=403) == {"error": "Forbidden"}
    assert await post(user, "trace", {"memoryId": foreign}, status=403) == {"error": "Forbidden"}
    assert (await post(user, "trace", {"memoryId": "mem_" + "0" * 26}, status=404))["error"] == "Memory not found"
    assert (await post(user, "trace", {}, status=400))["details"] == "Missing required field: memoryId"


async def test_a_message_of_a_snapshot_that_names_no_role_counts_as_assistant(user: TestUser) -> None:
    body = {"messages": [{"content": "Line"}], "sessionKey": "s1", "channel": "slack"}
    snapshot_id = (await post(user, "snapshot", body))["id"]
    memory_id = await capture(user, sourceSnapshotId=snapshot_id)
    conversation = (await post(user, "trace", {"memoryId": memory_id}))["sourceConversation"]
    assert [(row["role"], row["text"]) for row in conversation] == [("assistant", "Line")]
