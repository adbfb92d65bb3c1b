"""Contract 17.1: end users of one application and of two never see or reach each other, and manage nothing."""

import asyncio
from collections import Counter

import pytest

from memd.context import Services
from memd.domain.ids import encode
from tests.support.applications import Application
from tests.support.service import TestUser
from tests.support.wire import capture, post, send

pytestmark = pytest.mark.rule("17.1 end users")


async def recalled(user: TestUser, query: str) -> list[str]:
    return [row["content"] for row in (await post(user, "recall", {"query": query}))["memories"]]


async def test_the_same_name_in_two_applications_is_two_people(shop: Application, rival: Application) -> None:
    ours, theirs = await shop.end_user("ann"), await rival.end_user("ann")
    assert ours.id != theirs.id
    memory = await capture(ours, content="Our Ann moors her boat at Fiskebrygga.")
    assert await recalled(theirs, "Where does Ann moor her boat?") == []
    assert await post(theirs, "memory", {"memoryId": memory}, status=403) == {"error": "Forbidden"}
    assert await send(rival.owner, "DELETE", "/api/account/users/bob", status=404) == {"error": "Not found"}
    assert [user["id"] for user in (await send(rival.owner, "GET", "/api/account/users"))["users"]] == [
        encode("usr", theirs.id)
    ]


@pytest.mark.parametrize("how", ["id of the other's user", "name of the other's user"])
async def test_no_application_reaches_the_users_of_another(shop: Application, rival: Application, how: str) -> None:
    ours = await shop.end_user("carol")
    await capture(ours, content="Carol hides the spare key under the geranium.")
    name = encode("usr", ours.id) if how == "id of the other's user" else "carol"
    intruder = await rival.end_user(name)
    assert intruder.id != ours.id
    assert await recalled(intruder, "Where is the spare key?") == []
    assert await recalled(ours, "Where is the spare key?") == ["Carol hides the spare key under the geranium."]


async def test_two_end_users_at_once_never_cross(shop: Application) -> None:
    people = {name: await shop.end_user(name) for name in ("eva", "finn")}
    before = {name: Counter[str]() for name in people}

    async def work(name: str, number: int) -> None:
        user = people[name]
        if number % 2:
            await capture(user, content=f"{name} wrote entry {number} about lanterns.")
        else:
            before[name].update(text.split()[0] for text in await recalled(user, f"entry about lanterns {number}"))

    await asyncio.gather(*(work(name, number) for number in range(100) for name in people))
    for name, user in people.items():
        assert before[name].keys() <= {name}
        exported = (await send(user, "GET", "/api/memories", pageSize=100))["memories"]
        assert {row["content"].split()[0] for row in exported} == {name}
        assert len(exported) == 50


async def test_the_database_shows_an_end_user_no_row_of_another(services: Services, shop: Application) -> None:
    ann, bob = await shop.end_user("ann"), await shop.end_user("bob")
    await capture(bob)
    await capture(await shop.service())
    async with services.database.read(ann.id) as session:
        assert await session.value("SELECT count(*) FROM memory") == 0
    async with services.database.read(bob.id) as session:
        assert await session.value("SELECT count(*) FROM memory") == 1


async def test_an_end_user_manages_nothing(shop: Application) -> None:
    ann = await shop.end_user("ann")
    for method, path, body in (
        ("POST", "/api/keys", {"label": "x"}),
        ("DELETE", f"/api/keys/{shop.key_id}", None),
        ("POST", "/api/device/approve", {"user_code": "ABCD-EFGH"}),
        ("GET", "/api/admin/users", None),
        ("GET", "/api/account/users", None),
        ("DELETE", "/api/account/users/ann", None),
        ("DELETE", f"/api/admin/users/{encode('usr', ann.id)}", None),
    ):
        reply = await ann.http.request(method, path, json=body)
        assert (reply.status_code, reply.json()) == (403, {"error": "Forbidden"}), (method, path)
    service = await shop.service()
    reply = await service.http.request("DELETE", "/api/account/users/ann", json={"userId": "ann"})
    assert (reply.status_code, reply.json()) == (403, {"error": "Forbidden"})
