"""A recall whose query cannot be embedded is lexical and says so (contract 6.2 rule 7, 2.1.6, 11.2)."""

from dataclasses import replace

import pytest

from memctl.wire.recall import RecallRequest
from memd.context import Context, Services
from memd.domain.types import Tier
from memd.embed.batcher import Batcher
from memd.embed.providers.wordllama import WordLlamaEmbedder
from memd.recall.service import recall
from tests.support.jobs import context_of
from tests.support.limits import spend_embeddings
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, chunk, fill, make_base, post


async def without_embedder(services: Services, user: TestUser) -> Context:
    """The context of the user in a service whose embedder has stopped."""
    batcher = Batcher(WordLlamaEmbedder(parallelism=1))
    await batcher.close()
    return replace(await context_of(services, user), services=replace(services, batcher=batcher))


@pytest.mark.rule("6.2 reply: degraded, degradation", "6.2.7")
async def test_at_the_cap_the_answer_is_lexical_and_holds_the_error(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    best = await capture(user, title="a", content="The boiler has a valve.")
    part = await capture(user, title="b", content="The valve of a pump.")
    await capture(user, title="c", content="Plums.")
    await spend_embeddings(services, user)
    reply = await post(user, "recall", {"query": f"boiler valve q{user.id.hex}"})
    assert [row["id"] for row in reply["memories"]] == [best, part]
    assert reply["degraded"] is True
    assert reply["degradation"] == {
        "code": "embedding_cap_exceeded",
        "message": reply["degradation"]["message"],
        "affectedStage": "embedding",
        "recoverable": True,
        "error": "Embedding daily cap exceeded",
        "dailyLimit": 50,
        "retryAfterMs": reply["degradation"]["retryAfterMs"],
    }
    assert reply["retrieval"]["fallback"] == "lexical_only"
    assert reply["diagnostics"]["candidateCounts"]["vector"] == 0


@pytest.mark.rule("11.2 vector", "11.2 evidence")
async def test_without_a_vector_words_count_alone(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    await capture(user, title="a", content="The boiler has a valve.")
    await capture(user, title="b", content="The valve of a pump.")
    await spend_embeddings(services, user)
    rows = (await post(user, "recall", {"query": "boiler valve"}))["memories"]
    for row in rows:
        signals = row["rankingSignals"]
        assert (signals["vectorScore"], signals["vectorWeight"], signals["wordWeight"]) == (0, 0, 1)
        assert signals["evidenceScore"] == pytest.approx(signals["wordScore"] + 0.1 * signals["pairScore"])
    assert rows[0]["rankingSignals"]["wordScore"] == pytest.approx(1)
    assert 0 < rows[1]["rankingSignals"]["wordScore"] < 1


@pytest.mark.rule("6.2.7")
async def test_a_failing_embedder_never_makes_a_recall_fail(services: Services, user: TestUser) -> None:
    await capture(user, title="a", content="The boiler has a valve.")
    base = await make_base(user)
    await fill(user, base, chunk("The boiler of the handbook."))
    context = await without_embedder(services, user)
    recalled = await recall(context, RecallRequest(query="boiler"))
    assert {row.candidate.stored.content for row in recalled.rows} == {
        "The boiler has a valve.",
        "The boiler of the handbook.",
    }
    assert recalled.found.embedded.degraded is not None
    assert recalled.found.embedded.degraded.code == "embedding_unavailable"


@pytest.mark.rule("6.2.3")
async def test_a_repeated_query_is_served_from_the_cache(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    await capture(user, content="The boiler has a valve.")
    query = f"boiler of q{user.id.hex}"
    assert (await post(user, "recall", {"query": query}))["degraded"] is False
    await spend_embeddings(services, user)
    assert (await post(user, "recall", {"query": f"  {query} "}))["degraded"] is False
