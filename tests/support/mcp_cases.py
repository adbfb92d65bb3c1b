"""The tools compared with the endpoints they call: two users with the same memories, and what may differ."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest

from tests.support.service import TestUser

TIMES: Final = {
    "createdAt",
    "updatedAt",
    "timestamp",
    "lastAccessedAt",
    "startedAt",
    "endedAt",
    "supersededAt",
    "graphEnrichedAt",
}
"""The two users did the same things, but not in the same millisecond."""
A_WHILE_MS: Final = 600_000
FRESHNESS: Final = 0.0001
"""The most that a score changes within a few seconds."""
OPAQUE: Final = {
    *("continueCursor", "cursor"),  # a cursor holds the id of the last row and whose list it is
    # one asks after the other, and the vectors of both come from one cache
    *("embeddings_used_today", "embeddingsToday"),
}
IDENTIFIER: Final = re.compile(r"\b(mem|kb|msg|ckpt|imp|snap|node|rel)_[0-7][0-9a-hjkmnp-tv-z]{25}\b")
CHANNEL: Final = "desk"
IN_CHANNEL: Final = {"channel": CHANNEL}


@dataclass(frozen=True, slots=True)
class World:
    """A user and the ids of what it has, by name."""

    user: TestUser
    ids: dict[str, str]


Body = Callable[[dict[str, str]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Case:
    """A tool call and the equivalent request."""

    tool: str
    arguments: Body
    method: str
    path: str
    body: Body | None = None


def plain(value: dict[str, Any]) -> Body:
    return lambda _ids: value


def of(name: str, **more: Any) -> Body:
    return lambda ids: {"memoryId": ids[name], **more}


RECALL: Final = "/api/mcp/recall"
QUERY: Final = {"query": "who keeps the invoices", "channel": CHANNEL, "limit": 5}
RELEVANT: Final = {"minEvidence": 0.35}
"""Tools leave weak rows out."""
TURN: Final = {"sessionKey": "s2", "channel": CHANNEL, "turnId": "t9", "assistantMessage": "Done.", "userMessage": "Do"}
CASES: Final = (
    Case("recall", plain(QUERY), "POST", RECALL, plain(QUERY | RELEVANT)),
    Case(
        "context",
        plain({"query": "invoices"}),
        "POST",
        "/api/mcp/context",
        plain({"query": "invoices", "tokenBudget": 500}),
    ),
    Case("capture", plain({"title": "New", "content": "A new thing.", "tags": ["x"]}), "POST", "/api/mcp/capture"),
    Case("search_messages", plain({"query": "invoices"} | IN_CHANNEL), "POST", "/api/mcp/search-messages"),
    Case("recent_messages", plain({"limit": 5, "order": "newest"}), "POST", "/api/mcp/recent-messages"),
    Case("wake", plain(IN_CHANNEL), "POST", "/api/mcp/wake"),
    Case("checkpoint", plain({"label": "Now"} | IN_CHANNEL), "POST", "/api/mcp/checkpoint"),
    Case("checkpoint", plain({"mode": "list"}), "POST", "/api/mcp/checkpoint"),
    Case("trace", of("rule"), "POST", "/api/mcp/trace"),
    Case("get_memory", of("rule", channel=CHANNEL), "POST", "/api/mcp/memory"),
    Case("update", of("rule", tags=["kept"], confidence=0.7), "POST", "/api/mcp/update"),
    Case(
        "supersede",
        lambda ids: {"oldMemoryId": ids["old"], "title": "Newer", "content": "It changed.", "reason": "moved"},
        "POST",
        "/api/mcp/supersede",
    ),
    Case("forget", of("gone", permanent=True, reason="asked"), "POST", "/api/mcp/forget"),
    Case("stats", plain({}), "GET", "/api/mcp/stats"),
    Case("reflect", plain({"windowHours": 2}), "POST", "/api/mcp/reflect"),
    Case("triggers", plain({"tools": ["deploy"]} | IN_CHANNEL), "POST", "/api/mcp/triggers"),
    Case("list_knowledge_bases", plain({}), "GET", "/api/knowledge-bases"),
    Case("create_knowledge_base", plain({"name": "Law", "scope": "law"}), "POST", "/api/knowledge-bases"),
    Case(
        "import_knowledge",
        lambda ids: {"knowledgeBaseId": ids["base"], "text": "One. Two.", "title": "T", "dedupeKeyPrefix": "t"},
        "POST",
        "/api/knowledge-bases/{base}/import",
        plain({"text": "One. Two.", "title": "T", "dedupeKeyPrefix": "t"}),
    ),
    Case(
        "query_knowledge_base",
        plain({"knowledgeBaseName": " HANDBOOK ", "query": "holidays", "limit": 3}),
        "POST",
        "/api/knowledge-bases/{base}/query",
        plain({"query": "holidays", "limit": 3}),
    ),
    Case(
        "list_knowledge_base_memories",
        lambda ids: {"knowledgeBaseId": ids["base"], "limit": 1},
        "GET",
        "/api/knowledge-bases/{base}/memories?limit=1",
    ),
    Case("what_do_i_know", plain({"topic": "invoices"}), "POST", RECALL, plain({"query": "invoices"} | RELEVANT)),
    Case(
        "why_did_we",
        plain({"decision": "move the invoices"}),
        "POST",
        RECALL,
        plain({"query": "move the invoices", "mode": "decision", "limit": 8} | RELEVANT),
    ),
    Case(
        "preflight",
        plain({"action": "deploy", "compact": False} | IN_CHANNEL),
        "POST",
        RECALL,
        plain({"query": "deploy", "categories": ["rule", "lesson", "decision"], "limit": 10} | IN_CHANNEL | RELEVANT),
    ),
    Case("who_owns", plain({"entity": "Ledger"}), "POST", "/api/mcp/graph/who-owns"),
    Case("explain_connection", plain({"entityA": "A", "entityB": "B"}), "POST", "/api/mcp/graph/explain-connection"),
    Case("dependency_chain", plain({"entity": "Ledger", "maxDepth": 2}), "POST", "/api/mcp/graph/dependency-chain"),
    Case("log_turn", plain(TURN), "POST", "/api/mcp/turn"),
    Case(
        "empty_knowledge_base",
        lambda ids: {"knowledgeBaseId": ids["base"], "confirm": True},
        "POST",
        "/api/knowledge-bases/{base}/empty",
        plain({}),
    ),
)


async def furnish(user: TestUser) -> World:
    """The same memories, messages and documents for whoever it is."""
    memories = {
        "rule": ("Deploy rule", "Never deploy the Ledger on a Friday.", "rule"),
        "old": ("Invoices", "The Ledger team keeps the invoices.", "decision"),
        "gone": ("Gone", "Something that is to be forgotten.", "fact"),
    }
    ids: dict[str, str] = {}
    for name, (title, content, category) in memories.items():
        fields = {"title": title, "content": content, "category": category, "store": "semantic"} | IN_CHANNEL
        reply = await user.http.post("/api/mcp/capture", json=fields | {"actionTriggers": ["deploy"]})
        ids[name] = reply.json()["id"]
    turn = {"sessionKey": "s1", "turnId": "t1", "userMessage": "Where are the invoices?", "assistantMessage": "Here."}
    await user.http.post("/api/mcp/turn", json=turn | IN_CHANNEL)
    ids["base"] = (await user.http.post("/api/knowledge-bases", json={"name": "Handbook"})).json()["id"]
    chunks = [{"content": f"Holidays, part {n}.", "metadata": {"title": f"Part {n}"}} for n in range(2)]
    await user.http.post(f"/api/knowledge-bases/{ids['base']}/import", json={"chunks": chunks})
    return World(user, ids)


def differences(one: Any, other: Any, path: str = "") -> list[str]:
    """Where two replies differ, but for what must differ between two users and two moments."""
    name = path.rpartition(".")[2]
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [found for key in one for found in differences(one[key], other[key], f"{path}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [found for a, b in zip(one, other, strict=True) for found in differences(a, b, path)]
    if type(one) is type(other) and (name in OPAQUE or settled(one) == settled(other) or near(name, one, other)):
        return []
    return [f"{path}: {one} and {other}"]


def near(name: str, one: Any, other: Any) -> bool:
    """Whether two moments are close, or two numbers that freshness plays a part in."""
    if name in TIMES:
        apart: float = abs(one - other)
        return apart < A_WHILE_MS
    return isinstance(one, float) and one == pytest.approx(other, abs=FRESHNESS)


def settled(value: Any) -> Any:
    """A text without its ids."""
    return IDENTIFIER.sub(r"\1", value) if isinstance(value, str) else value


async def over_http(world: World, case: Case) -> Any:
    body = (case.body or case.arguments)(world.ids)
    path = case.path.format(**world.ids)
    reply = await world.user.http.request(case.method, path, **({} if case.method == "GET" else {"json": body}))
    assert reply.is_success, reply.text
    return reply.json()
