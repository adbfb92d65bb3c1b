"""POST /api/mcp/memory (contract 6.6): one memory in full, for its owner and for a channel that may see it."""

import pytest

from memctl.client import errors
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, chunk, fill, make_base, post

FIELDS = {
    "id",
    "_id",
    "title",
    "content",
    "recallText",
    "metadata",
    "store",
    "category",
    "tags",
    "createdAt",
    "updatedAt",
    "lastAccessedAt",
    "accessCount",
    "strength",
    "confidence",
    "valence",
    "arousal",
    "source",
    "channel",
    "archived",
    "actionTriggers",
    "chunkKind",
    "supersedesMemoryId",
    "supersededByMemoryId",
    "supersededAt",
    "graphEnriched",
    "graphEnrichedAt",
    "validFrom",
    "validUntil",
    "versions",
}


@pytest.mark.rule("6.6 reply")
async def test_an_ordinary_memory_has_every_field_but_those_of_chunks(user: TestUser) -> None:
    memory_id = await capture(user)
    row = (await post(user, "memory", {"memoryId": memory_id}))["memory"]
    assert row.keys() == FIELDS
    assert row["id"] == row["_id"] == memory_id


@pytest.mark.rule("6.6 reply")
async def test_a_chunk_names_its_knowledge_base_and_key(user: TestUser) -> None:
    base = await make_base(user)
    chunk_id = (await fill(user, base, chunk("words", dedupeKey="k")))["memoryIds"][0]
    row = (await post(user, "memory", {"memoryId": chunk_id}))["memory"]
    assert row.keys() == FIELDS | {"knowledgeBaseId", "dedupeKey"}
    assert (row["knowledgeBaseId"], row["dedupeKey"]) == (base, "k")
    assert (row["store"], row["category"], row["strength"], row["confidence"]) == ("semantic", "fact", 1, 1)
    assert (row["valence"], row["arousal"], row["source"]) == (0, 0, "external")


@pytest.mark.rule("6.6 access")
async def test_each_look_is_an_access(user: TestUser) -> None:
    memory_id = await capture(user)
    first = (await post(user, "memory", {"memoryId": memory_id}))["memory"]
    second = (await post(user, "memory", {"memoryId": memory_id}))["memory"]
    assert (first["accessCount"], second["accessCount"]) == (1, 2)
    assert second["lastAccessedAt"] >= first["lastAccessedAt"] >= first["createdAt"]
    assert second["updatedAt"] == first["createdAt"]


async def test_an_archived_memory_is_shown(user: TestUser) -> None:
    memory_id = await capture(user)
    await post(user, "forget", {"memoryId": memory_id})
    assert (await post(user, "memory", {"memoryId": memory_id}))["memory"]["archived"] is True


@pytest.mark.rule("6.6 memoryId")
async def test_unknown_foreign_and_malformed_ids(user: TestUser, make_user: MakeUser) -> None:
    foreign = await capture(await make_user())
    assert await post(user, "memory", {"memoryId": foreign}, status=403) == {"error": "Forbidden"}
    assert await post(user, "memory", {"memoryId": "mem_" + "0" * 26}, status=404) == {"error": "Memory not found"}
    malformed = await post(user, "memory", {"memoryId": foreign.upper()}, status=400)
    assert malformed["details"] == "Invalid identifier: memoryId"
    assert (await post(user, "memory", {}, status=400))["details"] == "Missing required field: memoryId"


@pytest.mark.rule("6.6 channel, agentId")
@pytest.mark.parametrize(("channel", "status"), [(None, 200), ("slack:alice", 200), ("slack:bob", 403)])
async def test_a_named_channel_must_see_it(user: TestUser, channel: str | None, status: int) -> None:
    memory_id = await capture(user, channel="slack:alice")
    await post(user, "memory", {"memoryId": memory_id, "channel": channel}, status=status)


@pytest.mark.rule("6.6 channel, agentId")
@pytest.mark.parametrize(("agent", "status"), [("writer", 200), ("editor", 403)])
async def test_the_agent_gate_holds_for_a_chunk(user: TestUser, agent: str, status: int) -> None:
    base = await make_base(user, agentIds=["writer"])
    chunk_id = (await fill(user, base, chunk("words")))["memoryIds"][0]
    body = {"memoryId": chunk_id, "channel": "slack", "agentId": agent}
    await post(user, "memory", body, status=status)


async def test_the_client_names_channel_and_agent(user: TestUser) -> None:
    memory_id = await capture(user, channel="slack:alice")
    memories = user.client.memories
    assert (await memories.show(memory_id, "slack:alice", agent_id="writer")).id == memory_id
    assert (await memories.show(memory_id, agent_id="writer")).id == memory_id
    with pytest.raises(errors.Forbidden):
        await memories.show(memory_id, "slack:bob", agent_id="writer")


async def test_a_chunk_is_shown_to_the_agents_of_its_knowledge_base(user: TestUser) -> None:
    base = await make_base(user, agentIds=["writer"])
    chunk_id = (await fill(user, base, chunk("words")))["memoryIds"][0]
    assert (await user.client.memories.show(chunk_id, "slack", agent_id="writer")).id == chunk_id
    with pytest.raises(errors.Forbidden):
        await user.client.memories.show(chunk_id, "slack", agent_id="reader")
