"""POST /:id/import with raw text (contract 8.4): titles, numbers, keys, the numbers of the splitter, the cost."""

from typing import Any

import pytest

from memd.domain.types import Tier
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, base_row, chunk, enumerate_chunks, fill, make_base, memory, post

PAGES = "\n\n".join(f"## Part {number}\n\n{'The words of this part go on. ' * 12}" for number in range(5))


async def put(user: TestUser, base: str, status: int = 201, **fields: Any) -> Json:
    return await post(user, f"/api/knowledge-bases/{base}/import", {"title": "Guide"} | fields, status=status)


@pytest.mark.rule("8.4 text")
@pytest.mark.parametrize("chunks", [[], None], ids=["empty", "null"])
async def test_a_text_beside_no_chunks_is_stored(user: TestUser, chunks: list[Json] | None) -> None:
    base = await make_base(user)
    reply = await put(user, base, text="A short text.", chunks=chunks)
    assert (reply["importedCount"], len(await enumerate_chunks(user, base))) == (1, 1)


@pytest.mark.rule("8.4 title", "8.4 text")
async def test_one_part_has_the_plain_title(user: TestUser) -> None:
    base = await make_base(user)
    reply = await put(user, base, text="A short text.")
    row = (await enumerate_chunks(user, base))[0]
    assert (reply["importedCount"], row["title"], row["content"]) == (1, "Guide", "A short text.")
    assert row["metadata"] == {"title": "Guide", "sourceUrl": None, "chunkIndex": 0, "totalChunks": 1}


@pytest.mark.rule("8.4 title", "8.4 sourceUrl, sourceType, dedupeKeyPrefix", "8.4 raw split")
async def test_several_parts_are_numbered_and_keyed(user: TestUser) -> None:
    base = await make_base(user)
    source: Json = {"sourceUrl": "https://a.example/guide", "sourceType": "web", "dedupeKeyPrefix": "guide"}
    await put(user, base, text=PAGES, chunkSize=400, **source)
    rows = sorted(await enumerate_chunks(user, base), key=lambda row: row["metadata"]["chunkIndex"])
    count = len(rows)
    assert count == 5
    assert [row["title"] for row in rows] == [f"Guide ({number}/{count})" for number in range(1, count + 1)]
    assert [row["dedupeKey"] for row in rows] == [f"guide#{number}" for number in range(count)]
    assert all(row["content"].startswith("## Part") for row in rows)
    assert {row["metadata"]["sourceUrl"] for row in rows} == {"https://a.example/guide"}


async def test_the_same_prefix_edits_in_place(user: TestUser) -> None:
    base = await make_base(user)
    first = await put(user, base, text=PAGES, chunkSize=400, dedupeKeyPrefix="guide")
    again = await put(user, base, text=PAGES.replace("words", "lines"), chunkSize=400, dedupeKeyPrefix="guide")
    assert (again["importedCount"], again["updatedCount"], again["memoryIds"]) == (0, 5, first["memoryIds"])


@pytest.mark.rule("8.4 delimiter")
async def test_a_delimiter_keeps_every_boundary(user: TestUser) -> None:
    base = await make_base(user)
    await put(user, base, text="one===two=== ===three", delimiter="===")
    assert [row["content"] for row in await enumerate_chunks(user, base)] == ["one", "two", "three"]


async def test_no_part_is_longer_than_the_size(user: TestUser) -> None:
    base = await make_base(user)
    await put(user, base, text=PAGES, chunkSize=200, chunkOverlap=100)
    assert max(len(row["content"]) for row in await enumerate_chunks(user, base)) <= 200


async def test_the_channel_is_that_of_the_knowledge_base(user: TestUser) -> None:
    base = await make_base(user, scope="team-docs")
    memory_id = (await put(user, base, text="words"))["memoryIds"][0]
    assert (await memory(user, memory_id))["channel"] == "team-docs"


@pytest.mark.rule("8.4 title", "8.4 delimiter", "8.4 chunkSize, chunkOverlap")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"text": "words", "title": None}, "Missing required field: title"),
        ({"text": " "}, "Missing required field: text"),
        ({"text": 5}, "Field text must be a string"),
        ({"text": "words", "chunkSize": 199}, "Field chunkSize must be between 200 and 100000"),
        ({"text": "words", "chunkSize": 100_001}, "Field chunkSize must be between 200 and 100000"),
        ({"text": "words", "chunkSize": 400, "chunkOverlap": 201}, "Field chunkOverlap must be between 0 and 200"),
        ({"text": "words", "chunkOverlap": -1}, "Field chunkOverlap must be between 0 and 50000"),
        ({"text": "words", "delimiter": "d" * 201}, "Field delimiter exceeds maximum length of 200 characters"),
        ({"text": "words", "delimiter": ""}, "Field delimiter must have at least 1 character"),
    ],
    ids=lambda value: str(value)[:60],
)
async def test_a_wrong_value_is_refused_with_the_field(user: TestUser, fields: Json, details: str) -> None:
    base = await make_base(user)
    assert (await put(user, base, 400, **fields))["details"] == details


async def test_more_than_ten_thousand_parts_are_too_many(user: TestUser) -> None:
    base = await make_base(user)
    refusal = await put(user, base, 413, text="word;" * 10_001, delimiter=";")
    assert refusal["details"] == "Maximum 10,000 chunks per import, got 10001"


@pytest.mark.parametrize(
    ("fields", "cost"),
    [
        ({"text": "word " * 30}, 5),
        ({"text": ";".join(f"w{number}" for number in range(150)), "delimiter": ";"}, 10),
        ({"text": ";".join(f"w{number}" for number in range(150)), "delimiter": ";", "chunks": []}, 10),
        ({"text": 5}, 5),
        ({"text": "word;" * 10_001, "delimiter": ";"}, 5),
    ],
    ids=["one part", "150 parts", "150 parts beside no chunks", "unreadable", "too many"],
)
async def test_the_cost_is_that_of_the_parts(make_user: MakeUser, fields: Json, cost: int) -> None:
    user = await make_user(tier=Tier.PRO)
    base = await make_base(user)
    reply = await user.http.post(f"/api/knowledge-bases/{base}/import", json={"title": "t"} | fields)
    assert int(reply.headers["X-RateLimit-Remaining"]) == 500 - 5 - cost


@pytest.mark.rule("8.4 sourceUrl, sourceType, dedupeKeyPrefix")
async def test_a_shorter_text_leaves_nothing_of_the_longer_one(user: TestUser) -> None:
    base = await make_base(user)
    for prefix in ("guide", "guide#1", "guidebook"):
        await put(user, base, text=PAGES, chunkSize=400, dedupeKeyPrefix=prefix)
    reply = await put(user, base, text="There is one part.", dedupeKeyPrefix="guide")
    rows = await enumerate_chunks(user, base)
    assert [
        row["content"] for row in rows if row["dedupeKey"].startswith("guide#") and row["dedupeKey"].count("#") == 1
    ] == ["There is one part."]
    assert (len(rows), reply["memoryCount"], reply["totalChars"]) == (11, 11, sum(len(row["content"]) for row in rows))


async def test_a_text_without_a_prefix_leaves_the_others(user: TestUser) -> None:
    base = await make_base(user)
    await put(user, base, text=PAGES, chunkSize=400, dedupeKeyPrefix="guide")
    assert (await put(user, base, text="One part."))["memoryCount"] == 6


@pytest.mark.rule("8.4 sourceUrl, sourceType, dedupeKeyPrefix")
async def test_many_parts_that_are_left_over_are_archived_page_by_page(user: TestUser) -> None:
    base = await make_base(user)
    text = ";".join(f"w{number}" for number in range(450))
    ids = (await put(user, base, text=text, delimiter=";", dedupeKeyPrefix="guide"))["memoryIds"]
    await fill(user, base, chunk("of the client", dedupeKey="guide#007"), chunk("too", dedupeKey="guide#x"))
    reply = await put(user, base, text="a;bc", delimiter=";", dedupeKeyPrefix="guide")
    assert (reply["memoryCount"], reply["totalChars"]) == (4, len("a" + "bc" + "of the client" + "too"))
    assert [(await memory(user, one))["archived"] for one in (ids[1], ids[2], ids[449])] == [False, True, True]
    contents = [row["content"] for row in await enumerate_chunks(user, base)]
    assert sorted(contents) == ["a", "bc", "of the client", "too"]


@pytest.mark.rule("8.4 sourceUrl, sourceType, dedupeKeyPrefix")
async def test_undo_brings_the_longer_text_back(user: TestUser) -> None:
    base = await make_base(user)
    await put(user, base, text="a;b;c", delimiter=";", dedupeKeyPrefix="guide")
    short = await put(user, base, text="d", delimiter=";", dedupeKeyPrefix="guide")
    undone = await post(user, "/api/undo", {"sinceMs": short["timestamp"]})
    assert len(undone["undone"]) == 3
    assert sorted(row["content"] for row in await enumerate_chunks(user, base)) == ["a", "b", "c"]
    assert (await base_row(user, base))["memoryCount"] == 3
