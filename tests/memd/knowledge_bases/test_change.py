"""PATCH /api/knowledge-bases/:id (contract 8.3): change what is sent, clear with null, take the chunks along."""

from typing import Any

import pytest

from memd.context import Services
from tests.support.dict_rows import dict_rows
from tests.support.service import TestUser
from tests.support.wire import Json, base_row, chunk, enumerate_chunks, fill, make_base, memory, post, send

FULL: Json = {
    "description": "Rules of the house",
    "agentIds": ["writer"],
    "scope": "team",
    "peerScopePolicy": "permissive",
    "sourceType": "wiki",
    "sourceRole": "canonical_reference",
}


async def patch(user: TestUser, base: str, status: int = 200, **fields: Any) -> Json:
    return await send(user, "PATCH", f"/api/knowledge-bases/{base}", fields, status=status)


@pytest.mark.rule("8.3 PATCH /:id")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "Cook book"),
        ("description", "Recipes"),
        ("agentIds", ["cook", "*"]),
        ("agentIds", []),
        ("scope", "kitchen"),
        ("peerScopePolicy", "strict"),
        ("sourceType", "book"),
        ("sourceRole", "voice_style"),
        ("metadata", {"shelf": [1, None, {"deep": "ü"}]}),
    ],
)
async def test_each_field_alone_can_be_changed(user: TestUser, field: str, value: Any) -> None:
    base = await make_base(user, **FULL)
    before = await base_row(user, base)
    reply = await patch(user, base, **{field: value})
    after = await base_row(user, base)
    assert reply == after | {"updated": True}
    assert after == before | {field: value, "updatedAt": after["updatedAt"]}
    assert after["updatedAt"] >= before["updatedAt"]


async def test_a_blank_scope_is_absent_and_clears_nothing(user: TestUser) -> None:
    base = await make_base(user, scope="team")
    assert (await patch(user, base, scope="  "))["scope"] == "team"


@pytest.mark.rule("8.3 PATCH null")
@pytest.mark.parametrize(
    ("field", "cleared"),
    [
        ("description", ""),
        ("agentIds", []),
        ("scope", None),
        ("peerScopePolicy", "strict"),
        ("sourceType", None),
        ("sourceRole", None),
    ],
)
async def test_null_clears(user: TestUser, field: str, cleared: Any) -> None:
    base = await make_base(user, **FULL)
    before = await base_row(user, base)
    after = await send(user, "PATCH", f"/api/knowledge-bases/{base}", {field: None})
    assert after == before | {field: cleared, "updated": True, "updatedAt": after["updatedAt"]}


@pytest.mark.rule("8.3 PATCH null")
async def test_null_clears_metadata(user: TestUser) -> None:
    base = await make_base(user)
    assert (await patch(user, base, metadata={"a": 1}))["metadata"] == {"a": 1}
    assert "metadata" not in await patch(user, base, metadata=None)


@pytest.mark.rule("8.3 PATCH /:id")
async def test_an_empty_body_is_allowed(user: TestUser) -> None:
    base = await make_base(user, **FULL)
    before = await base_row(user, base)
    reply = await user.http.patch(f"/api/knowledge-bases/{base}")
    assert reply.status_code == 200
    assert reply.json() == before | {"updated": True, "updatedAt": reply.json()["updatedAt"]}


@pytest.mark.rule("8.3 PATCH null")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"name": None}, "Field name must be a string"),
        ({"name": " "}, "Missing required field: name"),
        ({"name": "n" * 201}, "Field name exceeds maximum length of 200 characters"),
        ({"description": 5}, "Field description must be a string"),
        ({"agentIds": "writer"}, "Field agentIds must be an array"),
        ({"peerScopePolicy": "open"}, "Field peerScopePolicy must be one of: strict, permissive"),
        ({"metadata": "text"}, "Field metadata must be an object"),
        ({"metadata": [1]}, "Field metadata must be an object"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_a_wrong_value_is_refused_and_nothing_changes(user: TestUser, fields: Json, details: str) -> None:
    base = await make_base(user, **FULL)
    before = await base_row(user, base)
    refusal = await patch(user, base, 400, **fields | {"sourceType": "new"} | fields)
    assert refusal == {"error": "Bad request", "details": details}
    assert await base_row(user, base) == before


async def channels(user: TestUser, base: str) -> list[str | None]:
    return [row["channel"] for row in await enumerate_chunks(user, base)]


@pytest.mark.rule("8.3 PATCH scope")
@pytest.mark.parametrize("scope", ["house", None])
async def test_a_new_scope_takes_along_the_chunks_of_the_old_one(user: TestUser, scope: str | None) -> None:
    base = await make_base(user, scope="team")
    await fill(user, base, chunk("a"), chunk("b", channel="slack"), chunk("c"))
    await patch(user, base, scope=scope)
    assert await channels(user, base) == [scope, "slack", scope]


async def test_archived_chunks_go_along_too(user: TestUser) -> None:
    base = await make_base(user, scope="team")
    memory_id = (await fill(user, base, chunk("a")))["memoryIds"][0]
    await send(user, "DELETE", f"/api/knowledge-bases/{base}")
    await patch(user, base, scope="house")
    assert (await memory(user, memory_id))["channel"] == "house"


@pytest.mark.rule("8.3 PATCH scope")
async def test_chunks_without_a_channel_stay_without(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, chunk("a"), chunk("b", channel="slack"))
    await patch(user, base, scope="house")
    assert await channels(user, base) == [None, "slack"]
    assert (await fill(user, base, chunk("late")))["importedCount"] == 1
    assert await channels(user, base) == [None, "slack", "house"]


async def test_the_rows_that_the_lanes_read_go_along(services: Services, user: TestUser) -> None:
    base, other = await make_base(user, scope="team"), await make_base(user, scope="team")
    await fill(user, base, chunk("a"))
    await fill(user, other, chunk("b"))
    await patch(user, base, scope="house")
    for table in ("memory", "memory_index", "memory_vector"):
        async with services.database.read(user.id) as session:
            rows = await dict_rows(session, f"SELECT channel FROM {table} ORDER BY channel")
        assert [row["channel"] for row in rows] == ["house", "team"]


async def test_who_sees_the_chunks_follows_the_scope(user: TestUser) -> None:
    base = await make_base(user, scope="peer-coach:7", agentIds=["peer-coach"])
    await fill(user, base, chunk("The harvest festival begins on Sunday."))
    seen: list[list[int]] = []
    for scope in ("peer-coach:7", "peer-coach:8"):
        await patch(user, base, scope=scope)
        where = [{"channel": f"peer-coach:{number}", "agentId": "peer-coach"} for number in (7, 8)]
        replies = [await post(user, "recall", {"query": "harvest festival"} | fields) for fields in where]
        seen.append([len(reply["memories"]) for reply in replies])
    assert seen == [[1, 0], [0, 1]]


async def test_a_scope_that_stays_moves_nothing(user: TestUser) -> None:
    base = await make_base(user, scope="team")
    memory_id = (await fill(user, base, chunk("a")))["memoryIds"][0]
    await patch(user, base, scope="team", name="New")
    assert (await memory(user, memory_id))["channel"] == "team"
