"""GET and POST /api/knowledge-bases, GET of one (contract 8, 8.1, 8.2, 8.3): the row, its defaults, who sees which."""

import re
from typing import Any

import pytest

from memctl.wire.enums import SourceRole
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, chunk, fill, make_base, post, send

PATH = "/api/knowledge-bases"
ID = re.compile(r"kb_[0-7][0-9a-hjkmnp-tv-z]{25}")


async def names(user: TestUser, **query: Any) -> list[str]:
    return [row["name"] for row in (await send(user, "GET", PATH, **query))["knowledgeBases"]]


@pytest.mark.rule("8 row", "8.2 reply")
async def test_the_row_has_every_field_and_each_of_its_names(user: TestUser) -> None:
    row = await post(user, PATH, {"name": "Handbook"}, status=201)
    assert row == {
        "id": row["id"],
        "_id": row["id"],
        "knowledgeBaseId": row["id"],
        "name": "Handbook",
        "description": "",
        "chunkCount": 0,
        "memoryCount": 0,
        "totalChars": 0,
        "agentIds": [],
        "scope": None,
        "peerScopePolicy": "strict",
        "sourceType": None,
        "sourceRole": None,
        "archived": False,
        "isActive": True,
        "createdAt": row["createdAt"],
        "updatedAt": row["createdAt"],
    }
    assert ID.fullmatch(row["id"])


@pytest.mark.rule("8.2 description, scope, peerScopePolicy, sourceType, sourceRole, metadata")
async def test_what_is_sent_is_stored(user: TestUser) -> None:
    fields = {
        "name": " Handbook ",
        "description": "Rules of the house",
        "agentIds": ["writer", "*"],
        "scope": "peer-team:main",
        "peerScopePolicy": "permissive",
        "sourceType": "wiki",
        "sourceRole": "canonical_reference",
        "metadata": {"shelf": [1, None, {"deep": "ü"}]},
    }
    row = await post(user, PATH, fields, status=201)
    assert {name: row[name] for name in fields} == fields
    row = (await send(user, "GET", f"{PATH}/{row['id']}"))["knowledgeBase"]
    assert {name: row[name] for name in fields} == fields


@pytest.mark.rule("8.2 description, scope, peerScopePolicy, sourceType, sourceRole, metadata")
@pytest.mark.parametrize("role", list(SourceRole))
async def test_every_source_role_is_kept(user: TestUser, role: str) -> None:
    assert (await post(user, PATH, {"name": "k", "sourceRole": role}, status=201))["sourceRole"] == role


@pytest.mark.rule("8.2 name", "8.2 agentIds")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({}, "Missing required field: name"),
        ({"name": " "}, "Missing required field: name"),
        ({"name": "n" * 201}, "Field name exceeds maximum length of 200 characters"),
        ({"name": "n", "description": "d" * 2001}, "Field description exceeds maximum length of 2000 characters"),
        ({"name": "n", "agentIds": "writer"}, "Field agentIds must be an array"),
        (
            {"name": "n", "agentIds": [f"a{n}" for n in range(101)]},
            "Field agentIds exceeds maximum length of 100 items",
        ),
        (
            {"name": "n", "agentIds": ["", " \t"]},
            "Field agentIds must be a list of agent ids, or empty for every agent",
        ),
        ({"name": "n", "peerScopePolicy": "open"}, "Field peerScopePolicy must be one of: strict, permissive"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_a_wrong_value_is_refused_with_the_field(user: TestUser, fields: Json, details: str) -> None:
    refusal = await post(user, PATH, fields, status=400)
    assert refusal == {"error": "Bad request", "details": details}
    assert await names(user) == []


@pytest.mark.rule("8.2 agentIds")
async def test_a_hundred_agents_are_kept_and_a_star_is_every_agent(user: TestUser) -> None:
    agents = [f"a{number}" for number in range(100)]
    assert (await post(user, PATH, {"name": "many", "agentIds": agents}, status=201))["agentIds"] == agents
    await make_base(user, name="all", agentIds=["*"])
    assert await names(user, agentId="somebody") == ["all"]


@pytest.mark.rule("8.2 name")
async def test_names_need_not_be_unique(user: TestUser) -> None:
    assert await make_base(user, name="Twin") != await make_base(user, name="Twin")
    assert await names(user) == ["Twin", "Twin"]


@pytest.mark.rule("8.1 reply")
async def test_the_last_changed_comes_first(user: TestUser) -> None:
    first, _ = await make_base(user, name="one"), await make_base(user, name="two")
    assert await names(user) == ["two", "one"]
    await fill(user, first, chunk("words"))
    assert await names(user) == ["one", "two"]


@pytest.mark.rule("8.1 reply")
async def test_only_the_callers_own_are_listed(user: TestUser, make_user: MakeUser) -> None:
    await make_base(await make_user(), name="theirs")
    await make_base(user, name="mine")
    assert await names(user) == ["mine"]


@pytest.mark.rule("8.1 includeInactive")
@pytest.mark.parametrize(("query", "listed"), [({}, False), ({"includeInactive": "true"}, True)])
async def test_archived_ones_are_listed_when_asked_for(user: TestUser, query: Json, *, listed: bool) -> None:
    base = await make_base(user, name="old")
    await send(user, "DELETE", f"{PATH}/{base}")
    rows = (await send(user, "GET", PATH, **query))["knowledgeBases"]
    assert [(row["archived"], row["isActive"]) for row in rows] == ([(True, False)] if listed else [])


@pytest.mark.parametrize("value", ["yes", "TRUE", "2"])
async def test_a_flag_in_the_url_is_true_1_false_or_0(user: TestUser, value: str) -> None:
    await send(user, "GET", PATH, status=400, includeInactive=value)


@pytest.mark.rule("8.1 agentId, scope", "8.1 hidden")
@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({}, {"broad", "writer", "slack", "peer", "peer main"}),
        ({"agentId": " ", "scope": ""}, {"broad", "writer", "slack", "peer", "peer main"}),
        ({"agentId": "writer"}, {"broad", "writer", "slack"}),
        ({"agentId": "editor"}, {"broad", "slack"}),
        ({"scope": "slack"}, {"broad", "writer", "slack"}),
        ({"scope": "discord"}, {"broad", "writer"}),
        ({"scope": "peer-coach:7"}, {"broad", "writer", "peer"}),
        ({"scope": "peer-team:main"}, {"broad", "writer", "peer main"}),
        ({"scope": "peer-coach:"}, set[str]()),
        ({"agentId": "peer-coach", "scope": "peer-coach:7"}, {"broad", "slack", "peer"}),
        ({"agentId": "peer-coach"}, {"broad", "slack"}),
    ],
)
async def test_agent_and_scope_decide_which_are_listed(user: TestUser, query: Json, wanted: set[str]) -> None:
    await make_base(user, name="broad")
    await make_base(user, name="writer", agentIds=["writer"])
    await make_base(user, name="slack", scope="slack")
    await make_base(user, name="peer", scope="peer-coach:7", agentIds=["peer-coach"])
    await make_base(user, name="peer main", scope="peer-team:main", agentIds=["main"])
    assert set(await names(user, **query)) == wanted


@pytest.mark.rule("8.3 GET /:id")
async def test_one_comes_with_its_row_twice_and_its_first_chunks(user: TestUser) -> None:
    base = await make_base(user)
    ids = (await fill(user, base, chunk("one"), chunk("two"), chunk("three")))["memoryIds"]
    reply = await send(user, "GET", f"{PATH}/{base}", limit=2)
    row = reply["knowledgeBase"]
    assert {name: reply[name] for name in row} == row
    assert (row["chunkCount"], row["totalChars"]) == (3, 11)
    assert [chunk["id"] for chunk in reply["memories"]] == ids[:2]


@pytest.mark.rule("8.3 GET /:id")
async def test_one_shows_fifty_chunks_unless_asked_for_up_to_200(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, *(chunk(f"Number {number}") for number in range(201)))
    for query, count in (({}, 50), ({"limit": 1}, 1), ({"limit": 200}, 200), ({"limit": 900}, 200)):
        assert len((await send(user, "GET", f"{PATH}/{base}", **query))["memories"]) == count
    for limit in ("0", "2.5", "many"):
        await send(user, "GET", f"{PATH}/{base}", status=400, limit=limit)


async def test_one_that_is_archived_is_still_its_owners_to_see(user: TestUser) -> None:
    base = await make_base(user)
    await send(user, "DELETE", f"{PATH}/{base}")
    assert (await send(user, "GET", f"{PATH}/{base}"))["archived"] is True


@pytest.mark.parametrize(
    ("method", "tail"),
    [
        ("GET", ""),
        ("PATCH", ""),
        ("DELETE", ""),
        ("DELETE", "?permanent=true"),
        ("POST", "/unarchive"),
        ("POST", "/empty"),
        ("GET", "/memories"),
        ("POST", "/import"),
        ("POST", "/bulk-insert"),
    ],
)
async def test_unknown_and_foreign_ones_do_not_exist(
    user: TestUser, make_user: MakeUser, method: str, tail: str
) -> None:
    body = {"chunks": [chunk("words")]} if tail in {"/import", "/bulk-insert"} else None
    foreign = await make_base(await make_user())
    for base in (foreign, "kb_" + "0" * 26):
        assert await send(user, method, f"{PATH}/{base}{tail}", body, status=404) == {
            "error": "Knowledge base not found"
        }
    malformed = await send(user, method, f"{PATH}/{foreign[:-1]}{tail}", body, status=400)
    assert malformed == {"error": "Bad request", "details": "Invalid identifier: id"}
