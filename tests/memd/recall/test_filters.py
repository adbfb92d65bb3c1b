"""The filters of a recall (contract 6.2): each acts inside every lane, before its limit (11.1, step 5)."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.ids import new_id
from memd.domain.text.duplicates import content_hash
from memd.domain.text.embedding_text import embedding_text
from memd.domain.text_analysis.language import Language
from memd.memories.insertion import insert_memories
from memd.memories.new import NewMemory
from tests.support.service import TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post

ROWS: list[Json] = [
    {"title": "a", "store": "episodic", "category": "decision", "tags": ["ops", "deploy"], "projectId": "house"},
    {"title": "b", "store": "semantic", "category": "fact", "tags": ["ops"]},
    {"title": "c", "store": "procedural", "category": "workflow", "tags": [], "projectId": "boat"},
    {"title": "d", "store": "sensory", "category": "conversation", "tags": ["Deploy"]},
    {"title": "e", "store": "semantic", "category": "person", "tags": ["deploy", "ops", "x"], "projectId": "house"},
]


async def titles(user: TestUser, **fields: Any) -> set[str]:
    return {row["title"] for row in (await post(user, "recall", {"query": "boiler"} | fields))["memories"]}


@pytest.mark.parametrize(
    ("fields", "expected", "applied"),
    [
        ({}, "abcde", []),
        pytest.param({"category": "fact"}, "b", ["categories"], marks=pytest.mark.rule("6.2 category filter")),
        pytest.param(
            {"category": "fact", "categories": ["decision", "fact"]},
            "ab",
            ["categories"],
            marks=pytest.mark.rule("6.2 category filter"),
        ),
        pytest.param({"categories": []}, "abcde", [], marks=pytest.mark.rule("6.2 category filter")),
        pytest.param({"store": "semantic"}, "be", ["stores"], marks=pytest.mark.rule("6.2 stores")),
        pytest.param({"stores": ["semantic", "sensory"]}, "bde", ["stores"], marks=pytest.mark.rule("6.2 stores")),
        pytest.param({"tags": ["OPS"]}, "abe", ["tags"], marks=pytest.mark.rule("6.2 tags")),
        pytest.param({"tags": ["ops", " Deploy "]}, "ae", ["tags"], marks=pytest.mark.rule("6.2 tags")),
        pytest.param({"projectId": "house"}, "abde", ["projectId"], marks=pytest.mark.rule("6.2 projectId, repoSlug")),
        pytest.param(
            {"mode": "decision"}, "a", ["stores", "categories", "mode"], marks=pytest.mark.rule("6.2 mode: decision")
        ),
        pytest.param(
            {"mode": "people"}, "ae", ["stores", "categories", "mode"], marks=pytest.mark.rule("6.2 mode: people")
        ),
        pytest.param(
            {"mode": "workflow"}, "c", ["stores", "categories", "mode"], marks=pytest.mark.rule("6.2 mode: workflow")
        ),
        pytest.param(
            {"mode": "conversation"},
            "d",
            ["stores", "categories", "mode"],
            marks=pytest.mark.rule("6.2 mode: conversation"),
        ),
        pytest.param(
            {"mode": "project"}, "abc", ["stores", "categories", "mode"], marks=pytest.mark.rule("6.2 mode: project")
        ),
        pytest.param({"mode": "general"}, "abcde", ["mode"], marks=pytest.mark.rule("6.2 mode: general")),
        pytest.param(
            {"mode": "decision", "categories": ["person"]},
            "e",
            ["stores", "categories", "mode"],
            marks=pytest.mark.rule("6.2 mode"),
        ),
        pytest.param(
            {"mode": "workflow", "stores": ["episodic"]},
            "",
            ["stores", "categories", "mode"],
            marks=pytest.mark.rule("6.2 mode"),
        ),
        ({"store": "semantic", "tags": ["x"], "projectId": "house"}, "e", ["stores", "tags", "projectId"]),
    ],
    ids=str,
)
async def test_filters(user: TestUser, fields: Json, expected: str, applied: list[str]) -> None:
    for row in ROWS:
        await capture(user, content=f"boiler note {row['title']} {row['title'] * 9}", **row)
    assert await titles(user, **fields) == set(expected)
    reply = await post(user, "recall", {"query": "boiler"} | fields)
    assert reply["retrieval"]["filtersApplied"] == applied


@pytest.mark.rule("6.2 projectId, repoSlug")
async def test_the_repository_names_the_project(user: TestUser) -> None:
    await capture(user, title="mine", content="boiler mine", repoSlug="me/boat")
    await capture(user, title="other", content="boiler other", repoSlug="me/house")
    assert await titles(user, repoSlug="ME/boat") == {"mine"}


RARE = {"channel": "slack:quiet", "category": "person", "store": "prospective", "tags": ["rare"], "project_id": "quiet"}
BUSY = {"channel": "slack:busy", "category": "fact", "store": "semantic", "tags": ["busy"], "project_id": "busy"}


@pytest.mark.rule("11.1.5")
async def test_a_few_rows_are_never_starved_by_many_better_ones(user: TestUser, services: Services) -> None:
    await store_memory(services, user, "the rare one", "Something about heating.", RARE)
    for number in range(101):
        await store_memory(services, user, f"boiler valve {number}", f"boiler valve {number}", BUSY)
    for fields in (
        {"channel": "slack:quiet"},
        {"category": "person"},
        {"stores": ["prospective"]},
        {"tags": ["rare"]},
        {"projectId": "quiet"},
    ):
        assert await titles(user, query="boiler valve", limit=3, **fields) == {"the rare one"}, fields


async def store_memory(services: Services, user: TestUser, title: str, content: str, fields: Json) -> None:
    """A memory with its vector, past the checks of capture, which take their time."""
    row = NewMemory(
        id=new_id(),
        title=title,
        content=content,
        content_hash=content_hash(content),
        recall_text=content,
        created_at=services.clock(),
        vector=await services.batcher.embed_text(embedding_text(title, content)),
        **fields,
    )
    async with services.database.write(user.id) as session:
        await insert_memories(session, [row], model=services.model, default_language=Language.ENGLISH)


@pytest.mark.rule("11.1.11", "6.2.2")
async def test_filters_hold_for_chunks_too(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, chunk("The boiler of the handbook.", tags=["ops"]))
    for fields, found in (
        ({}, True),
        ({"category": "fact"}, True),
        ({"category": "person"}, False),
        ({"stores": ["semantic"]}, True),
        ({"stores": ["episodic"]}, False),
        ({"tags": ["ops"]}, True),
        ({"tags": ["x"]}, False),
        ({"projectId": "any"}, True),
        ({"mode": "decision"}, False),
    ):
        for named in ({}, {"knowledgeBaseId": base}):
            assert bool(await titles(user, **fields, **named)) is found, (fields, named)
