"""A memory that got another channel does not show there what stands behind it on the one before (contract 1.2, 10.3)."""

import pytest

from tests.memd.memories.test_trace import GONE
from tests.support.service import TestUser
from tests.support.wire import Json, capture, post, send

PEER, DESK = "peer-coach:7", "slack:desk"
SECRET = "The code word is heliotrope."


async def extracted(user: TestUser) -> str:
    """A memory that was made of a turn on the peer's channel, after a message that is no one else's business."""
    where = {"sessionKey": "s1", "channel": PEER}
    await post(user, "log", {"content": SECRET, "role": "user", **where})
    told = {"userMessage": "We decided to use Kafka for the invoices.", "assistantMessage": "Noted."}
    turn = await post(user, "turn", {"turnId": "t1", "captureMode": "sync-test-only", **told, **where})
    (memory_id,) = turn["extraction"]["result"]["memoryIds"]
    return str(memory_id)


async def history(user: TestUser, memory_id: str, **query: str) -> list[Json]:
    return (await send(user, "GET", f"/api/memories/{memory_id}/history", **query))["versions"]


@pytest.mark.rule("6.7 channel")
async def test_trace_shows_no_talk_of_the_channel_before(user: TestUser) -> None:
    memory_id = await extracted(user)
    await post(user, "update", {"memoryId": memory_id, "channel": DESK})
    reply = await post(user, "trace", {"memoryId": memory_id, "channel": DESK})
    assert (reply["sourceConversation"], reply["contextBefore"], reply["contextAfter"]) == ([], [], [])
    assert reply["reason"] == GONE
    own = await post(user, "trace", {"memoryId": memory_id})
    assert [row["text"] for row in own["contextBefore"]] == [SECRET]


async def test_trace_shows_no_source_that_has_left_the_channel(user: TestUser) -> None:
    texts = ("Greta counted the chairs.", "The shed was painted on Monday.", "We keep the key in the shed.")
    first, *_ = [await capture(user, content=text, category="event", channel=DESK) for text in texts]
    made = (await post(user, "reflect"))["memoryIds"][0]
    await post(user, "update", {"memoryId": first, "channel": PEER, "content": SECRET})
    reply = await post(user, "trace", {"memoryId": made, "channel": DESK})
    assert [row["content"] for row in reply["sourceMemories"]] == [*texts[1:]]
    assert SECRET in [row["content"] for row in (await post(user, "trace", {"memoryId": made}))["sourceMemories"]]


async def test_trace_shows_no_snapshot_of_another_channel(user: TestUser) -> None:
    messages = [{"role": "user", "content": SECRET}]
    snapshot = await post(user, "snapshot", {"sessionKey": "s1", "channel": PEER, "messages": messages})
    memory_id = await capture(user, channel=DESK, sourceSnapshotId=snapshot["id"])
    reply = await post(user, "trace", {"memoryId": memory_id, "channel": DESK})
    assert (reply["snapshot"], reply["sourceConversation"]) == (None, [])
    assert (await post(user, "trace", {"memoryId": memory_id}))["snapshot"]["messageCount"] == 1


@pytest.mark.rule("17.5 history")
async def test_history_leaves_out_and_restore_refuses_versions_of_the_channel_before(user: TestUser) -> None:
    memory_id = await capture(user, content=SECRET, channel=PEER)
    await post(user, "update", {"memoryId": memory_id, "content": "There is a code word."})
    await post(user, "update", {"memoryId": memory_id, "channel": DESK})
    assert [row["version"] for row in await history(user, memory_id, channel=DESK)] == [3]
    assert [row["version"] for row in await history(user, memory_id)] == [1, 2, 3]
    path = f"/api/memories/{memory_id}/restore"
    assert await post(user, path, {"version": 1, "channel": DESK}, status=403) == {"error": "Forbidden"}
    assert (await post(user, path, {"version": 1}))["version"] == 4
