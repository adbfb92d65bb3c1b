"""Contract 16, rows 24–28: what the hooks of Claude Code and Codex send, and that the reply has what they read."""

import asyncio

import pytest

from tests.support.service import TestUser
from tests.support.wire import Json, capture, post

CHANNEL = "claude-code:/w/app"
MESSAGE: Json = {"role": "user", "content": "Where do we log errors?", "channel": CHANNEL, "sessionKey": "s1"}
CAPTURED: Json = {
    "title": "Prompt at 10:31",
    "content": "Where do we log errors?",
    "store": "sensory",
    "category": "conversation",
    "tags": ["auto-capture", "claude-code"],
    "channel": CHANNEL,
}


async def test_row_24_wake(user: TestUser) -> None:
    await post(user, "log", MESSAGE)
    await capture(user, title="Errors go to the journal", channel=CHANNEL)
    await post(user, "checkpoint", {"label": "Green build", "channel": CHANNEL})
    reply = await post(user, "wake", {"channel": CHANNEL, "sessionKey": "s1"})
    assert len(reply["recentMessages"]) == 1
    assert [row["title"] for row in reply["recentMemories"]] == ["Errors go to the journal"]
    assert reply["lastCheckpoint"]["label"] == "Green build"
    assert "Where do we log errors?" in reply["briefing"]


@pytest.mark.parametrize("limit", [3, 8])
@pytest.mark.parametrize("mode", ["general", "decision", "project", "people", "workflow", "conversation"])
async def test_row_25_recall(user: TestUser, limit: int, mode: str) -> None:
    fields = {"title": "Logging", "content": "We decided that errors go to the journal.", "tags": ["ops"]}
    await capture(user, **fields, category="decision", store="semantic", channel=CHANNEL)
    body: Json = {"query": "where do errors go?", "limit": limit, "mode": mode, "channel": CHANNEL, "sessionKey": "s1"}
    rows = (await post(user, "recall", body))["memories"]
    seen = [{name: row[name] for name in fields} for row in rows]
    assert seen == ([fields] if mode in {"general", "decision", "project", "people"} else [])


async def test_row_26_log_in_parallel_with_capture(user: TestUser) -> None:
    log = MESSAGE | {"turnId": "t1", "turnMessageIndex": 0}
    replies = await asyncio.gather(
        user.http.post("/api/mcp/log", json=log),
        user.http.post("/api/mcp/capture", json=CAPTURED),
        user.http.post("/api/mcp/wake", json={"channel": CHANNEL}),
        user.http.post("/api/mcp/recall", json={"query": "errors", "limit": 3, "channel": CHANNEL}),
    )
    assert [reply.status_code for reply in replies] == [200] * 4


async def test_row_27_capture_and_its_replay_with_another_title(user: TestUser) -> None:
    first = await post(user, "capture", CAPTURED)
    replay = await post(user, "capture", CAPTURED | {"title": "Prompt at 10:32"})
    assert replay["id"] == first["id"]


@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize("timestamp", [None, 1_700_000_000_000], ids=["now", "back-fill"])
async def test_row_28_a_sweep_may_be_replayed_for_ever(user: TestUser, index: int, timestamp: int | None) -> None:
    body = MESSAGE | {"turnMessageIndex": index, "timestamp": timestamp}
    ids = {(await post(user, "log", body))["id"] for _ in range(3)}
    captured = {(await post(user, "capture", CAPTURED))["id"] for _ in range(3)}
    assert (len(ids), len(captured)) == (1, 1)
    assert len((await post(user, "recent-messages", {"channel": CHANNEL}))["messages"]) == 1
