"""Who sees which memories and chunks (contract 10.2, 10.3), over HTTP: in recall and in the query of a knowledge base.

Every row for memories is shown by tests/memd/access/test_truth_tables.py too, with the other ways to read them.
"""

from dataclasses import dataclass

import pytest
import structlog

from memd.context import Services
from tests.domain.visibility.visibility_tables import KNOWLEDGE_BASES, MEMORIES
from tests.support.limits import another, client
from tests.support.service import TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send

MEMORY_IDS = [str(row[0]) for row in MEMORIES]
BASE_IDS = [str(row[0]) for row in KNOWLEDGE_BASES]


def absent(text: str) -> str | None:
    return None if text == "-" else text


@pytest.mark.long
@pytest.mark.rule("6.2 channel, agentId")
@pytest.mark.parametrize(("channel", "stored", "seen"), [row[1:] for row in MEMORIES], ids=MEMORY_IDS)
async def test_truth_table_of_memories(user: TestUser, channel: str | None, stored: str | None, seen: bool) -> None:
    memory_id = await capture(user, content="The boiler is warm.", channel=stored)
    reply = await post(user, "recall", {"query": "boiler", "channel": channel})
    assert [row["id"] for row in reply["memories"]] == ([memory_id] if seen else [])


@pytest.mark.rule("6.2 channel, agentId")
async def test_the_peer_scope_replaces_the_channel(user: TestUser) -> None:
    memory_id = await capture(user, content="The boiler is warm.", channel="peer-coach:7")
    for scope, found in (("peer-coach:7", [memory_id]), ("peer-coach:8", []), ("peer-coach:", [])):
        reply = await post(user, "recall", {"query": "boiler", "channel": "peer-coach:7", "peerScope": scope})
        assert [row["id"] for row in reply["memories"]] == found


async def test_the_owner_sees_all_channels_when_asking_for_them(user: TestUser) -> None:
    channels = (None, "slack", "peer-coach:7", "discord:group:1")
    stored = {await capture(user, content=f"boiler {channel}", channel=channel) for channel in channels}
    reply = await post(user, "recall", {"query": "boiler", "allChannels": True})
    assert {row["id"] for row in reply["memories"]} == stored


@pytest.mark.rule("6.2 channel, agentId")
async def test_a_peer_capable_agent_without_a_channel_sees_no_memory(user: TestUser) -> None:
    await capture(user, content="The boiler is warm.")
    for fields in ({}, {"allChannels": True}):
        assert (await post(user, "recall", {"query": "boiler", "agentId": "peer-coach"} | fields))["memories"] == []


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table of knowledge bases."""

    scope: str | None
    policy: str
    agents: tuple[str, ...]
    agent: str | None
    channel: str | None
    way: str
    seen: frozenset[str]
    strict: bool
    archived: bool


def parsed(base: str, request: str, seen: str) -> Row:
    scope, policy, agents = base.split(" / ")
    agent, channel, way = request.split(" / ")
    return Row(
        scope=absent(scope),
        policy="permissive" if policy == "perm" else "strict",
        agents=() if agents == "-" else tuple(agents.split(",")),
        agent=absent(agent),
        channel=absent(channel),
        way=way[0],
        seen=frozenset() if seen == "hidden" else frozenset(seen.split()),
        strict="strict-off" not in way,
        archived="archived" in way,
    )


async def stocked(user: TestUser, row: Row) -> str:
    """The knowledge base of a row with all its chunks; one without a channel comes in before there is a scope."""
    base = await make_base(user)
    places = {"N": None, "P": row.scope, "X": row.channel, "O": "peer-coach:99", "S": "slack:88"}
    chunks = [chunk(f"boiler of {name}", channel=place) for name, place in places.items() if name == "N" or place]
    await fill(user, base, *chunks)
    binding = {"scope": row.scope, "peerScopePolicy": row.policy, "agentIds": list(row.agents)}
    await send(user, "PATCH", f"/api/knowledge-bases/{base}", binding)
    if row.archived:
        await send(user, "DELETE", f"/api/knowledge-bases/{base}")
    return base


@pytest.mark.rule("8.8 agentId, channel, peerScope", "8.8 not visible")
@pytest.mark.parametrize("row", [parsed(*row[1:]) for row in KNOWLEDGE_BASES], ids=BASE_IDS)
async def test_truth_table_of_knowledge_bases(user: TestUser, services: Services, row: Row) -> None:
    base = await stocked(user, row)
    request: Json = {"query": "what is the boiler standard", "agentId": row.agent, "channel": row.channel, "limit": 20}
    path = f"/api/knowledge-bases/{base}/query" if row.way == "q" else "/api/mcp/recall"
    named = {"knowledgeBaseId": base} if row.way == "n" else {}
    if row.strict:
        reply = (await user.http.post(path, json=request | named)).json()
    else:
        async with another(services, visibility_kb_peer_strict=False) as (app, _), client(app, user.key) as http:
            reply = (await http.post(path, json=request | named)).json()
    found = reply["results" if row.way == "q" else "memories"]
    assert {chunk["content"][-1] for chunk in found} == row.seen
    hidden = [entry["knowledgeBaseId"] for entry in reply["retrieval"]["hidden"]]
    assert hidden == ([] if row.seen else [base])


async def test_the_operator_sees_blocked_knowledge_bases_and_dropped_chunks(user: TestUser) -> None:
    base = await stocked(user, parsed("peer-coach:7 / str / peer-coach", "peer-coach / peer-coach:7 / r", "N P X"))
    with structlog.testing.capture_logs() as logs:
        await post(user, "recall", {"query": "boiler", "agentId": "peer-coach", "channel": "peer-coach:7"})
        await post(user, "recall", {"query": "boiler", "agentId": "peer-coach", "channel": "peer-coach:8"})
    entries = [entry for entry in logs if entry["event"].startswith("mc.metric.kb-")]
    assert [{name: value for name, value in entry.items() if name != "requestId"} for entry in entries] == [
        {"event": "mc.metric.kb-chunk-drop", "log_level": "info", "kbId": base, "scope": "peer-coach:7", "dropped": 2},
        {"event": "mc.metric.kb-peer-block", "log_level": "info", "kbId": base, "reason": "peer-scope-mismatch"},
    ]
    assert all(entry["requestId"].startswith("req_") for entry in entries)
    assert "boiler" not in str(logs)
