"""Knowledge bases in a recall (contract 6.2 rules 1–5, 11.1 steps 11–12, 11.3)."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.ids import decode
from tests.support.service import MakeUser, TestUser
from tests.support.talk import NOON, talk
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send

UNKNOWN = "kb_01arz3ndektsv4rrffq69g5fav"


async def recall(user: TestUser, query: str = "boiler", status: int = 200, **fields: Any) -> Json:
    return await post(user, "recall", {"query": query} | fields, status=status)


async def contents(user: TestUser, query: str = "boiler", **fields: Any) -> list[str]:
    return [row["content"] for row in (await recall(user, query, **fields))["memories"]]


async def filled(user: TestUser, *texts: str, **fields: Any) -> str:
    base = await make_base(user, **fields)
    await fill(user, base, *(chunk(text, dedupeKey=text[:100]) for text in texts))
    return base


@pytest.mark.rule("6.2 reply: memories", "6.2 reply: rankingSignals")
async def test_a_chunk_says_where_it_comes_from(user: TestUser) -> None:
    base = await filled(user, "The boiler has two valves.", name="Boiler handbook")
    (row,) = (await recall(user))["memories"]
    named = {
        name: row[name] for name in ("knowledgeBaseId", "knowledgeBaseName", "dedupeKey", "chunkKind", "sourceRole")
    }
    assert named == {
        "knowledgeBaseId": base,
        "knowledgeBaseName": "Boiler handbook",
        "dedupeKey": "The boiler has two valves.",
        "chunkKind": "content",
        "sourceRole": "canonical_reference",
    }
    assert (row["store"], row["category"], row["strength"]) == ("semantic", "fact", 1)
    assert row["rankingSignals"]["sourceRoleScore"] == pytest.approx(0.32 * (0.72 - 0.38))
    assert 0 < row["rankingSignals"]["knowledgeBaseScore"] <= 1


@pytest.mark.rule("11.2 evidence")
async def test_a_word_that_a_chunk_repeats_counts_once(user: TestUser) -> None:
    answer = await capture(user, title="On call", content="Tomas Silva is on call for payments this week.")
    table = "A call that is cancelled fails. Each call counts; a call over the limit, and a failed call, is no call."
    base = await filled(user, table, *(f"Valve {number} opens at {number} bar." for number in range(30)))
    reply = await recall(user, "who is on call?", limit=20)
    chunks = [row for row in reply["memories"] if row.get("knowledgeBaseId") == base]
    (memory,) = (row for row in reply["memories"] if row["id"] == answer)
    assert chunks[0]["content"] == table
    assert 0 < chunks[0]["rankingSignals"]["wordScore"] <= memory["rankingSignals"]["wordScore"] == 1
    assert all("paraphraseScore" not in row["rankingSignals"] for row in chunks)


@pytest.mark.rule("6.2 reply: memories")
async def test_a_memory_says_nothing_of_knowledge_bases(user: TestUser) -> None:
    await capture(user, content="The boiler is warm.")
    (row,) = (await recall(user))["memories"]
    assert not row.keys() & {"knowledgeBaseId", "knowledgeBaseName", "dedupeKey", "chunkKind", "sourceRole"}


@pytest.mark.rule("11.1.1", "11.3 intent")
@pytest.mark.parametrize(
    ("query", "intent", "role", "value"),
    [
        ("what is the policy of the boiler", "factual_framework", "canonical_reference", 1),
        ("which tone and style of voice", "voice_style", "canonical_reference", 0.28),
        ("what is the policy of the boiler", "factual_framework", "voice_style", -0.6),
        ("boiler", "general", "unknown", 0.38),
    ],
)
async def test_the_role_of_a_knowledge_base_counts_by_intent(
    user: TestUser, query: str, intent: str, role: str, value: float
) -> None:
    base = await filled(user, "The boiler has a policy, a tone, a style and a voice.", sourceRole=role)
    reply = await recall(user, query)
    (row,) = reply["memories"]
    assert (row["knowledgeBaseId"], row["sourceRole"]) == (base, role)
    assert reply["diagnostics"]["recallIntent"] == intent
    assert row["rankingSignals"]["sourceRoleScore"] == pytest.approx(0.32 * (value - 0.38))


HANDBOOK = (
    "What is the policy on holidays? Everyone has thirty days, and may keep five of them for next year.",
    "What is the policy on travel? Trains are booked by the office, and taxis need a receipt.",
    "The standard of the kitchen: whoever takes the last coffee makes a new pot.",
    "Our framework for reviews has three steps: read, ask, approve.",
)


@pytest.mark.rule("11.2 source role", "11.2 evidence", "11.1.12")
@pytest.mark.parametrize("query", ["walnuts allergy", "what is the policy on guests with a walnut allergy?"])
async def test_the_role_of_a_knowledge_base_lifts_no_unrelated_chunk_over_a_related_memory(
    user: TestUser, services: Services, query: str
) -> None:
    related = "Grandma has a severe allergy to walnuts, so guests leave them out of every cake."
    memory = await capture(user, title="Grandma", content=related, strength=0.05)
    async with services.database.write(user.id) as session:
        old = {"user": user.id, "id": decode("mem", memory), "at": NOON}
        await session.execute(
            "UPDATE memory SET created_at = %(at)s, last_accessed_at = %(at)s WHERE user_id = %(user)s AND id = %(id)s",
            old,
        )
    await filled(user, *HANDBOOK, name="Handbook", sourceRole="canonical_reference")
    found = (await recall(user, query))["memories"]
    assert found[0]["content"] == related
    assert any(row["rankingSignals"].get("sourceRoleScore", 0) > 0 for row in found[1:])


@pytest.mark.rule("11.2 evidence", "8.8 relevance")
async def test_a_chunk_is_ranked_by_its_query_relevance_before_the_lift_by_its_neighbours(user: TestUser) -> None:
    base = await make_base(user, name="Boilers")
    texts = ("Which pressure does the boiler want?", "One point five, says the plumber.")
    await fill(
        user,
        base,
        *(
            chunk(text, metadata={"title": "Talk", "sourceUrl": "a", "chunkIndex": index})
            for index, text in enumerate(texts)
        ),
    )
    reply = await post(user, f"/api/knowledge-bases/{base}/query", {"query": texts[0]})
    alone = {hit["id"]: hit["relevance"] - hit["neighbourLift"] for hit in reply["results"]}
    assert any(hit["neighbourLift"] > 0 for hit in reply["results"])
    rows = (await recall(user, texts[0]))["memories"]
    assert {row["id"]: row["rankingSignals"]["evidenceScore"] for row in rows} == pytest.approx(alone)
    assert {row["id"]: row["rankingSignals"]["evidenceScore"] for row in reply["memories"]} == pytest.approx(alone)


@pytest.mark.rule("11.1.11")
async def test_three_chunks_of_one_knowledge_base_six_for_a_question_of_fact(user: TestUser) -> None:
    await filled(user, *(f"Boiler fact number {number * 37}: {'klmnopqr'[number] * 12}" for number in range(8)))
    assert len(await contents(user, "boiler")) == 3
    assert len(await contents(user, "what is the boiler standard")) == 6


@pytest.mark.rule("11.1.12")
async def test_chunks_take_half_of_the_places_while_memories_fill_the_others(user: TestUser) -> None:
    await filled(user, *(f"Boiler standard {number * 37}: {'klmnopqr'[number] * 12}" for number in range(8)))
    for number in range(6):
        await capture(user, title=f"{number}", content=f"Boiler standard {'abcdef'[number] * 12}", strength=0.01)
    found = (await recall(user, "what is the boiler standard", limit=5))["memories"]
    assert sum("knowledgeBaseId" in row for row in found) == 3
    assert len(found) == 5


@pytest.mark.rule("11.1.11", "6.2.2")
async def test_a_chunk_whose_content_is_in_the_result_is_dropped(user: TestUser) -> None:
    await capture(user, content="The boiler has two valves.")
    await filled(user, "The boiler has two valves.", "The boiler has three valves.")
    assert sorted(await contents(user)) == ["The boiler has three valves.", "The boiler has two valves."]


@pytest.mark.rule("11.1.11", "6.2.5")
async def test_config_chunks_and_blocked_chunks_do_not_come_back(user: TestUser, services: Services) -> None:
    base = await make_base(user)
    imported = await fill(user, base, chunk("boiler: a"), chunk("boiler: b", chunkKind="config"), chunk("boiler: c"))
    async with services.database.write(user.id) as session:
        params = {"user": user.id, "id": decode("mem", imported["memoryIds"][2])}
        await session.execute("UPDATE memory SET blocked = true WHERE user_id = %(user)s AND id = %(id)s", params)
    assert await contents(user) == ["boiler: a"]
    assert await contents(user, knowledgeBaseId=base) == ["boiler: a"]


@pytest.mark.rule("11.1 named set", "6.2 knowledgeBaseId, knowledgeBaseIds", "6.2 reply: messageMatches", "6.2.1")
async def test_a_named_set_is_exclusive(user: TestUser) -> None:
    await capture(user, content="The boiler of a memory.")
    await talk(user, "The boiler of a message.")
    first = await filled(user, "The boiler of the first.")
    second = await filled(user, "The boiler of the second.")
    await filled(user, "The boiler of the third.")
    reply = await recall(user, knowledgeBaseId=first, knowledgeBaseIds=[second, first])
    assert {row["content"] for row in reply["memories"]} == {"The boiler of the first.", "The boiler of the second."}
    assert reply["messageMatches"] == []
    assert reply["retrieval"]["filtersApplied"] == ["knowledgeBaseIds"]
    assert len(await contents(user, knowledgeBaseIds=[])) == 4


@pytest.mark.rule("11.1 named set")
async def test_a_named_set_fills_every_place(user: TestUser) -> None:
    base = await filled(user, *(f"Boiler fact {number * 37}: {'klmnopqrst'[number] * 12}" for number in range(10)))
    assert len(await contents(user, knowledgeBaseId=base, limit=8)) == 8


@pytest.mark.rule("6.2.1")
async def test_an_unknown_or_foreign_knowledge_base_is_404(user: TestUser, make_user: MakeUser) -> None:
    foreign = await make_base(await make_user())
    own = await make_base(user)
    for named in ([UNKNOWN], [foreign], [own, UNKNOWN]):
        assert await recall(user, status=404, knowledgeBaseIds=named) == {"error": "Knowledge base not found"}


@pytest.mark.rule("6.2.1")
async def test_a_named_knowledge_base_that_is_not_visible_gives_no_rows_and_says_why(user: TestUser) -> None:
    base = await filled(user, "The boiler.", agentIds=["writer"])
    reply = await recall(user, knowledgeBaseId=base, agentId="editor")
    assert reply["memories"] == []
    assert reply["retrieval"]["hidden"] == [{"knowledgeBaseId": base, "reason": "agent_gate"}]


@pytest.mark.rule("11.1.11", "6.2 reply: retrieval")
async def test_hidden_knowledge_bases_are_reported_with_the_reason(user: TestUser) -> None:
    archived = await filled(user, "boiler one")
    await send(user, "DELETE", f"/api/knowledge-bases/{archived}")
    gated = await filled(user, "boiler two", agentIds=["writer"])
    strict = await filled(user, "boiler three", agentIds=["peer-coach"], scope="peer-coach:8")
    await filled(user, "boiler four")
    reply = await recall(user, agentId="peer-coach", channel="peer-coach:7")
    hidden = {row["knowledgeBaseId"]: row["reason"] for row in reply["retrieval"]["hidden"]}
    assert hidden == {archived: "archived", gated: "agent_gate", strict: "peer_scope"}
    assert [row["content"] for row in reply["memories"]] == ["boiler four"]
    silent = await recall(user, agentId="peer-coach")
    assert {row["reason"] for row in silent["retrieval"]["hidden"]} == {"archived", "agent_gate", "no_channel"}
    dangling = await recall(user, channel="peer-coach:")
    assert {row["reason"] for row in dangling["retrieval"]["hidden"]} == {"archived", "dangling"}


@pytest.mark.rule("11.1.11")
async def test_at_most_eight_knowledge_bases_are_asked_the_best_named_first(user: TestUser) -> None:
    for number in range(9):
        await filled(user, f"boiler of base {number}", name="Boiler" if number == 0 else f"Base {number}")
    reply = await recall(user, limit=20)
    assert reply["diagnostics"]["knowledgeBasesSearched"] == 8
    assert reply["retrieval"]["knowledgeBasesSkipped"] == 1
    found = {row["content"] for row in reply["memories"]}
    assert len(found) == 8
    assert "boiler of base 0" in found
    every = await recall(user, "what is the boiler standard")
    assert every["diagnostics"]["knowledgeBasesSearched"] == 9
    assert "knowledgeBasesSkipped" not in every["retrieval"]


@pytest.mark.rule("11.1.11")
async def test_empty_knowledge_bases_take_no_place_among_the_eight(user: TestUser) -> None:
    for number in range(9):
        await make_base(user, name=f"Boiler {number}")
    await filled(user, "The boiler has two valves.", name="Heating")
    assert await contents(user) == ["The boiler has two valves."]


@pytest.mark.rule("11.1.13", "6.2.8")
async def test_returned_chunks_are_accessed(user: TestUser, services: Services) -> None:
    base = await filled(user, "The boiler has two valves.")
    (row,) = (await recall(user, knowledgeBaseId=base))["memories"]
    await services.background_tasks.drain()
    assert (await post(user, "memory", {"memoryId": row["id"]}))["memory"]["accessCount"] == 2
