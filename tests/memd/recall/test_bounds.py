"""Bounds and defaults of a recall that its other tests do not reach (contract 6.2)."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.types import Tier
from tests.support.service import MakeUser, TestUser
from tests.support.talk import embed, talk
from tests.support.wire import Json, capture, post, send

LONG = "The boiler was serviced in March and needs a new valve before the winter comes. " * 30


async def recall(user: TestUser, status: int = 200, **fields: Any) -> Json:
    return await post(user, "recall", {"query": "boiler"} | fields, status=status)


async def row_of(user: TestUser, **fields: Any) -> Json:
    (row,) = (await recall(user, **fields))["memories"]
    return row


@pytest.mark.parametrize(
    ("fields", "details"),
    [
        pytest.param({"query": None}, "Missing required field: query", marks=pytest.mark.rule("6.2 query")),
        pytest.param({"query": ""}, "Query must not be empty", marks=pytest.mark.rule("6.2 query")),
        pytest.param(
            {"knowledgeBaseIds": [f"kb_{number:026d}" for number in range(101)]},
            "Field knowledgeBaseIds exceeds maximum length of 100 items",
            marks=pytest.mark.rule("6.2 knowledgeBaseId, knowledgeBaseIds"),
        ),
        pytest.param(
            {"previewLength": -1},
            "Field previewLength must be between 0 and 2000",
            marks=pytest.mark.rule("6.2 previewLength"),
        ),
        pytest.param(
            {"metadata": "m" * 15_999},
            "Field metadata exceeds maximum length of 16000 bytes",
            marks=pytest.mark.rule("6.2 metadata"),
        ),
    ],
    ids=["no query", "empty query", "101 knowledge bases", "negative preview", "long metadata"],
)
async def test_refusals(user: TestUser, fields: Json, details: str) -> None:
    assert await recall(user, 400, **fields) == {"error": "Bad request", "details": details}


@pytest.mark.rule("6.2 metadata")
async def test_metadata_of_16000_bytes_is_echoed(user: TestUser) -> None:
    metadata = "m" * 15_998
    assert (await recall(user, metadata=metadata))["metadata"] == metadata


@pytest.mark.rule("6.2 knowledgeBaseId, knowledgeBaseIds")
async def test_a_hundred_knowledge_bases_may_be_named(user: TestUser) -> None:
    base = (await post(user, "/api/knowledge-bases", {"name": "k"}, status=201))["id"]
    assert (await recall(user, knowledgeBaseIds=[base] * 100))["memories"] == []


@pytest.mark.rule("6.2 previewLength")
@pytest.mark.parametrize(("asked", "length"), [(2000, 2000), (2001, 2000), (100_000, 2000)])
async def test_a_preview_has_2000_characters_at_most(user: TestUser, asked: int, length: int) -> None:
    await capture(user, content=LONG)
    assert (await row_of(user, previewLength=asked))["preview"] == LONG[:length]


@pytest.mark.rule("6.2 includeArchived, includeAssociations")
@pytest.mark.parametrize("value", [True, False, "yes", 7, {"any": [1]}, None], ids=repr)
async def test_old_flags_may_be_anything(user: TestUser, value: Any) -> None:
    kept, gone = [await capture(user, content=f"The boiler is {word}.") for word in ("warm", "cold")]
    await post(user, "forget", {"memoryId": gone})
    assert (await row_of(user, includeArchived=value, includeAssociations=value))["id"] == kept


@pytest.mark.rule("6.2 reply: memories")
async def test_a_row_without_a_text_to_recall_has_the_first_600_characters(user: TestUser, services: Services) -> None:
    await capture(user, content=LONG)
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET recall_text = NULL")
    row = await row_of(user)
    assert (row["recallText"], row["tags"]) == (LONG[:600], [])
    assert not row.keys() & {"metadata", "channel", "projectId", "compact"}
    assert (await row_of(user, compact=True))["content"] == LONG[:600]


@pytest.mark.rule("6.2 reply: rankingSignals")
async def test_the_parts_of_a_score_are_numbers_and_the_first_five_within_0_and_1(user: TestUser) -> None:
    await capture(user, content="The boiler is warm.")
    signals = (await row_of(user))["rankingSignals"]
    assert all(isinstance(value, int | float) for value in signals.values())
    first = ("vectorScore", "strengthScore", "freshnessScore", "accessScore", "textMatchScore")
    assert all(0 <= signals[name] <= 1 for name in first)


@pytest.mark.rule("6.2.3")
async def test_a_query_is_embedded_once_for_memories_and_messages(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.PRO)
    await capture(user, content="The boiler is warm.")
    await talk(user, "The boiler is cold.")
    await embed(services, user)
    query = f"boiler of {user.id.hex}"
    used = [(await send(user, "GET", "/api/mcp/stats"))["usage"]["embeddings_used_today"]]
    for _ in range(2):
        reply = await recall(user, query=query)
        assert (len(reply["memories"]), len(reply["messageMatches"])) == (1, 1)
        used.append((await send(user, "GET", "/api/mcp/stats"))["usage"]["embeddings_used_today"])
    await post(user, "search-messages", {"query": query})
    used.append((await send(user, "GET", "/api/mcp/stats"))["usage"]["embeddings_used_today"])
    assert [after - used[0] for after in used] == [0, 1, 1, 1]


@pytest.mark.rule("6.2 reply: debug")
async def test_near_duplicates_and_rows_over_the_limit_tell_the_reason(user: TestUser) -> None:
    for title, end in (("Boiler report", "one"), ("Boiler report", "two"), ("A boiler report", "six")):
        await capture(user, title=title, content=LONG + end, strength=0.9)
    await capture(user, title="Garden", content="Plums grow near the boiler house.", strength=0.1)
    reply = await send(user, "POST", "/api/mcp/recall", {"query": "boiler", "limit": 2}, debugRecallOutput="true")
    debug = reply["debug"]
    assert {row["reason"] for row in debug["dropped"]} == {"near_duplicate", "limit"}
    scores = {row["id"]: row["rankScore"] for row in debug["memories"]}
    order = [row["id"] for row in reply["memories"]]
    assert order == sorted(order, key=lambda memory_id: scores[memory_id], reverse=True)
    assert all(debug["timingsMs"][name] >= 0 for name in debug["timingsMs"])
