"""POST /api/mcp/recall (contract 6.2): what comes back, in which form, and what it leaves behind."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.ids import decode
from tests.support.dict_rows import dict_row
from tests.support.service import MakeUser, TestUser
from tests.support.talk import embed, talk
from tests.support.wire import Json, capture, memory, post, send

LONG = "The boiler was serviced in March and needs a new valve before the winter comes. " * 12


async def recall(user: TestUser, query: str = "boiler", status: int = 200, **fields: Any) -> Json:
    return await post(user, "recall", {"query": query} | fields, status=status)


async def ids(user: TestUser, query: str = "boiler", **fields: Any) -> list[str]:
    return [row["id"] for row in (await recall(user, query, **fields))["memories"]]


@pytest.mark.rule(
    "6.2 reply: retrieval", "6.2 reply: diagnostics", "6.2 reply: assetContexts", "6.2 reply: degraded, degradation"
)
async def test_the_reply_has_every_part(user: TestUser) -> None:
    await capture(user, content="The boiler is warm.")
    reply = await recall(user)
    assert reply.keys() == {
        "memories",
        "messageMatches",
        "assetContexts",
        "graphContext",
        "degraded",
        "retrieval",
        "diagnostics",
    }
    assert (reply["assetContexts"], reply["degraded"]) == ([], False)
    assert reply["graphContext"].keys() == {"nodes", "relations"}
    assert reply["retrieval"] == {
        "requestedLimit": 12,
        "finalHits": 1,
        "messageMatches": 0,
        "starved": True,
        "belowEvidence": 0,
        "nothingRelevant": False,
        "filtersApplied": [],
        "fallback": "none",
        "hidden": [],
    }
    assert reply["diagnostics"] == {
        "recallIntent": "general",
        "evidenceWeight": 4.0,
        "knowledgeBasesSearched": 0,
        "candidateCounts": {"vector": 1, "text": 1, "recent": 1, "context": 0, "kb": 0, "messages": 0},
        "suppressions": {},
    }


@pytest.mark.rule("6.2 reply: memories", "6.2 reply: rankingSignals")
async def test_a_row_has_every_field(user: TestUser) -> None:
    fields = {
        "title": "Boiler",
        "content": LONG,
        "store": "semantic",
        "category": "fact",
        "metadata": {"b": 1, "a": [2]},
    }
    memory_id = await capture(user, **fields, tags=["Home"], channel="slack", projectId="house", confidence=0.5)
    stored = await memory(user, memory_id)
    (row,) = (await recall(user, channel="slack", projectId="house"))["memories"]
    signals = row.pop("rankingSignals")
    assert 0 < row["relevance"] <= 1
    assert row == fields | {
        "id": memory_id,
        "_id": memory_id,
        "memoryId": memory_id,
        "relevance": row["relevance"],
        "score": row["relevance"],
        "tags": ["home"],
        "strength": 0.8,
        "confidence": 0.5,
        "recallText": stored["recallText"],
        "preview": LONG[:800],
        "channel": "slack",
        "projectId": "house",
        "createdAt": stored["createdAt"],
        "lastAccessedAt": row["lastAccessedAt"],
    }
    assert signals.keys() == {
        "vectorScore",
        "strengthScore",
        "freshnessScore",
        "accessScore",
        "textMatchScore",
        "baseScore",
        "evidenceScore",
        "wordScore",
        "pairScore",
        "nameScore",
        "contextScore",
        "graphBoost",
        "projectBoost",
        "salienceScore",
        "continuityScore",
    }


@pytest.mark.rule("6.2 previewLength")
@pytest.mark.parametrize(("asked", "length"), [(None, 800), (10, 10), (5000, 960), (0, None)])
async def test_the_preview_is_as_long_as_asked(user: TestUser, asked: int | None, length: int | None) -> None:
    await capture(user, content=LONG)
    (row,) = (await post(user, "recall", {"query": "boiler", "previewLength": asked}))["memories"]
    assert row.get("preview") == (None if length is None else LONG[:length])


@pytest.mark.rule("11.8 content", "6.2 compact")
async def test_compact_rows_carry_the_short_text(user: TestUser) -> None:
    await capture(user, content="The boiler is the one that we have got in the cellar.")
    (plain,) = (await recall(user))["memories"]
    (compact,) = (await recall(user, compact=True))["memories"]
    assert "compact" not in plain
    assert (compact["compact"], compact["content"]) == (True, plain["recallText"])
    assert len(compact["content"]) < len(plain["content"])


@pytest.mark.rule("6.2 limit")
async def test_twelve_rows_by_default_and_twenty_at_most(user: TestUser) -> None:
    for number in range(23):
        await capture(
            user, title=f"{number} boiler", content=f"{'xyzw'[number % 4] * 9} {number * 7919} boiler {number}"
        )
    assert len(await ids(user)) == 12
    assert len(await ids(user, limit=99)) == 20
    assert len(await ids(user, limit=3)) == 3


@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"query": "  "}, "Query must not be empty"),
        ({"limit": 0}, "Field limit must be between 1 and 20"),
        ({"mode": "all"}, "Field mode must be one of: general, decision, project, people, workflow, conversation"),
        ({"stores": ["ram"]}, "Field stores[0] must be one of: sensory, episodic, semantic, procedural, prospective"),
        ({"knowledgeBaseId": "kb_1"}, "Invalid identifier: knowledgeBaseId"),
        ({"metadata": "m" * 16_001}, "Field metadata exceeds maximum length of 16000 bytes"),
    ],
)
async def test_refusals(user: TestUser, fields: Json, details: str) -> None:
    assert await recall(user, status=400, **fields) == {"error": "Bad request", "details": details}


@pytest.mark.rule("6.2 query")
async def test_only_the_first_2000_characters_of_the_query_are_used(user: TestUser) -> None:
    await capture(user, title="Boiler", content="walrus")
    (row,) = (await recall(user, f"{'a ' * 1000}walrus"))["memories"]
    assert row["rankingSignals"]["textMatchScore"] == 0


@pytest.mark.rule("6.2 metadata", "6.2.4")
@pytest.mark.parametrize("metadata", [{"b": [1, None], "a": "x"}, "text", [1], 7, 1.5, True, "", {}, []], ids=repr)
async def test_the_callers_metadata_is_echoed(user: TestUser, metadata: Any) -> None:
    assert (await recall(user, metadata=metadata))["metadata"] == metadata


@pytest.mark.rule("6.2.4")
async def test_each_memorys_metadata_comes_back_in_the_form_given(user: TestUser) -> None:
    await capture(user, content="boiler one", metadata="plain text")
    await capture(user, content="boiler two", metadata={"z": 1, "a": {"y": [1.0]}})
    rows = (await recall(user))["memories"]
    assert {str(row["metadata"]) for row in rows} == {"plain text", "{'z': 1, 'a': {'y': [1.0]}}"}


@pytest.mark.rule("11.1.13", "6.2.8")
async def test_a_returned_row_is_accessed_once_and_its_strength_stays(user: TestUser, services: Services) -> None:
    memory_id = await capture(user, content="The boiler is warm.")
    before = services.clock()
    await recall(user)
    await services.background_tasks.drain()
    async with services.database.read(user.id) as session:
        row = await dict_row(
            session,
            """
            SELECT m.access_count, m.last_accessed_at, m.strength, array_agg(a.source) AS sources, max(a.at) AS at
            FROM memory m JOIN recall_activity a ON a.memory_id = m.id AND a.user_id = m.user_id
            WHERE m.id = %(id)s GROUP BY m.access_count, m.last_accessed_at, m.strength
            """,
            {"id": decode("mem", memory_id)},
        )
    assert row is not None
    assert (row["access_count"], row["strength"], row["sources"]) == (1, 0.8, ["recall"])
    assert before <= row["at"] == row["last_accessed_at"] <= services.clock()


@pytest.mark.rule("6.2.8")
async def test_a_row_that_is_not_returned_is_not_accessed(user: TestUser, services: Services) -> None:
    memory_id = await capture(user, content="The boiler is warm.")
    await recall(user, category="person")
    await services.background_tasks.drain()
    assert (await memory(user, memory_id))["accessCount"] == 1  # the look just now


@pytest.mark.rule("11.1.2")
async def test_a_memory_without_a_shared_word_is_found_by_its_meaning(user: TestUser) -> None:
    await capture(user, title="Pets", content="The puppy sleeps in his basket.")
    await capture(user, title="Money", content="Interest rates went up again.")
    (first, second) = (await recall(user, "dog"))["memories"]
    assert first["title"] == "Pets"
    assert first["rankingSignals"]["vectorScore"] > second["rankingSignals"]["vectorScore"]


@pytest.mark.rule("6.2.6")
async def test_a_memory_without_a_vector_is_found_by_its_words(user: TestUser, services: Services) -> None:
    memory_id = await capture(user, content="The boiler is warm.")
    async with services.database.write(user.id) as session:
        await session.execute("DELETE FROM memory_vector WHERE user_id = %(user)s", {"user": user.id})
    (row,) = (await recall(user))["memories"]
    assert (row["id"], row["rankingSignals"]["vectorScore"]) == (memory_id, 0)


@pytest.mark.rule("11.1.5", "6.2.5")
async def test_archived_and_blocked_memories_do_not_come_back(user: TestUser, services: Services) -> None:
    archived, blocked, kept = [await capture(user, content=f"boiler {word}") for word in ("old", "bad", "good")]
    await post(user, "forget", {"memoryId": archived})
    async with services.database.write(user.id) as session:
        params = {"user": user.id, "id": decode("mem", blocked)}
        await session.execute("UPDATE memory SET blocked = true WHERE user_id = %(user)s AND id = %(id)s", params)
    assert await ids(user) == [kept]


async def test_nothing_of_another_user_comes_back(user: TestUser, make_user: MakeUser) -> None:
    await capture(await make_user(), content="The boiler is warm.")
    assert await ids(user, allChannels=True) == []


@pytest.mark.rule("11.1.13", "6.2 includeGraphContext")
async def test_the_graph_stands_beside_unless_it_is_not_wanted(user: TestUser) -> None:
    await capture(user, content="The boiler is warm.")
    assert "graphContext" not in await recall(user, includeGraphContext=False)


@pytest.mark.rule("11.1.13", "6.2 reply: messageMatches")
async def test_messages_stand_beside_at_most_ten_and_never_more_than_the_limit(
    user: TestUser, services: Services
) -> None:
    await talk(user, *(f"boiler message {number}" for number in range(14)), channel="slack")
    await embed(services, user)
    for limit, count in ((3, 3), (20, 10)):
        reply = await recall(user, channel="slack", limit=limit)
        assert len(reply["messageMatches"]) == reply["retrieval"]["messageMatches"] == count
    assert reply["messageMatches"][0].keys() >= {"id", "role", "content", "timestamp", "channel", "score"}
    assert (
        reply["messageMatches"]
        == (await post(user, "search-messages", {"query": "boiler", "channel": "slack"}))["messages"]
    )


@pytest.mark.rule("6.2 sessionKey, scopeToSession")
@pytest.mark.parametrize(
    ("fields", "contents"),
    [
        ({}, {"boiler of a", "boiler of b"}),
        ({"sessionKey": "a"}, {"boiler of a"}),
        ({"sessionKey": "a", "scopeToSession": True}, {"boiler of a"}),
        ({"sessionKey": "a", "scopeToSession": False}, {"boiler of a", "boiler of b"}),
    ],
)
async def test_a_session_bounds_the_message_lane_only(user: TestUser, fields: Json, contents: set[str]) -> None:
    memory_id = await capture(user, content="The boiler is warm.", sessionKey="b")
    for session in ("a", "b"):
        await talk(user, f"boiler of {session}", sessionKey=session)
    reply = await recall(user, **fields)
    assert {row["content"] for row in reply["messageMatches"]} == contents
    assert [row["id"] for row in reply["memories"]] == [memory_id]


@pytest.mark.rule("6.2 time window")
async def test_a_time_window_bounds_the_message_lane_only(user: TestUser) -> None:
    memory_id = await capture(user, content="The boiler is warm.")
    await talk(user, "old boiler", start=1_000_000_000_000)
    await talk(user, "new boiler", start=1_700_000_000_000)
    reply = await recall(user, toMs=1_500_000_000_000)
    assert [row["content"] for row in reply["messageMatches"]] == ["old boiler"]
    assert [row["id"] for row in reply["memories"]] == [memory_id]
    assert reply["retrieval"]["filtersApplied"] == ["timeWindow"]


@pytest.mark.rule("6.2 includeArchived, includeAssociations")
async def test_ignored_fields_change_nothing(user: TestUser) -> None:
    memory_id = await capture(user, content="The boiler is warm.")
    assert await ids(user, includeArchived=True, includeAssociations=True, userId="usr_x") == [memory_id]


async def test_a_recall_costs_ten_credits(user: TestUser, make_user: MakeUser) -> None:
    free = await make_user(tier="free")
    reply = await free.http.post("/api/mcp/recall", json={"query": "boiler"})
    assert reply.headers["x-ratelimit-remaining"] == "90"
    await send(user, "GET", "/api/mcp/stats")
