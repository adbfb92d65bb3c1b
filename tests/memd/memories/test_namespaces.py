"""Namespaces and metadata filters (contract 17.2): recall, export and POST /api/memories/search."""

import json
from typing import Any

import pytest

from memd.context import Services
from tests.support.jobs import done, now_of
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, memory, post, send

SEARCH = "/api/memories/search"
ROWS: dict[str, tuple[str | None, Any]] = {
    "apple": ("shop/fruit", {"price": 2, "colour": "red", "organic": True, "tags": ["a"]}),
    "pear": ("shop/fruit", {"price": 3.5, "colour": "green", "organic": False}),
    "leek": ("shop/vegetables", {"price": "3", "colour": "green", "stock": None}),
    "hammer": ("shopping", {"price": 12}),
    "list": ("shop", "not an object"),
    "loose": (None, {"price": 1, "colour": "red"}),
}


@pytest.fixture
async def stocked(make_user: MakeUser) -> TestUser:
    user = await make_user()
    for name, (namespace, metadata) in ROWS.items():
        fields: Json = {"title": name, "content": f"The market sells one {name} today.", "metadata": metadata}
        await post(user, "capture", fields | ({"namespace": namespace, "key": name} if namespace else {}))
    return user


async def recalled(user: TestUser, **fields: Any) -> set[str]:
    reply = await post(user, "recall", {"query": "what does the market sell today", "limit": 20} | fields)
    return {row["title"] for row in reply["memories"]}


async def exported(user: TestUser, **query: Any) -> set[str]:
    return {row["title"] for row in (await send(user, "GET", "/api/memories", **query))["memories"]}


async def searched(user: TestUser, **fields: Any) -> list[str]:
    return [row["title"] for row in (await post(user, SEARCH, fields))["memories"]]


NAMESPACES = [
    ("shop/fruit", {"apple", "pear"}),
    ("shop/", {"apple", "pear", "leek"}),
    ("shop", {"list"}),
    ("shop/fru", set[str]()),
    ("SHOP", set[str]()),
]


async def test_a_query_marks_memories_that_hardly_answer_it(stocked: TestUser) -> None:
    related = (await post(stocked, SEARCH, {"namespace": "shop/", "query": "does the market sell a pear?"}))["memories"]
    assert related[0]["title"] == "pear"
    assert "weak" not in related[0]
    unrelated = await post(stocked, SEARCH, {"namespace": "shop/", "query": "chromodynamics of lattice gluons"})
    assert [row["weak"] for row in unrelated["memories"]] == [True, True, True]
    listed = await post(stocked, SEARCH, {"namespace": "shop/"})
    assert not any("weak" in row for row in listed["memories"])


@pytest.mark.rule("17.2 namespace")
@pytest.mark.parametrize(("namespace", "expected"), NAMESPACES)
async def test_an_exact_namespace_or_a_prefix_that_ends_in_a_slash(
    stocked: TestUser, namespace: str, expected: set[str]
) -> None:
    assert await recalled(stocked, namespace=namespace) == expected
    assert await exported(stocked, namespace=namespace) == expected
    assert set(await searched(stocked, namespace=namespace)) == expected
    assert set(await searched(stocked, namespace=namespace, query="what does the market sell")) == expected


WHERE: list[tuple[Json, set[str]]] = [
    ({"colour": "red"}, {"apple", "loose"}),
    ({"colour": {"eq": "red"}, "price": {"lt": 2}}, {"loose"}),
    ({"colour": {"ne": "red"}}, {"pear", "leek"}),
    ({"price": {"gt": 2}}, {"pear", "hammer"}),
    ({"price": {"gte": 2, "lte": 3.5}}, {"apple", "pear"}),
    ({"price": {"gte": "3"}}, {"leek"}),
    ({"price": 2.0}, {"apple"}),
    ({"colour": {"in": ["red", "blue"]}}, {"apple", "loose"}),
    ({"colour": {"in": []}}, set()),
    ({"organic": True}, {"apple"}),
    ({"organic": {"exists": True}}, {"apple", "pear"}),
    ({"colour": {"exists": False}}, {"hammer", "list"}),
    ({"stock": None}, {"leek"}),
    ({"tags": ["a"]}, {"apple"}),
    ({"unknown": {"ne": 1}}, set()),
    ({"colour'; DROP TABLE memory; --": "x"}, set()),
    ({}, set(ROWS)),
]


@pytest.mark.rule("17.2 where")
@pytest.mark.parametrize(("where", "expected"), WHERE, ids=[json.dumps(where) for where, _ in WHERE])
async def test_where_holds_on_metadata(stocked: TestUser, where: Json, expected: set[str]) -> None:
    assert await recalled(stocked, where=where) == expected
    assert await exported(stocked, where=json.dumps(where)) == expected
    inside = {name for name in expected if (ROWS[name][0] or "").startswith("shop/")}
    assert set(await searched(stocked, namespace="shop/", where=where)) == inside


@pytest.mark.rule("17.2 where")
@pytest.mark.parametrize(
    ("where", "details"),
    [
        ("red", "Field where must be an object"),
        ({"price": {"near": 2}}, "Field where.price.near must be one of: eq, ne, gt, gte, lt, lte, in, exists"),
        ({"price": {}}, "Field where.price must name an operator"),
        ({"price": {"gt": True}}, "Field where.price.gt must be a number or a string"),
        ({"price": {"in": 2}}, "Field where.price.in must be an array"),
        ({"price": {"exists": "yes"}}, "Field where.price.exists must be a boolean"),
        ({str(number): 1 for number in range(21)}, "Field where exceeds maximum length of 20 items"),
    ],
)
async def test_a_wrong_filter_is_refused(user: TestUser, where: Any, details: str) -> None:
    for path, body in (("recall", {"query": "q"}), (SEARCH, {"namespace": "n"})):
        refusal = await post(user, path, {**body, "where": where}, status=400)
        assert refusal == {"error": "Bad request", "details": details}


@pytest.mark.parametrize("text", ["{", '{"a": NaN}', '{"a": "\\u0000"}', '{"a": "\\ud800"}', "[1]", "{" * 5_000])
async def test_a_filter_in_a_url_is_a_json_object(user: TestUser, text: str) -> None:
    refusal = await send(user, "GET", "/api/memories", status=400, where=text)
    assert refusal["details"].startswith("Field where must be a")


@pytest.mark.rule("17.2 POST /api/memories/search")
async def test_a_listing_has_pages_and_the_last_changed_first(user: TestUser) -> None:
    for number in range(7):
        fields = {"title": str(number), "content": f"Page {number}.", "namespace": "book", "key": str(number)}
        await post(user, "capture", fields)
    await post(user, "capture", {"title": "2", "content": "Page 2, revised.", "namespace": "book", "key": "2"})
    first = await post(user, SEARCH, {"namespace": "book", "limit": 4})
    second = await post(user, SEARCH, {"namespace": "book", "limit": 4, "offset": 4})
    titles = [row["title"] for page in (first, second) for row in page["memories"]]
    assert titles[0] == "2"
    assert sorted(titles) == [str(number) for number in range(7)]
    assert (first["hasMore"], second["hasMore"]) == (True, False)
    row = first["memories"][0]
    assert row.keys() >= {"id", "namespace", "key", "title", "content", "metadata", "tags", "createdAt", "updatedAt"}
    assert "relevance" not in row


@pytest.mark.rule("17.2 POST /api/memories/search")
async def test_a_list_goes_on_where_its_cursor_says(stocked: TestUser, make_user: MakeUser) -> None:
    whole = await searched(stocked, namespace="shop/")
    fields: Json = {"namespace": "shop/", "limit": 1}
    first = page = await post(stocked, SEARCH, fields)
    titles = [row["title"] for row in page["memories"]]
    await post(stocked, "capture", {"title": "fig", "content": "A new fig.", "namespace": "shop/fruit", "key": "fig"})
    while cursor := page.get("continueCursor"):
        page = await post(stocked, SEARCH, fields | {"cursor": cursor})
        titles += [row["title"] for row in page["memories"]]
    assert titles == whole
    cursor = first["continueCursor"]
    for user, refused in (
        (stocked, {"namespace": "shop", "cursor": cursor}),
        (stocked, {"namespace": "shop/", "cursor": cursor, "query": "pear"}),
        (await make_user(), {"namespace": "shop/", "cursor": cursor}),
    ):
        assert (await post(user, SEARCH, refused, status=400))["details"].startswith("Field cursor must be")


@pytest.mark.rule("17.2 POST /api/memories/search")
async def test_a_query_ranks_and_counts_no_access(stocked: TestUser, services: Services) -> None:
    await done(services, stocked)  # a link in the graph lifts a row
    reply = await post(stocked, SEARCH, {"namespace": "shop/", "query": "pear", "limit": 2})
    best = reply["memories"][0]
    assert best["title"] == "pear"
    assert 0 < best["relevance"] <= 1
    assert reply["hasMore"]
    rest = await post(stocked, SEARCH, {"namespace": "shop/", "query": "pear", "limit": 2, "offset": 2})
    assert {row["title"] for row in reply["memories"] + rest["memories"]} == {"apple", "pear", "leek"}
    assert (await memory(stocked, best["id"]))["accessCount"] == 1


@pytest.mark.rule("17.2 POST /api/memories/search")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({}, "Missing required field: namespace"),
        ({"namespace": "n", "query": " "}, "Query must not be empty"),
        ({"namespace": "n", "limit": 0}, "Field limit must be between 1 and 100"),
        ({"namespace": "n", "offset": -1}, "Field offset must be between 0 and 10000"),
    ],
)
async def test_a_wrong_search_is_refused(user: TestUser, fields: Json, details: str) -> None:
    assert (await post(user, SEARCH, fields, status=400))["details"] == details


@pytest.mark.rule("17.2 POST /api/memories/search")
async def test_a_search_has_what_is_no_longer_so(user: TestUser) -> None:
    row = {"title": "Home", "namespace": "past", "key": "home", "content": "Ann lived in Oslo until 2019."}
    await post(user, "capture", row)
    for fields in ({}, {"query": "where did Ann live"}):
        assert await searched(user, namespace="past", **fields) == ["Home"]


@pytest.mark.rule("17.2 POST /api/memories/search", "17.5 search")
@pytest.mark.parametrize("query", [None, "where is the home"])
async def test_a_search_as_of_a_time(user: TestUser, services: Services, query: str | None) -> None:
    text = {"title": "Home", "namespace": "past", "key": "home"}
    await post(user, "capture", text | {"content": "Home is Oslo.", "validUntil": 1_600_000_000_000})
    other = {"title": "Away", "namespace": "past", "content": "Home is Rome.", "validFrom": 1_600_000_000_000}
    away = (await post(user, "capture", other))["id"]
    before = await now_of(services)
    await post(user, "update", {"memoryId": away, "title": "Far", "content": "Home is Kiel."})

    async def found(**fields: Any) -> list[tuple[str, bool | None]]:
        body = {"namespace": "past", "query": query} | fields
        return [(row["content"], row.get("ended")) for row in (await post(user, SEARCH, body))["memories"]]

    assert await found(validAt=1_500_000_000_000) == [("Home is Oslo.", None)]
    assert await found(asOf=before) == [("Home is Rome.", None)]
    assert sorted(await found(knownAt=before, includeEnded=True)) == [("Home is Oslo.", True), ("Home is Rome.", None)]
    assert {content for content, _ in await found()} == {"Home is Oslo.", "Home is Kiel."}


async def test_a_search_shows_the_channels_that_a_recall_shows(user: TestUser) -> None:
    for channel in ("slack:one", "slack:two"):
        await post(
            user,
            "capture",
            {
                "title": channel,
                "content": f"Said in {channel}.",
                "namespace": "talk",
                "key": channel,
                "channel": channel,
            },
        )
    for fields in ({}, {"query": "said"}):
        assert await searched(user, namespace="talk", channel="slack:one", **fields) == ["slack:one"]


async def test_debugging_names_the_filter_that_a_row_fails(stocked: TestUser) -> None:
    body = {"query": "market pear", "namespace": "shop/", "where": {"colour": "red"}, "limit": 20}
    reply = await send(stocked, "POST", "/api/mcp/recall", body, debugRecallOutput="true")
    assert {row["title"] for row in reply["memories"]} == {"apple"}
    assert {row["reason"] for row in reply["debug"]["dropped"]} == {"namespace", "metadata"}
    assert {"namespace", "where"} <= set(reply["retrieval"]["filtersApplied"])
