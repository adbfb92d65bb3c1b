"""The pages of a search for a query in a namespace (contract 17.2): each memory once, equal ones included."""

import asyncio
import random

import pytest

from memctl.wire.keyed_memories import MemorySearchRequest
from tests.support.service import TestUser
from tests.support.wire import post

SEARCH = "/api/memories/search"
QUERY = "who feeds the sheep"
SUBJECTS = ("Ana", "Ben", "The neighbour", "Nobody", "The new shepherd")
DEEDS = ("feeds the sheep", "shears the sheep", "counts them", "paints the barn", "sells wool", "repairs the fence")
PLACES = ("at dawn", "on the hill", "in winter", "behind the mill", "every other day")

pytestmark = pytest.mark.rule("17.2 POST /api/memories/search")


async def store(user: TestUser, chance: random.Random, count: int, start: int = 0) -> set[str]:
    """Memories of one namespace that differ in words and strength; their ids."""
    memories = [
        {
            "title": str(number),
            "content": f"{' '.join(map(chance.choice, (SUBJECTS, DEEDS, PLACES)))}, note {number}",
            "namespace": "farm",
            "strength": chance.random(),
        }
        for number in range(start, start + count)
    ]
    return {row["id"] for row in (await post(user, "capture-batch", {"memories": memories}))["results"]}


@pytest.mark.parametrize("limit", [7, 100])
async def test_every_memory_of_a_namespace_comes_once_while_others_arrive(user: TestUser, limit: int) -> None:
    chance = random.Random(limit)
    stored = await store(user, chance, 130)
    seen, offset = list[str](), 0
    while True:
        page = await post(user, SEARCH, {"namespace": "farm", "query": QUERY, "limit": limit, "offset": offset})
        seen += [row["id"] for row in page["memories"]]
        if not page["hasMore"]:
            break
        assert len(page["memories"]) == limit
        offset += limit
        await store(user, chance, 1, start=1_000 + offset)
    assert len(seen) == len(set(seen))
    assert stored <= set(seen)


async def test_the_client_reads_all_pages(user: TestUser) -> None:
    stored = await store(user, random.Random(1), 130)
    rows = user.client.memories.search_all(MemorySearchRequest(namespace="farm", query=QUERY))
    assert sorted([row.id async for row in rows]) == sorted(stored)


async def test_the_pages_end_with_the_most_that_are_ranked(user: TestUser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memd.memories.namespaces.service.MOST_RANKED", 20)
    await store(user, random.Random(2), 30)
    body = {"namespace": "farm", "query": QUERY, "limit": 8}
    pages = [await post(user, SEARCH, body | {"offset": offset}) for offset in (0, 8, 16, 24)]
    assert [(len(page["memories"]), page["hasMore"]) for page in pages] == [
        (8, True),
        (8, True),
        (4, False),
        (0, False),
    ]


async def test_equal_contents_under_two_keys_are_both_found(user: TestUser) -> None:
    text = {"title": "Diet", "content": "Eats no nuts."}
    keys = [{"namespace": f"guests/{name}", "key": "diet"} for name in ("ana", "ben")]
    stored = await asyncio.gather(*(post(user, "capture", text | key) for key in keys))
    found = await post(user, SEARCH, {"namespace": "guests/", "query": "who eats no nuts?"})
    assert {row["namespace"] for row in found["memories"]} == {"guests/ana", "guests/ben"}
    assert {row["id"] for row in found["memories"]} == {row["id"] for row in stored}
    recalled = await post(user, "recall", {"query": "who eats no nuts?", "namespace": "guests/"})
    assert len(recalled["memories"]) == 1
