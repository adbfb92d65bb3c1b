"""Evidence in the answers of recall (contract 11.2): what it consists of, and what it does to the order."""

import random
from dataclasses import replace

import pytest

from memctl.wire.recall import RecallRequest
from memd.context import Services
from memd.recall.replies import recalled_memory
from memd.recall.service import recall
from tests.support.jobs import context_of, done
from tests.support.service import TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send

WORDS = (
    "boiler",
    "valve",
    "garden",
    "invoice",
    "Berlin",
    "tea",
    "train",
    "server",
    "unit 12",
    "ERR-4040",
    "walrus",
    "violin",
)


async def rows(user: TestUser, query: str, **fields: object) -> list[Json]:
    return (await post(user, "recall", {"query": query} | fields))["memories"]


def recomputed(row: Json, evidence_weight: float) -> float:
    """The relevance of a row by contract 11.2, from nothing but its signals."""
    signals = row["rankingSignals"]
    base = sum(
        weight * signals[name]
        for name, weight in (
            ("vectorScore", 0.35),
            ("strengthScore", 0.30),
            ("freshnessScore", 0.20),
            ("accessScore", 0.10),
            ("textMatchScore", 0.05),
        )
    )
    evidence = (
        signals.get("vectorWeight", 0.5) * signals["vectorScore"]
        + signals.get("wordWeight", 0.5) * signals["wordScore"]
        + 0.1 * signals["pairScore"]
        + 0.1 * signals["nameScore"]
        + signals["contextScore"]
    )
    assert signals["baseScore"] == pytest.approx(base, abs=1e-6)
    assert signals["evidenceScore"] == pytest.approx(evidence, abs=1e-6)
    score = base + signals["graphBoost"] + signals["projectBoost"] + evidence_weight * evidence
    return min(1.0, max(0.0, score / (1 + evidence_weight)))


@pytest.mark.rule("11.2 base", "11.2 relevance", "11.2 evidence", "6.2 reply: rankingSignals")
async def test_relevance_can_be_computed_again_from_the_answer(services: Services, user: TestUser) -> None:
    rng = random.Random(3)
    for number in range(30):
        topic = WORDS[number // 2 % len(WORDS)]  # neighbours share one, so that context counts
        words = " ".join(rng.choices(WORDS, k=6))
        await capture(
            user, title=f"{topic.title()} {number}", content=f"{topic} {words} {number}", strength=rng.random()
        )
    checked = lifted = 0
    for number in range(55):
        weight = 4.0 * (number % 2)
        settings = services.settings.model_copy(update={"recall_evidence_weight": weight})
        context = await context_of(replace(services, settings=settings), user)
        query = "of the" if number < 2 else f"the {' of '.join(rng.choices(WORDS, k=4))} of Berlin {number}?"
        recalled = await recall(context, RecallRequest(query=query, limit=20))
        for ranked in recalled.rows:
            row = recalled_memory(ranked, {}).model_dump(by_alias=True, exclude_none=True)
            assert row["relevance"] == pytest.approx(recomputed(row, weight), abs=1e-6)
            checked += 1
            lifted += row["rankingSignals"]["contextScore"] > 0
    assert checked >= 1_000
    assert lifted


@pytest.mark.rule("11.2 context", "6.2 reply: rankingSignals")
async def test_a_memory_that_states_what_is_asked_for_is_lifted(services: Services, user: TestUser) -> None:
    texts = ("Ana lives in Oslo.", "Ana likes the food of Rome.", "Ana relocated to Graz.")
    _, _, newest = [
        await capture(user, title=text, content=text, createdAt=1_640_995_200_000 + index * 50_000_000_000)
        for index, text in enumerate(texts)
    ]
    await done(services, user)
    first, *others = await rows(user, "Which city does Ana live in?")
    assert (first["id"], first["rankingSignals"]["factScore"]) == (newest, pytest.approx(0.4))
    assert all("factScore" not in row["rankingSignals"] for row in others)
    assert first["relevance"] == pytest.approx(recomputed(first, 4.0), abs=1e-6)
    before = await rows(user, "Which city does Ana live in?", validAt=1_690_995_200_000)
    assert before[0]["content"] == "Ana lives in Oslo."


@pytest.mark.rule("11.2 evidence", "11.1.5")
async def test_a_row_of_one_lane_has_the_exact_values_of_the_other(user: TestUser) -> None:
    for number in range(30):
        await capture(user, content=f"The ledger of the year {1900 + number} lies in box {number}.")
    by_words = await capture(user, title="x", content="Zanzibar " + "ruled and blank pages of an old ledger " * 30)
    debug = (
        await send(user, "POST", "/api/mcp/recall", {"query": "ledger Zanzibar", "limit": 3}, debugRecallOutput="true")
    )["debug"]
    found = {row["id"]: row for row in debug["memories"]}
    assert found[by_words]["components"]["vectorScore"] > 0
    assert found[by_words]["components"]["wordScore"] == pytest.approx(1)
    by_vector = [row for row in debug["memories"] if row["lanes"] == ["vector"]]
    assert all(row["components"]["wordScore"] > 0 for row in by_vector)


@pytest.mark.rule("11.2 words")
async def test_words_are_rare_among_the_rows_in_scope(user: TestUser) -> None:
    for number in range(8):
        await capture(user, content=f"The walrus swims {number}.", channel="slack")
        await capture(user, content=f"The violin sounds {number}.", channel="discord")
    await capture(user, content="A violin.", channel="slack")
    scores = {
        channel: {
            row["content"].split()[1].strip("."): row["rankingSignals"]["wordScore"]
            for row in await rows(user, "violin walrus", channel=channel)
        }
        for channel in ("slack", "discord")
    }
    assert scores["slack"]["violin"] > 0.8
    assert scores["slack"]["walrus"] < 0.2
    assert scores["discord"]["violin"] < 0.2


@pytest.mark.rule("11.2 context", "11.1.6")
async def test_what_was_stored_beside_a_find_is_found_with_it(user: TestUser) -> None:
    talk = (
        ("Three hedgehogs ran through our garden.", "Hedgehogs in a garden eat the snails."),
        ("I went to the concert in Verona.", "The singer of that concert was wonderful."),
        ("My flight to Oslo is in June.", "A flight to Norway costs four hundred in June."),
        ("The pump of our washing machine broke.", "A new pump for a washing machine comes on Monday."),
        ("My dentist looked at the tooth.", "The tooth has to come out, the dentist says."),
        ("Chess tournament of the school today.", "A girl of nine won the chess tournament."),
    )
    ids = {text: await capture(user, title="Chat", content=text, channel="c") for turn in talk for text in turn}
    unrelated = await capture(user, title="Chat", content="The singer of that concert was wonderful!", channel="other")
    debug = (await send(user, "POST", "/api/mcp/recall", {"query": "who sang in Verona"}, debugRecallOutput="true"))[
        "debug"
    ]
    found = {row["id"]: row["components"] for row in debug["memories"]}
    answer = found[ids["The singer of that concert was wonderful."]]
    assert answer["contextScore"] > 0
    assert answer["wordScore"] > found[unrelated]["wordScore"] == 0
    assert answer["evidenceScore"] > found[unrelated]["evidenceScore"] + 0.2


@pytest.mark.rule("11.2 context")
async def test_neighbours_obey_the_filters_and_the_scope(user: TestUser) -> None:
    for number in range(12):
        await capture(user, content=f"Pair {number}: the walrus of zoo {number}.", channel="c", category="fact")
        await capture(user, content=f"Pair {number}: it eats clams there.", channel="c", category="event")
    body: Json = {"query": "walrus of zoo 3", "categories": ["fact"], "channel": "c"}
    debug = (await send(user, "POST", "/api/mcp/recall", body, debugRecallOutput="true"))["debug"]
    assert len(debug["memories"]) == 12
    assert debug["candidates"]["context"] == 0


@pytest.mark.rule("11.2 weak", "11.2 minEvidence")
async def test_weak_rows_say_so_and_can_be_left_out(user: TestUser) -> None:
    related = await capture(user, title="Tea", content="Bob drinks Assam tea.")
    other = await capture(user, title="Train", content="The train to Vienna leaves at noon.")
    reply = await post(user, "recall", {"query": "what tea does Bob drink"})
    assert {row["id"]: row.get("weak", False) for row in reply["memories"]} == {related: False, other: True}
    assert (reply["retrieval"]["belowEvidence"], reply["retrieval"]["nothingRelevant"]) == (0, False)
    reply = await post(user, "recall", {"query": "what tea does Bob drink", "minEvidence": 0.35})
    assert [row["id"] for row in reply["memories"]] == [related]
    assert (reply["retrieval"]["belowEvidence"], reply["diagnostics"]["suppressions"]) == (1, {"evidence": 1})


@pytest.mark.rule("11.2 minEvidence")
async def test_an_answer_without_a_relevant_row_says_so(user: TestUser) -> None:
    await capture(user, title="Train", content="The train to Vienna leaves at noon.")
    question = {"query": "photosynthesis of algae"}
    reply = await post(user, "recall", question)
    assert ([row["weak"] for row in reply["memories"]], reply["retrieval"]["nothingRelevant"]) == ([True], True)
    reply = await post(user, "recall", question | {"minEvidence": 0.35})
    assert (reply["memories"], reply["retrieval"]["nothingRelevant"]) == ([], True)
    for wrong in (-0.1, 1.1, "much"):
        await post(user, "recall", question | {"minEvidence": wrong}, status=400)


@pytest.mark.rule("11.2 source role")
async def test_the_role_of_a_knowledge_base_lifts_no_unrelated_chunk_over_a_related_memory(user: TestUser) -> None:
    base = await make_base(user, name="Handbook", sourceRole="canonical_reference")
    await fill(user, base, *(chunk(f"Article {number} of the framework governs the archive.") for number in range(12)))
    memory = await capture(user, title="Party", content="Ann has an allergy: no walnuts for her.", strength=0.1)
    reply = await rows(user, "what is the walnuts allergy")
    assert reply[0]["id"] == memory
    assert "weak" not in reply[0]
