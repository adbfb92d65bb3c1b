"""POST /:id/bulk-insert (contract 8.5): flat chunks, derived titles, the reply of an import."""

from typing import Any

import pytest

from tests.support.service import TestUser
from tests.support.wire import Json, enumerate_chunks, make_base, post


async def insert(user: TestUser, base: str, *chunks: Any, status: int = 201) -> Json:
    return await post(user, f"/api/knowledge-bases/{base}/bulk-insert", {"chunks": list(chunks)}, status=status)


@pytest.mark.rule("8.5 flat fields", "8.5 reply")
async def test_flat_fields_are_stored(user: TestUser) -> None:
    base = await make_base(user)
    source = {"sourceUrl": "https://a.example", "chunkIndex": 1, "totalChunks": 2}
    reply = await insert(
        user,
        base,
        {"content": "words", "title": "T", "dedupeKey": "k", "chunkKind": "config", "scope": "slack"} | source,
    )
    row = (await enumerate_chunks(user, base))[0]
    assert (row["title"], row["dedupeKey"], row["chunkKind"], row["channel"]) == ("T", "k", "config", "slack")
    assert row["metadata"] == source | {"title": "T"}
    assert (reply["importedCount"], reply["embeddingsCreated"], reply["archivedDuplicateCount"]) == (1, 1, 0)


@pytest.mark.rule("8.5 flat fields")
async def test_nested_metadata_is_taken_and_flat_names_win(user: TestUser) -> None:
    base = await make_base(user)
    await insert(user, base, {"content": "words", "title": "Flat", "metadata": {"title": "Nested", "chunkIndex": 4}})
    row = (await enumerate_chunks(user, base))[0]
    assert (row["title"], row["metadata"]["chunkIndex"]) == ("Flat", 4)


@pytest.mark.rule("8.5 missing title")
@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({"chunkIndex": 0, "totalChunks": 3, "sourceUrl": "https://a.example"}, "Handbook — Chunk 1/3"),
        ({"sourceUrl": "https://a.example"}, "Handbook — https://a.example"),
        ({"chunkIndex": 0, "sourceUrl": "https://a.example"}, "Handbook — https://a.example"),
        ({}, "Handbook — Imported reference"),
        ({"title": "  "}, "Handbook — Imported reference"),
    ],
)
async def test_a_missing_title_is_derived(user: TestUser, fields: Json, title: str) -> None:
    base = await make_base(user)
    await insert(user, base, {"content": "words"} | fields)
    assert [row["title"] for row in await enumerate_chunks(user, base)] == [title]


async def test_a_replaced_chunk_keeps_its_title_when_none_is_sent(user: TestUser) -> None:
    base = await make_base(user)
    await insert(user, base, {"content": "words", "title": "Mine", "dedupeKey": "k"})
    reply = await insert(user, base, {"content": "other words", "dedupeKey": "k"})
    assert reply["updatedCount"] == 1
    assert [(row["title"], row["content"]) for row in await enumerate_chunks(user, base)] == [("Mine", "other words")]


@pytest.mark.rule("8.5 size")
@pytest.mark.parametrize("body", [None, {}, {"chunks": []}, {"chunks": None}])
async def test_chunks_are_required(user: TestUser, body: Json | None) -> None:
    base = await make_base(user)
    refusal = await post(user, f"/api/knowledge-bases/{base}/bulk-insert", body, status=400)
    assert refusal["details"] == "Missing required field: chunks"


async def test_a_wrong_chunk_refuses_the_whole_request(user: TestUser) -> None:
    base = await make_base(user)
    refusal = await insert(user, base, {"content": "good"}, {"content": "bad", "chunkIndex": 1.5}, status=400)
    details = "Field chunkIndex must be an integer"
    assert refusal == {"error": "Invalid chunk", "index": 1, "details": details}
    assert await enumerate_chunks(user, base) == []


@pytest.mark.rule("8.5 size")
async def test_more_than_ten_thousand_are_too_many(user: TestUser) -> None:
    base = await make_base(user)
    refusal = await insert(user, base, *([{}] * 10_001), status=413)
    assert refusal["error"] == "Import batch too large"


async def test_an_archived_knowledge_base_takes_nothing(user: TestUser) -> None:
    base = await make_base(user)
    await user.http.delete(f"/api/knowledge-bases/{base}")
    assert await insert(user, base, {"content": "words"}, status=409) == {"error": "Knowledge base is archived"}
