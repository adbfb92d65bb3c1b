"""GET /api/memories (contract 6.13): every active row of the user, page by page, stable while rows are added."""

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from memd.context import Services
from memd.domain.cursors import encode_cursor
from memd.domain.ids import decode
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send

DAY = 86_400_000
MARCH_1 = 1_772_323_200_000


async def page(user: TestUser, status: int = 200, **query: Any) -> Json:
    return await send(user, "GET", "/api/memories", status=status, **query)


async def everything(user: TestUser, **query: Any) -> list[Json]:
    rows: list[Json] = []
    reply = await page(user, **query)
    while True:
        rows += reply["memories"]
        if reply["pagination"]["isDone"]:
            return rows
        reply = await page(user, **query, cursor=reply["pagination"]["cursor"])


async def date(services: Services, user: TestUser, memory_id: str, created_at: int) -> None:
    async with services.database.write(user.id) as session:
        await session.execute(
            "UPDATE memory SET created_at = %(at)s WHERE id = %(id)s",
            {"at": created_at, "id": decode("mem", memory_id)},
        )


@pytest.mark.rule("6.13 reply")
async def test_a_row_has_every_field(user: TestUser) -> None:
    fields = {
        "title": "T",
        "content": "C c",
        "store": "semantic",
        "category": "rule",
        "tags": ["a"],
        "channel": "slack",
    }
    memory_id = await capture(user, **fields, metadata={"k": [1]}, source="cron", strength=0.5, confidence=0.25)
    row = (await page(user))["memories"][0]
    assert row == fields | {
        "id": memory_id,
        "recallText": row["recallText"],
        "chunkKind": "content",
        "source": "cron",
        "strength": 0.5,
        "confidence": 0.25,
        "valence": 0,
        "arousal": 0.3,
        "archived": False,
        "metadata": {"k": [1]},
        "createdAt": row["createdAt"],
        "lastAccessedAt": row["createdAt"],
    }


@pytest.mark.rule("6.13 reply")
async def test_a_chunk_names_its_knowledge_base_and_key(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, chunk("words", dedupeKey="k"))
    row = (await page(user))["memories"][0]
    assert (row["knowledgeBaseId"], row["dedupeKey"]) == (base, "k")


@pytest.mark.rule("6.13 page size")
@pytest.mark.parametrize(
    ("query", "size"), [({}, 50), ({"pageSize": 2}, 2), ({"limit": 2}, 2), ({"pageSize": 500}, 200)]
)
async def test_the_page_size_has_an_alias_a_default_and_a_maximum(
    user: TestUser, query: dict[str, int], size: int
) -> None:
    assert (await page(user, **query))["pagination"] == {"pageSize": size, "cursor": None, "isDone": True}


@pytest.mark.rule("6.13 page size")
@pytest.mark.parametrize("size", ["0", "-1", "1.5", "ten", ""])
async def test_a_page_size_below_one_or_not_whole_is_refused(user: TestUser, size: str) -> None:
    assert (await page(user, 400, pageSize=size))["error"] == "Bad request"


@pytest.mark.rule("6.13 order")
async def test_newest_first_and_active_rows_only(user: TestUser) -> None:
    made = [await capture(user) for _ in range(4)]
    await post(user, "forget", {"memoryId": made[1]})
    assert [row["id"] for row in await everything(user, pageSize=2)] == [made[3], made[2], made[0]]


@pytest.mark.rule("6.13 access")
async def test_all_channels_of_the_user_and_of_nobody_else(user: TestUser, make_user: MakeUser) -> None:
    await capture(await make_user())
    made = {await capture(user, channel=name) for name in (None, "peer-coach:7", "discord:group:1")}
    assert {row["id"] for row in await everything(user)} == made


@pytest.mark.rule("6.13 reply", "6.13 cursor")
async def test_the_last_page_says_so(user: TestUser) -> None:
    for _ in range(4):
        await capture(user)
    first = await page(user, pageSize=2)
    second = await page(user, pageSize=2, cursor=first["pagination"]["cursor"])
    assert first["pagination"]["isDone"] is False
    assert second["pagination"] == {"pageSize": 2, "cursor": None, "isDone": True}


@pytest.mark.rule("6.13 cursor")
async def test_a_cursor_of_another_user_or_list_or_none_at_all_is_refused(user: TestUser, make_user: MakeUser) -> None:
    other = await make_user()
    base = await make_base(user)
    await fill(user, base, chunk("one"), chunk("two"))
    for _ in range(2):
        await capture(other)
    foreign = (await page(other, pageSize=1))["pagination"]["cursor"]
    of_chunks = (await send(user, "GET", f"/api/knowledge-bases/{base}/memories", limit=1))["continueCursor"]
    own = (await page(user, pageSize=1))["pagination"]["cursor"]
    for cursor in (foreign, of_chunks, "nonsense", own[:-2], own + "A"):
        assert (await page(user, 400, cursor=cursor))["details"] == "Field cursor must be a cursor of this list"


@pytest.mark.rule("6.13 cursor")
@pytest.mark.parametrize(
    "position", [[10**30, "0" * 32], [1e400, "0" * 32], [], [1], [1, "x"], ["1e5", "0" * 32]], ids=str
)
async def test_a_cursor_that_a_client_made_up_is_refused(user: TestUser, position: list[Any]) -> None:
    cursor = encode_cursor(f"export:{user.id}", position)
    assert (await page(user, 400, cursor=cursor))["details"] == "Field cursor must be a cursor of this list"


@pytest.mark.rule("6.13 store, category", "6.13 includeKnowledgeBases")
@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({"store": "semantic"}, {"b", "k"}),
        ({"category": "goal"}, {"c"}),
        ({"store": "episodic", "category": "goal"}, {"c"}),
        ({"includeKnowledgeBases": "false"}, {"a", "b", "c"}),
        ({"includeKnowledgeBases": "0"}, {"a", "b", "c"}),
        ({"includeKnowledgeBases": "true"}, {"a", "b", "c", "k"}),
    ],
)
async def test_filters(user: TestUser, query: dict[str, str], wanted: set[str]) -> None:
    for title, fields in (("a", {}), ("b", {"store": "semantic"}), ("c", {"category": "goal"})):
        await capture(user, title=title, **fields)
    await fill(user, await make_base(user), chunk("words", metadata={"title": "k"}))
    assert {row["title"] for row in await everything(user, **query)} == wanted


@pytest.mark.rule("6.13 store, category")
@pytest.mark.parametrize(
    "query",
    [{"store": "attic"}, {"category": "gossip"}, {"includeKnowledgeBases": "yes"}, {"createdAfter": "soon"}],
    ids=str,
)
async def test_a_filter_that_is_not_understood_is_refused(user: TestUser, query: dict[str, str]) -> None:
    assert (await page(user, 400, **query))["error"] == "Bad request"


@pytest.mark.rule("6.13 date", "7.0 lower bound")
@pytest.mark.parametrize("name", ["createdAfter", "since", "fromMs", "startDate", "sinceMs", "after", "from"])
@pytest.mark.parametrize("value", ["2026-03-01", "1772323200000", "1772323200", "2026-03-01T01:00:00+01:00"])
async def test_the_lower_bound_and_its_aliases(services: Services, user: TestUser, name: str, value: str) -> None:
    before, at = [await capture(user) for _ in range(2)]
    await date(services, user, before, MARCH_1 - 1)
    await date(services, user, at, MARCH_1)
    assert [row["id"] for row in await everything(user, **{name: value})] == [at]


@pytest.mark.rule("6.13 date", "7.0 upper bound")
@pytest.mark.parametrize(
    ("name", "value", "limit"),
    [
        *((name, "2026-03-01", MARCH_1 + DAY - 1) for name in ("createdBefore", "until", "toMs", "endDate", "to")),
        *((name, "2026-03-01", MARCH_1) for name in ("before", "beforeMs")),
        *((name, "1772323200000", MARCH_1) for name in ("createdBefore", "until", "toMs", "endDate", "before", "to")),
        ("createdBefore", "2026-03-01T00:00", MARCH_1),
    ],
)
async def test_the_upper_bound_and_its_aliases(
    services: Services, user: TestUser, name: str, value: str, limit: int
) -> None:
    at, after = [await capture(user) for _ in range(2)]
    await date(services, user, at, limit)
    await date(services, user, after, limit + 1)
    assert [row["id"] for row in await everything(user, **{name: value})] == [at]


@pytest.mark.rule("6.13 date")
async def test_a_window_that_ends_before_it_begins_is_refused(user: TestUser) -> None:
    assert (await page(user, 400, createdAfter="2026-03-02", createdBefore="2026-03-01"))["error"] == "Bad request"


@pytest.mark.long_form
@pytest.mark.rule("6.13 order")
async def test_many_rows_come_once_each_while_another_client_writes(
    user: TestUser, of_size: Callable[[int, int], int]
) -> None:
    chunks, memories = of_size(200, 900), of_size(40, 100)
    base = await make_base(user)
    first = set((await fill(user, base, *(chunk(f"Number {number}") for number in range(chunks))))["memoryIds"])
    first |= set(await asyncio.gather(*(capture(user) for _ in range(memories))))
    found: list[str] = []
    place: Json = {}
    for written in count():
        reply, *_ = await asyncio.gather(
            page(user, pageSize=37, **place),
            capture(user),
            fill(user, base, chunk(f"Late {written}"), chunk(f"Number {written}", dedupeKey=f"n{written}")),
        )
        found += [row["id"] for row in reply["memories"]]
        place = {"cursor": reply["pagination"]["cursor"]}
        if reply["pagination"]["isDone"]:
            break
    assert written > 1
    assert len(first) == chunks + memories
    assert sorted(row for row in found if row in first) == sorted(first)
    assert len(found) == len(set(found))
