"""Contract 16, rows 29–41: what the MCP stdio wrapper sends, and that the reply has what it reads."""

from typing import Any

import pytest

from tests.support.service import TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send

CHANNEL = "claude-code:/w/app"
BASES = "/api/knowledge-bases"


async def test_row_29_capture(user: TestUser) -> None:
    body: Json = {
        "title": "T",
        "content": "C",
        "store": "semantic",
        "category": "fact",
        "tags": ["a"],
        "channel": CHANNEL,
    }
    assert (await post(user, "capture", body))["id"].startswith("mem_")


async def test_row_30_recall(user: TestUser) -> None:
    await capture(user, title="Coffee", content="The machine is in the kitchen.", channel=CHANNEL)
    await fill(user, await make_base(user), chunk("The coffee machine was bought in May."))
    body: Json = {"query": "coffee", "channel": CHANNEL, "includeAssociations": True, "includeArchived": False}
    rows = (await post(user, "recall", body))["memories"]
    assert len(rows) == 2
    for row in rows:
        assert isinstance(row["store"], str)
        assert isinstance(row["tags"], list)
        assert row.keys() >= {"title", "content", "strength", "confidence", "score", "category"}


@pytest.mark.parametrize("path", ["recent-messages", "search-messages"])
async def test_row_31_messages(user: TestUser, path: str) -> None:
    words = {"role": "user", "content": "Where is the coffee?", "channel": CHANNEL, "sessionKey": "s1"}
    await post(user, "log", words)
    body: Json = {"limit": 5, "channel": CHANNEL, "sessionKey": "s1", "sinceMs": 1_700_000_000_000}
    rows = (await post(user, path, body | ({"query": "coffee"} if path.startswith("search") else {})))["messages"]
    assert [{name: row[name] for name in words} for row in rows] == [words]
    assert isinstance(rows[0]["timestamp"], int)


async def test_row_32_trace_edit_update_supersede(user: TestUser) -> None:
    memory_id = await capture(user)
    assert (await post(user, "trace", {"memoryId": memory_id, "channel": CHANNEL}))["memory"]["id"] == memory_id
    assert (await post(user, "edit", {"memoryId": memory_id, "content": "one"}))["success"] is True
    assert (await post(user, "update", {"memoryId": memory_id, "content": "two"}))["success"] is True
    body = {"oldMemoryId": memory_id, "title": "t", "content": "three", "reason": "newer"}
    assert (await post(user, "supersede", body))["action"] == "superseded"


@pytest.mark.parametrize(("permanent", "action"), [(False, "archived"), (True, "deleted")])
async def test_row_33_forget(user: TestUser, action: str, *, permanent: bool) -> None:
    memory_id = await capture(user, channel=CHANNEL)
    body: Json = {"memoryId": memory_id, "permanent": permanent, "reason": "old", "channel": CHANNEL}
    reply = await post(user, "forget", body)
    assert (reply["success"], reply["action"], reply["archived"]) == (True, action, not permanent)


async def test_row_34_stats_by_post(user: TestUser) -> None:
    await capture(user, title="Strong", strength=1)
    await post(user, "forget", {"memoryId": await capture(user)})
    reply = await post(user, "stats", {"channel": CHANNEL})
    assert (reply["totalMemories"], reply["archivedCount"], reply["recentCaptures"]) == (1, 1, 1)
    assert (reply["avgStrength"], reply["byStore"]["episodic"]) == (1, 1)
    assert [row["title"] for row in reply["strongest"]] == ["Strong"]


async def test_row_35_checkpoint(user: TestUser) -> None:
    body: Json = {"mode": "create", "label": "Now", "memoryIds": [await capture(user)]}
    assert (await post(user, "checkpoint", body))["memoryCount"] == 1
    assert [row["label"] for row in (await post(user, "checkpoint", {"mode": "list"}))["checkpoints"]] == ["Now"]


async def test_row_36_wake(user: TestUser) -> None:
    goal = await capture(user, title="Ship it", category="goal")
    await capture(user, title="Postgres it is", category="decision")
    reply = await post(user, "wake", {"channel": CHANNEL})
    assert "Ship it" in reply["briefing"]
    assert [(row["title"], row["memoryId"]) for row in reply["openGoals"]] == [("Ship it", goal)]
    assert [row["title"] for row in reply["recentDecisions"]] == ["Postgres it is"]


async def test_row_37_list_of_knowledge_bases(user: TestUser) -> None:
    base = await make_base(user, name="Handbook", scope=CHANNEL)
    reply = await send(user, "GET", BASES, includeInactive="false", scope=CHANNEL)
    assert [(row["_id"], row["name"]) for row in reply["knowledgeBases"]] == [(base, "Handbook")]


async def test_row_38_create_a_knowledge_base(user: TestUser) -> None:
    body: Json = {"name": "Handbook", "description": "d", "agentIds": ["main"], "sourceType": "wiki"}
    assert (await post(user, BASES, body, status=201))["knowledgeBaseId"].startswith("kb_")


async def test_row_39_import(user: TestUser) -> None:
    base = await make_base(user)
    reply = await fill(user, base, {"content": "words", "metadata": {"title": "T", "sourceUrl": "https://a.example"}})
    assert (reply["importedCount"], reply["ok"]) == (1, True)
    refusal = await fill(user, base, {"content": "words", "metadata": {}}, status=400)
    assert refusal == {"error": "Invalid chunk", "index": 0, "details": "Missing required field: metadata.title"}


async def test_row_40_query(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, chunk("The coffee machine is in the kitchen."))
    body: Json = {"query": "coffee machine", "limit": 5, "agentId": "main", "channel": CHANNEL}
    reply = await post(user, f"{BASES}/{base}/query", body)
    assert [row["content"] for row in reply["results"]] == [row["content"] for row in reply["memories"]]
    assert len(reply["results"]) == 1


@pytest.mark.parametrize("path", ["ideas", "ideas/update", "recallLog"])
async def test_row_41_organic(user: TestUser, path: str) -> None:
    reply = await post(user, f"/api/organic/{path}", {"id": "i1", "status": "seen"})
    assert reply["ideas"] == [] if path == "ideas" else reply["ok"] is True


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/mcp/wake"),
        ("POST", "/api/mcp/stats"),
        ("POST", "/api/mcp/recent-messages"),
        ("POST", "/api/mcp/triggers"),
        ("POST", "/api/organic/ideas"),
        ("POST", "/api/mcp/rate-limit-check"),
        ("GET", "/api/mcp/stats"),
        ("GET", "/api/mcp/auth"),
        ("GET", BASES),
    ],
)
@pytest.mark.parametrize("headers", [{}, {"Content-Type": "application/json"}], ids=["bare", "json"])
async def test_requests_without_a_body_work(user: TestUser, method: str, path: str, headers: dict[str, str]) -> None:
    assert (await user.http.request(method, path, headers=headers)).status_code == 200


@pytest.mark.parametrize("path", ["wake", "recent-messages", "stats", "triggers"])
async def test_a_blank_channel_counts_as_absent(user: TestUser, path: str) -> None:
    await capture(user)
    blank: Any = await post(user, path, {"channel": "", "agentId": " "})
    absent: Any = await post(user, path, {})
    assert blank.keys() == absent.keys()
    assert blank.get("recentMemories") == absent.get("recentMemories")
