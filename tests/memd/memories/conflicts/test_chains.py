"""A chain of changes: each earlier value contradicts the last one, not all the others (contract 17.5)."""

import pytest

from memd.context import Services
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import Json, capture, memory, post, send

TOWNS = ("Oslo", "Rome", "Bonn", "Turin", "Graz", "Lyon", "Cork", "Bern")


async def conflicts(user: TestUser) -> list[Json]:
    return (await send(user, "GET", "/api/conflicts", limit=200))["conflicts"]


async def chain(services: Services, user: TestUser, *, slowly: bool) -> list[str]:
    ids: list[str] = []
    for town in TOWNS:
        ids.append(await capture(user, content=f"Ken lives in {town}"))
        if slowly:
            await done(services, user)
    await done(services, user)
    return ids


@pytest.mark.rule("17.5 conflicts")
@pytest.mark.parametrize("slowly", [False, True])
async def test_each_value_contradicts_the_last_one(services: Services, user: TestUser, slowly: bool) -> None:
    *older, last = await chain(services, user, slowly=slowly)
    assert sorted((one["oldId"], one["newId"]) for one in await conflicts(user)) == [(one, last) for one in older]
    rows = (await post(user, "recall", {"query": "Where does Ken live?"}))["memories"]
    assert rows[0]["id"] == last
    named = {row["id"]: {one["memoryId"] for one in row["conflicts"]} for row in rows}
    assert all(named[one] == {last} for one in older)
    assert len(named[last]) == 5


@pytest.mark.rule("17.5 conflicts")
async def test_without_the_last_one_the_one_before_takes_its_place(services: Services, user: TestUser) -> None:
    *older, before, last = await chain(services, user, slowly=False)
    await post(user, "forget", {"memoryId": last})
    assert sorted((one["oldId"], one["newId"]) for one in await conflicts(user)) == [(one, before) for one in older]
    await post(user, "/api/undo")
    assert {one["newId"] for one in await conflicts(user)} == {last}


@pytest.mark.rule("17.5 decisions")
async def test_deciding_every_conflict_that_is_listed_leaves_none(services: Services, user: TestUser) -> None:
    await chain(services, user, slowly=False)
    for one in await conflicts(user):
        await send(user, "POST", f"/api/conflicts/{one['id']}", {"decision": "supersede"})
    assert await conflicts(user) == []


@pytest.mark.rule("17.5 decisions")
async def test_each_value_of_a_chain_ends_where_the_next_one_begins(services: Services, user: TestUser) -> None:
    begins = [1_000_000_000_000 + number * 86_400_000 for number in range(3)]
    ids = [
        await capture(user, content=f"Ken lives in {town}", createdAt=at, validFrom=at)
        for town, at in zip(TOWNS, begins, strict=False)
    ]
    await done(services, user)
    for one in await conflicts(user):
        await send(user, "POST", f"/api/conflicts/{one['id']}", {"decision": "supersede"})
    periods = [((row := await memory(user, one))["validFrom"], row.get("validUntil")) for one in ids]
    assert periods == [(begins[0], begins[1]), (begins[1], begins[2]), (begins[2], None)]


@pytest.mark.rule("17.5 decisions")
async def test_a_value_that_was_forgotten_ends_no_period(services: Services, user: TestUser) -> None:
    begins = [1_000_000_000_000 + number * 86_400_000 for number in range(3)]
    first, wrong, _ = [
        await capture(user, content=f"Ken lives in {town}", createdAt=at, validFrom=at)
        for town, at in zip(TOWNS, begins, strict=False)
    ]
    await done(services, user)
    await post(user, "forget", {"memoryId": wrong})
    for one in await conflicts(user):
        await send(user, "POST", f"/api/conflicts/{one['id']}", {"decision": "supersede"})
    assert (await memory(user, first))["validUntil"] == begins[2]
