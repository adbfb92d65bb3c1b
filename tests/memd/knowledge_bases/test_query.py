"""POST /api/knowledge-bases/:id/query (contract 8.8)."""

import pytest

from memd.context import Services
from memd.domain.ids import decode
from memd.domain.types import Tier
from tests.support.kb_queries import TEXTS, contents, query, stocked
from tests.support.limits import spend_embeddings
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, base_row, chunk, fill, make_base, post, send


@pytest.mark.rule("8.8 reply: results", "8.8 reply: retrieval", "8.8 reply: knowledgeBase, memories, degraded")
async def test_a_hit_has_every_field(user: TestUser) -> None:
    base = await make_base(user)
    facts = {
        "title": "Valves",
        "sourceUrl": "https://a.example",
        "chunkIndex": 3,
        "totalChunks": 9,
        "sourceType": "pdf",
    }
    imported = await fill(user, base, {"content": TEXTS[0], "metadata": facts, "dedupeKey": "v#3"})
    reply = await query(user, base)
    (hit,) = reply["results"]
    assert hit == {
        "chunkId": imported["memoryIds"][0],
        "id": imported["memoryIds"][0],
        "title": "Valves",
        "content": TEXTS[0],
        "metadata": facts | {"chunkKind": "content"},
        "relevance": hit["relevance"],
        "similarity": hit["similarity"],
        "textScore": hit["textScore"],
        "pairScore": 0,
        "neighbourLift": 0,
        "dedupeKey": "v#3",
        "createdAt": imported["timestamp"],
    }
    assert 0 < hit["relevance"] <= 1
    assert reply["knowledgeBase"] == await base_row(user, base)
    assert reply["retrieval"] == {
        "vectorCount": 1,
        "lexicalCount": 1,
        "indexedFillCount": 0,
        "fallback": "none",
        "vectorAttempted": True,
        "lexicalAttempted": True,
        "resultCount": 1,
        "hidden": [],
    }
    assert reply["degraded"] is False
    assert "degradation" not in reply


@pytest.mark.rule("8.8 reply: knowledgeBase, memories, degraded")
async def test_the_same_hits_come_in_the_shape_of_recall(user: TestUser) -> None:
    base = await stocked(user)
    reply = await query(user, base)
    assert [row["id"] for row in reply["memories"]] == [hit["chunkId"] for hit in reply["results"]]
    first = reply["memories"][0]
    assert first["rankingSignals"]["knowledgeBaseScore"] == reply["results"][0]["relevance"]
    assert (first["knowledgeBaseId"], first["tags"], first["store"]) == (base, [], "semantic")


@pytest.mark.rule("8.8 reply: results")
async def test_a_weak_hit_is_marked_in_both_lists(user: TestUser) -> None:
    base = await stocked(user)
    reply = await query(user, base, "who services the boiler before winter")
    marks = [row.get("weak") for row in reply["results"]]
    assert marks == [row.get("weak") for row in reply["memories"]]
    assert (marks[0], marks[-1]) == (None, True)


async def test_hits_come_by_relevance(user: TestUser) -> None:
    base = await stocked(user)
    reply = await query(user, base, "who services the boiler before winter")
    assert reply["results"][0]["content"] == TEXTS[3]
    relevances = [hit["relevance"] for hit in reply["results"]]
    assert relevances == sorted(relevances, reverse=True)


async def test_a_word_of_the_query_lifts_a_chunk_above_a_merely_similar_one(user: TestUser) -> None:
    base = await stocked(user, "Error E4711 means low pressure.", "Error E9999 means low pressure.")
    assert (await contents(user, base, "E9999"))[0] == "Error E9999 means low pressure."


@pytest.mark.rule("8.8 candidates")
async def test_of_equally_matching_chunks_the_shorter_comes_first(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    filler = "and much more about gardens, plums, weather, music and other things besides " * 4
    base = await stocked(user, f"The boiler {filler}", "The boiler.")
    await spend_embeddings(services, user)
    assert (await contents(user, base, f"boiler q{user.id.hex}"))[0] == "The boiler."


async def test_a_title_is_searched_too(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, chunk("It is in the cellar.", metadata={"title": "Heron"}), chunk("It is in the attic."))
    assert (await contents(user, base, "heron"))[0] == "It is in the cellar."


@pytest.mark.rule("8.8 limit")
@pytest.mark.parametrize(("limit", "count"), [(None, 10), (1, 1), (20, 20), (500, 50)])
async def test_ten_hits_by_default_and_fifty_at_most(user: TestUser, limit: int | None, count: int) -> None:
    base = await stocked(user, *(f"boiler fact number {number}" for number in range(55)))
    assert len(await contents(user, base, limit=limit)) == count


@pytest.mark.rule("8.8 threshold")
async def test_hits_below_the_threshold_are_left_out(user: TestUser) -> None:
    base = await stocked(user)
    everything = (await query(user, base))["results"]
    assert len(everything) == len(TEXTS)
    threshold = everything[1]["relevance"]
    kept = (await query(user, base, threshold=threshold))["results"]
    assert kept == [hit for hit in everything if hit["relevance"] >= threshold]


@pytest.mark.rule("8.8 query", "8.8 threshold")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"query": ""}, "Query must not be empty"),
        ({"query": None}, "Missing required field: query"),
        ({"query": "x", "limit": 0}, "Field limit must be between 1 and 50"),
        ({"query": "x", "threshold": 1.1}, "Field threshold must be between 0 and 1"),
    ],
)
async def test_refusals(user: TestUser, fields: Json, details: str) -> None:
    base = await make_base(user)
    reply = await post(user, f"/api/knowledge-bases/{base}/query", fields, status=400)
    assert reply == {"error": "Bad request", "details": details}


async def test_an_unknown_or_foreign_knowledge_base_is_404(user: TestUser, make_user: MakeUser) -> None:
    for base in ("kb_01arz3ndektsv4rrffq69g5fav", await make_base(await make_user())):
        assert await query(user, base, status=404) == {"error": "Knowledge base not found"}
    assert (await query(user, "kb_x", status=400))["details"] == "Invalid identifier: id"


@pytest.mark.rule("8.8 not visible")
async def test_a_knowledge_base_out_of_sight_answers_with_empty_lists(user: TestUser) -> None:
    base = await stocked(user, agentIds=["writer"])
    await send(user, "DELETE", f"/api/knowledge-bases/{base}")
    reply = await query(user, base, agentId="editor")
    assert (reply["results"], reply["memories"]) == ([], [])
    assert reply["retrieval"]["hidden"] == [{"knowledgeBaseId": base, "reason": "archived"}]
    assert (reply["retrieval"]["vectorAttempted"], reply["retrieval"]["lexicalAttempted"]) == (False, False)


@pytest.mark.rule("8.8 not visible")
async def test_an_empty_knowledge_base_and_one_of_other_peers_chunks_say_why_they_gave_nothing(user: TestUser) -> None:
    base = await make_base(user)
    assert (await query(user, base))["retrieval"]["hidden"] == [{"knowledgeBaseId": base, "reason": "empty"}]
    recalled = await post(user, "recall", {"query": "tea", "knowledgeBaseId": base})
    assert recalled["retrieval"]["hidden"] == [{"knowledgeBaseId": base, "reason": "empty"}]
    shared = await make_base(user, scope="peer-team:main", peerScopePolicy="permissive", agentIds=["a1", "a2"])
    await fill(user, shared, chunk("Tea is served at four.", channel="peer-coach:99"))
    reply = await query(user, shared, agentId="a1")
    assert (reply["results"], reply["retrieval"]["hidden"]) == (
        [],
        [{"knowledgeBaseId": shared, "reason": "peer_chunks"}],
    )
    await fill(user, shared, chunk("Tea is served at five."))
    reply = await query(user, shared, agentId="a1")
    assert (len(reply["results"]), reply["retrieval"]["hidden"]) == (1, [])


@pytest.mark.rule("8.8 agentId, channel, peerScope")
async def test_the_peer_scope_replaces_the_channel(user: TestUser) -> None:
    base = await make_base(user, scope="peer-coach:7", agentIds=["peer-coach"])
    await fill(user, base, chunk("The coffee machine"))
    request: Json = {"query": "coffee machine", "agentId": "peer-coach"}
    for where, found in (
        ({"channel": "peer-coach:7"}, 1),
        ({"channel": "slack", "peerScope": "peer-coach:7"}, 1),
        ({"channel": "peer-coach:7", "peerScope": "peer-coach:8"}, 0),
    ):
        reply = await post(user, f"/api/knowledge-bases/{base}/query", request | where)
        assert len(reply["results"]) == found, where


async def test_only_chunks_of_this_knowledge_base_are_found(user: TestUser) -> None:
    await stocked(user, "The boiler of another one.")
    base = await stocked(user, "The boiler of this one.")
    assert await contents(user, base) == ["The boiler of this one."]


@pytest.mark.rule("8.8 config chunks")
async def test_config_chunks_are_found_here(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, chunk("boiler: on", chunkKind="config"))
    (hit,) = (await query(user, base))["results"]
    assert hit["metadata"]["chunkKind"] == "config"


@pytest.mark.rule("8.8 reply: knowledgeBase, memories, degraded", "8.8 reply: retrieval", "8.8 relevance")
async def test_at_the_cap_the_answer_is_lexical(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    base = await stocked(user)
    await spend_embeddings(services, user)
    reply = await query(user, base, f"boiler q{user.id.hex}")
    assert {hit["content"] for hit in reply["results"]} == {TEXTS[0], TEXTS[3]}
    assert all(hit["similarity"] is None and hit["relevance"] > 0 for hit in reply["results"])
    facts = {name: reply["retrieval"][name] for name in ("vectorCount", "lexicalCount", "fallback", "vectorAttempted")}
    assert facts == {"vectorCount": 0, "lexicalCount": 2, "fallback": "lexical_only", "vectorAttempted": False}
    assert (reply["degraded"], reply["degradation"]["code"]) == (True, "embedding_cap_exceeded")


@pytest.mark.rule("8.8 candidates")
async def test_any_word_of_the_query_is_enough_and_all_its_words_are_the_best(
    services: Services, make_user: MakeUser
) -> None:
    user = await make_user(tier=Tier.FREE)
    base = await stocked(user, "boiler", "valve", "boiler valve", "plums")
    await spend_embeddings(services, user)
    hits = (await query(user, base, "zeppelin boilers or valves"))["results"]
    assert hits[0]["content"] == "boiler valve"
    assert {hit["content"] for hit in hits} == {"boiler valve", "boiler", "valve"}


@pytest.mark.rule("8.8 fill")
async def test_finds_by_words_fill_what_finds_by_meaning_leave_free(services: Services, user: TestUser) -> None:
    base = await make_base(user)
    ids = (await fill(user, base, chunk("The boiler is warm."), chunk("The boiler is cold."), chunk("Plums.")))[
        "memoryIds"
    ]
    async with services.database.write(user.id) as session:
        gone = {"id": decode("mem", ids[1])}
        await session.execute("DELETE FROM memory_vector WHERE memory_id = %(id)s", gone)
    reply = await query(user, base, limit=3)
    found = {hit["content"]: hit["similarity"] for hit in reply["results"]}
    assert found.keys() == {"The boiler is warm.", "The boiler is cold.", "Plums."}
    assert [content for content, similarity in found.items() if similarity is None] == ["The boiler is cold."]
    assert (reply["retrieval"]["vectorCount"], reply["retrieval"]["indexedFillCount"]) == (2, 0)


@pytest.mark.rule("8.8 fill", "8.8 fallback")
async def test_when_nothing_is_found_the_first_chunks_fill(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    base = await make_base(user)
    places = {"last": 7, "first": 0, "second": 1}
    await fill(
        user, base, *(chunk(text, metadata={"title": "t", "chunkIndex": place}) for text, place in places.items())
    )
    await spend_embeddings(services, user)
    reply = await query(user, base, f"zeppelin{user.id.hex}", limit=2)
    assert [(hit["content"], hit["relevance"]) for hit in reply["results"]] == [("first", 0), ("second", 0)]
    assert (reply["retrieval"]["indexedFillCount"], reply["retrieval"]["fallback"]) == (2, "indexed_fill")
    nothing = await query(user, base, f"zeppelin{user.id.hex}", threshold=0.1)
    assert (nothing["results"], nothing["retrieval"]["fallback"]) == ([], "none")


@pytest.mark.rule("8.8 access")
async def test_returned_chunks_are_accessed(user: TestUser, services: Services) -> None:
    base = await stocked(user, "The boiler.")
    (hit,) = (await query(user, base))["results"]
    await services.background_tasks.drain()
    assert (await post(user, "memory", {"memoryId": hit["id"]}))["memory"]["accessCount"] == 2
