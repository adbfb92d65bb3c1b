"""Contract 10.2 and 10.3 over HTTP: every row of the truth tables of knowledge bases and of ordinary memories.

The suite asks for each row of knowledge bases once, in tests/memd/recall/test_visibility.py.
"""

from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from memd.context import Services
from tests.domain.visibility.visibility_tables import KNOWLEDGE_BASES, MEMORIES
from tests.support.limits import another, client
from tests.support.service import TestUser
from tests.support.wire import capture, make_base, post, send

WORD = "walrus"
TEXTS = {
    "N": f"The {WORD} sleeps on northern ice floes all winter.",
    "P": f"Feeding times of our {WORD} are noon and six.",
    "X": f"A {WORD} tusk can grow to one metre in length.",
    "O": f"Tickets for the {WORD} show cost twelve euros.",
    "S": f"Who painted the {WORD} mural in the harbour?",
}
POLICIES = {"str": "strict", "perm": "permissive"}


def rows(table: list[Any]) -> list[Any]:
    return [pytest.param(*row[1:], id=f"row {row[0]}") for row in table]


def absent(text: str) -> str | None:
    return None if text == "-" else text


async def fill(user: TestUser, scope: str | None, policy: str, agents: str, q: str | None) -> str:
    """A knowledge base with a chunk of each kind; its scope is set last, so that N stays without a channel."""
    base = await make_base(user, agentIds=[] if agents == "-" else agents.split(","), peerScopePolicy=POLICIES[policy])
    channels = {"N": None, "P": scope, "X": q, "O": "peer-coach:99", "S": "slack:88"}
    chunks = [
        {"content": TEXTS[name], "metadata": {"title": name}} | ({"channel": channel} if channel else {})
        for name, channel in channels.items()
        if channel is not None or name == "N"
    ]
    await send(user, "POST", f"/api/knowledge-bases/{base}/import", {"chunks": chunks}, status=201)
    await send(user, "PATCH", f"/api/knowledge-bases/{base}", {"scope": scope})
    return base


async def ask(http: httpx.AsyncClient, base: str, way: str, query: str, asked: dict[str, Any]) -> set[str]:
    """The texts that one way of asking returns."""
    if way == "q":
        path, key, more = f"/api/knowledge-bases/{base}/query", "results", {}
    else:
        path, key, more = "/api/mcp/recall", "memories", {"knowledgeBaseId": base} if way == "n" else {}
    reply = await http.post(path, json={"query": query, "limit": 20, **asked, **more})
    assert reply.status_code == 200, reply.text
    return {row["content"] for row in reply.json()[key]}


@pytest.mark.long
@pytest.mark.parametrize(("base", "asked", "returned"), rows(KNOWLEDGE_BASES))
async def test_truth_table_of_knowledge_bases(
    services: Services, user: TestUser, base: str, asked: str, returned: str
) -> None:
    scope, policy, agents = base.split(" / ")
    agent, q, how = asked.split(" / ")
    way, *switches = how.split()
    base_id = await fill(user, absent(scope), policy, agents, absent(q))
    if "archived" in switches:
        await send(user, "DELETE", f"/api/knowledge-bases/{base_id}")
    request = {"channel": absent(q), "agentId": absent(agent)}
    async with AsyncExitStack() as stack:
        http = user.http
        if "strict-off" in switches:
            app, _ = await stack.enter_async_context(another(services, visibility_kb_peer_strict=False))
            http = await stack.enter_async_context(client(app, user.key))
        found = set[str]().union(*[await ask(http, base_id, way, text, request) for text in TEXTS.values()])
    assert found == (set[str]() if returned == "hidden" else {TEXTS[name] for name in returned.split()})


@pytest.mark.parametrize(("q", "channel", "seen"), rows(MEMORIES))
async def test_truth_table_of_memories(user: TestUser, q: str | None, channel: str | None, seen: bool) -> None:
    fields = {"content": TEXTS["N"], "actionTriggers": ["feed"], "channel": channel}
    memory_id = await capture(user, **{name: value for name, value in fields.items() if value is not None})
    expected = [memory_id] if seen else []
    recalled = await post(user, "recall", {"query": WORD, "channel": q})
    assert [row["id"] for row in recalled["memories"]] == expected
    triggered = await post(user, "triggers", {"tools": ["feed"], "channel": q})
    assert [row["id"] for row in triggered["memories"]] == expected
    woken = await post(user, "wake", {"channel": q})
    assert [row["id"] for row in woken["recentMemories"]] == expected
    status = 200 if seen or q is None else 403
    for path in ("memory", "trace"):
        reply = await post(user, path, {"memoryId": memory_id, "channel": q}, status=status)
        assert ("error" in reply) == (status == 403)
