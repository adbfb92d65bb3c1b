"""GET /api/memories/list (contract 17.2): filters, sorts, pages, totals and the archive."""

import json
from typing import Any

import pytest

from memctl.wire.memory_listing import MemoryListRequest, MemorySort
from memd.context import Services
from memd.domain.cursors import encode_cursor
from memd.memories.listing import store
from memd.memories.listing.service import listing_of
from memd.memories.listing.store import Listing
from tests.support.jobs import context_of
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send

ROWS: tuple[Json, ...] = (
    {
        "title": "banana bread",
        "content": "Two ripe bananas",
        "store": "procedural",
        "category": "skill",
        "strength": 0.3,
    },
    {"title": "Apple pie", "content": "Granny Smith", "store": "semantic", "category": "fact", "strength": 0.9},
    {
        "title": "cherries",
        "content": "They are deployed in July",
        "store": "semantic",
        "category": "rule",
        "strength": 0.6,
    },
    {"title": "Dates", "content": "Stored dry", "store": "episodic", "category": "event", "strength": 0.1},
)
EXTRAS: tuple[Json, ...] = (
    {"tags": ["sweet", "cake"], "channel": "slack:kitchen"},
    {"tags": ["sweet"], "channel": "slack:kitchen"},
    {"tags": ["fresh"], "channel": "slack:garden"},
    {},
)


@pytest.fixture
async def stocked(make_user: MakeUser) -> TestUser:
    user = await make_user()
    for at, (row, extra) in enumerate(zip(ROWS, EXTRAS, strict=True)):
        await capture(user, **row, **extra, createdAt=1_770_000_000_000 + at, lastAccessedAt=1_780_000_000_000 - at)
    return user


async def page(user: TestUser, status: int = 200, **query: Any) -> Json:
    return await send(user, "GET", "/api/memories/list", status=status, **query)


async def titles(user: TestUser, **query: Any) -> list[str]:
    """The titles of all pages of the list, two rows a page."""
    reply = await page(user, limit=2, **query)
    rows = reply["memories"]
    while not reply["isDone"]:
        reply = await page(user, limit=2, **query, cursor=reply["continueCursor"])
        rows += reply["memories"]
    return [row["title"].split()[0] for row in rows]


@pytest.mark.rule("17.2 GET /api/memories/list")
@pytest.mark.parametrize(
    ("sort", "ascending"),
    [
        ("created", ["banana", "Apple", "cherries", "Dates"]),
        ("used", ["Dates", "cherries", "Apple", "banana"]),
        ("strength", ["Dates", "banana", "cherries", "Apple"]),
        ("title", ["Apple", "banana", "cherries", "Dates"]),
        ("store", ["Dates", "banana", "Apple", "cherries"]),
        ("category", ["Dates", "Apple", "cherries", "banana"]),
    ],
)
async def test_every_sort_goes_both_ways_over_pages(stocked: TestUser, sort: str, ascending: list[str]) -> None:
    assert await titles(stocked, sort=sort, order="asc") == ascending
    assert await titles(stocked, sort=sort) == ascending[::-1]


@pytest.mark.rule("17.2 GET /api/memories/list")
@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"store": "semantic"}, ["cherries", "Apple"]),
        ({"category": "fact"}, ["Apple"]),
        ({"tag": "SWEET"}, ["Apple", "banana"]),
        ({"channel": "slack:"}, ["cherries", "Apple", "banana"]),
        ({"channel": "slack:g"}, ["cherries"]),
        ({"text": "granny"}, ["Apple"]),
        ({"text": "gran smi"}, ["Apple"]),
        ({"text": "deploying"}, ["cherries"]),
        ({"text": "cak"}, ["banana"]),
        ({"text": "granny bananas"}, []),
        ({"text": "gr"}, []),
        ({"text": " "}, ["Dates", "cherries", "Apple", "banana"]),
        *(({"text": text}, []) for text in ("...", "%", "_", "\\", "(", "🙂")),
        ({"text": "sweet", "store": "semantic"}, ["Apple"]),
    ],
)
async def test_filters_narrow_the_list_and_its_total(stocked: TestUser, filters: Json, found: list[str]) -> None:
    assert await titles(stocked, **filters) == found
    assert (await page(stocked, **filters, limit=1))["total"] == len(found)


@pytest.mark.rule("17.2 GET /api/memories/list")
async def test_the_first_page_has_the_total_and_the_others_have_none(stocked: TestUser) -> None:
    base = await make_base(stocked)
    await fill(stocked, base, *(chunk(f"Chunk number {at}") for at in range(3)))
    first = await page(stocked, limit=3)
    assert (first["total"], first["totalIsExact"], first["isDone"]) == (4, True, False)
    second = await page(stocked, limit=3, cursor=first["continueCursor"])
    assert "total" not in second
    assert second["isDone"]
    assert (await page(stocked, limit=3, includeKnowledgeBases="true"))["total"] == 7


async def test_the_archive_lists_what_was_archived_last_first(stocked: TestUser) -> None:
    rows = (await page(stocked))["memories"]
    for row in rows[:3]:
        await post(stocked, "forget", {"memoryId": row["id"]})
    listed = await page(stocked, archived="true", limit=2)
    assert [row["title"] for row in listed["memories"]] == [rows[2]["title"], rows[1]["title"]]
    assert listed["total"] == 3
    assert listed["memories"][0]["archivedAt"] >= listed["memories"][1]["archivedAt"]
    assert await titles(stocked) == ["banana"]
    assert await titles(stocked, archived="true", text="granny") == ["Apple"]


async def test_a_row_shows_the_beginning_of_a_long_content(user: TestUser) -> None:
    await capture(user, title="Long", content="word " * 1_000)
    row = (await page(user))["memories"][0]
    assert (len(row["excerpt"]), row["length"]) == (2_000, 5_000)


@pytest.mark.rule("17.2 GET /api/memories/list")
async def test_a_cursor_belongs_to_one_list(stocked: TestUser) -> None:
    cursor = (await page(stocked, limit=1, sort="title"))["continueCursor"]
    for query in ({"sort": "created"}, {"sort": "title", "tag": "sweet"}):
        assert (await page(stocked, 400, **query, cursor=cursor))["error"]
    assert (await page(stocked, 400, sort="age"))["error"]


@pytest.mark.rule("17.2 GET /api/memories/list")
@pytest.mark.parametrize(
    ("sort", "values"),
    [
        ("created", ["x"]),
        ("created", [2**70]),
        ("title", ["\0"]),
        ("title", ["\ud800"]),
        ("title", []),
        ("strength", ["1"]),
    ],
)
async def test_a_made_up_position_is_refused(
    services: Services, stocked: TestUser, sort: str, values: list[str | float]
) -> None:
    request = MemoryListRequest(sort=MemorySort(sort))
    listing = listing_of(await context_of(services, stocked), request)
    cursor = encode_cursor(f"list:{stocked.id}:{listing}", [*values, "0" * 32])
    refusal = await page(stocked, 400, sort=sort, cursor=cursor)
    assert refusal["details"] == "Field cursor must be a cursor of this list"


LISTS = [
    Listing(sort=sort, descending=descending, archived=False, chunks=False)
    for sort in ("created", "used", "strength", "title", "store", "category")
    for descending in (True, False)
] + [
    Listing(sort="archived", descending=True, archived=True, chunks=False),
    Listing(sort="created", descending=True, archived=False, chunks=False, store="semantic"),
    Listing(sort="created", descending=True, archived=False, chunks=False, category="rule"),
]


PRICED_OUT = {
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "enable_sort": "off",
    "enable_incremental_sort": "off",
}


def nodes(plan: Json) -> list[str]:
    """The node types of a plan, with the names of its indexes."""
    here = [f"{plan['Node Type']} {plan.get('Index Name', '')}".strip()]
    return here + [node for below in plan.get("Plans", []) for node in nodes(below)]


async def test_every_sort_and_its_filters_read_an_index_in_order(services: Services, stocked: TestUser) -> None:
    """Scans of the whole table and sorts of all rows are priced out, so that a plan with either has no index to use."""
    async with services.database.owner(stocked.id, PRICED_OUT) as session:
        for listing in LISTS:
            sql, params = store.page_statement(session.user_id, listing, None, limit=10, excerpt=10)
            (text,) = await session.values(f"EXPLAIN (FORMAT JSON) {sql}", params)
            plan = json.loads(text) if isinstance(text, str | bytes) else text
            found = nodes(plan[0]["Plan"])
            assert not {"Seq Scan", "Sort", "Incremental Sort"} & set(found), (listing, found)


async def test_rows_carry_their_period(user: TestUser) -> None:
    await capture(
        user, title="Oslo", content="Ana lives in Oslo.", validFrom=1_600_000_000_000, validUntil="2021-03-01"
    )
    await capture(user, title="Bergen", content="Ana lives in Bergen.")
    rows = {row["title"]: row for row in (await page(user))["memories"]}
    assert (rows["Oslo"]["validFrom"], rows["Oslo"]["validUntil"]) == (1_600_000_000_000, 1_614_643_199_999)
    assert rows["Bergen"].keys().isdisjoint({"validFrom", "validUntil"})
