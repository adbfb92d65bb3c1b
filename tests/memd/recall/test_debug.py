"""`?debugRecallOutput=true` (contract 6.2): the way of every candidate, and why others are not among them."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.ids import decode
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send


async def debug(user: TestUser, flag: str = "true", **fields: Any) -> Json:
    body = {"query": "boiler"} | fields
    return await send(user, "POST", "/api/mcp/recall", body, debugRecallOutput=flag)


async def dropped(user: TestUser, **fields: Any) -> dict[str, str]:
    return {row["id"]: row["reason"] for row in (await debug(user, **fields))["debug"]["dropped"]}


@pytest.mark.rule("6.2 debugRecallOutput")
async def test_debug_output_only_when_asked_for(user: TestUser) -> None:
    for flag, there in (("true", True), ("1", True), ("false", False), ("0", False)):
        assert ("debug" in await debug(user, flag)) is there
    refused = await user.http.post("/api/mcp/recall", json={"query": "x"}, params={"debugRecallOutput": "yes"})
    assert refused.status_code == 400


@pytest.mark.rule("11.1.2", "11.1.5", "6.2 reply: debug")
async def test_every_candidate_tells_its_lanes_and_parts(user: TestUser) -> None:
    memory_id = await capture(user, content="The boiler is warm.")
    base = await make_base(user, name="Notes")
    await fill(user, base, chunk("The boiler of the handbook."))
    reply = await debug(user)
    told = reply["debug"]
    assert told["candidates"] == {"vector": 1, "text": 1, "recent": 1, "context": 0, "kb": 1, "messages": 0}
    candidates = {row["id"]: row for row in told["memories"]}
    assert candidates[memory_id]["lanes"] == ["vector", "text", "recent"]
    (hit,) = [row for row in told["memories"] if row["id"] != memory_id]
    assert hit["lanes"] == ["kb"]
    shown = {row["id"]: row for row in reply["memories"]}
    for candidate_id, candidate in candidates.items():
        assert candidate["components"] == shown[candidate_id]["rankingSignals"]
    assert told["visibility"] == [{"knowledgeBaseId": base, "visible": True, "why": told["visibility"][0]["why"]}]
    assert told["timingsMs"].keys() >= {"embedding", "memories", "knowledgeBases", "ranking"}


@pytest.mark.rule("6.2 reply: debug")
async def test_hidden_and_filtered_rows_tell_the_reason(user: TestUser, services: Services) -> None:
    common = {"channel": "slack", "store": "semantic", "category": "fact", "tags": ["x"], "projectId": "p"}
    made = {
        reason: await capture(user, content=f"boiler {reason}", **(common | fields))
        for reason, fields in {
            "archived": {},
            "blocked": {},
            "channel": {"channel": "discord"},
            "store": {"store": "sensory"},
            "category": {"category": "goal"},
            "tags": {"tags": []},
            "project": {"projectId": "other"},
        }.items()
    }
    await post(user, "forget", {"memoryId": made["archived"]})
    async with services.database.write(user.id) as session:
        params = {"user": user.id, "id": decode("mem", made["blocked"])}
        await session.execute("UPDATE memory SET blocked = true WHERE user_id = %(user)s AND id = %(id)s", params)
    found = await dropped(user, channel="slack", stores=["semantic"], category="fact", tags=["x"], projectId="p")
    assert found == {memory_id: reason for reason, memory_id in made.items()}


@pytest.mark.rule("6.2 reply: debug")
async def test_duplicates_and_rows_over_the_limit_tell_the_reason(user: TestUser) -> None:
    copies = [await capture(user, content="The boiler.", store=store) for store in ("semantic", "episodic")]
    assert list((await dropped(user)).values()) == ["duplicate"]
    assert (await dropped(user)).keys() < set(copies)
    await capture(user, content="An entirely different boiler text, long and green.")
    assert sorted((await dropped(user, limit=1)).values()) == ["duplicate", "limit"]


@pytest.mark.rule("11.1.11", "6.2 reply: debug")
async def test_chunks_tell_the_reason(user: TestUser) -> None:
    base = await make_base(user, agentIds=["peer-coach"])
    await fill(
        user, base, chunk("boiler: config", chunkKind="config"), chunk("boiler of another", channel="peer-coach:8")
    )
    found = await dropped(user, agentId="peer-coach", channel="peer-coach:7")
    assert sorted(found.values()) == ["config_chunk", "peer_chunk"]
    named = await dropped(user, agentId="peer-coach", channel="peer-coach:7", knowledgeBaseId=base)
    assert sorted(named.values()) == ["config_chunk", "peer_chunk"]


@pytest.mark.rule("6.2 reply: debug")
async def test_no_id_of_another_user_is_reported(user: TestUser, make_user: MakeUser) -> None:
    foreign = await capture(await make_user(), content="The boiler of somebody else.")
    assert foreign not in str(await debug(user, allChannels=True))


async def test_vectors_of_a_model_that_is_being_made_are_not_compared(user: TestUser, services: Services) -> None:
    memory_id = await capture(user, content="The boiler is warm.")
    other = services.model + 1
    async with services.database.write(user.id) as session:
        await session.execute(
            """
            INSERT INTO memory_vector (user_id, memory_id, model, live, store, category, config, embedding)
            VALUES (%(user)s, %(id)s, %(model)s, true, 'episodic', 'fact', false, '[1,0,0]')
            """,
            {"user": user.id, "id": decode("mem", memory_id), "model": other},
        )
    await post(user, "forget", {"memoryId": memory_id})
    assert await dropped(user) == {memory_id: "archived"}
