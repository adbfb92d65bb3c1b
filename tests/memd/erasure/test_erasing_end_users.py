"""Contract 17.6: an application erases an end user; with the application's account all its end users go."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import pytest
import pytest_asyncio
from starlette.types import ASGIApp

from memd.accounts.end_users import service as end_users
from memd.accounts.new_keys import hash_key
from memd.accounts.service import find_caller
from memd.context import Services
from memd.domain.ids import encode
from memd.domain.types import KeyScope, Policy
from memd.erasure.users import service as users
from memd.errors import Unauthorized
from tests.memd.erasure.test_erasing_users import finished
from tests.support.applications import Application, application
from tests.support.canary import tables_with
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, make_base, post, send

pytestmark = pytest.mark.rule("17.6 DELETE /api/account/users/:externalId")
MARK, TOGETHER = "xylograph-of-the-erased", "psaltery-of-the-erased"


@pytest_asyncio.fixture(loop_scope="session")
async def shop(app: ASGIApp, make_user: MakeUser) -> AsyncIterator[Application]:
    async with application(app, make_user, policy=Policy.SELF_HOSTED_UNMETERED) as one:
        yield one


async def fill(user: TestUser, word: str) -> None:
    await capture(user, title=f"On {word}", content=f"A note about {word}.", metadata={"about": word})
    await post(
        user,
        "turn",
        {
            "turnId": word,
            "sessionKey": word,
            "channel": "c",
            "userMessage": f"I like {word}.",
            "assistantMessage": f"Noted: {word}.",
        },
    )
    await post(user, "checkpoint", {"label": word})
    base = await make_base(user, name=word)
    chunks = [{"content": f"A chunk about {word}.", "metadata": {"title": word}}]
    await post(user, f"/api/knowledge-bases/{base}/import", {"chunks": chunks}, status=201)
    await post(user, "recall", {"query": word})


async def contents(user: TestUser) -> list[tuple[str, str]]:
    rows = (await send(user, "GET", "/api/memories"))["memories"]
    return sorted((row["id"], row["content"]) for row in rows)


async def test_nothing_of_an_erased_end_user_is_left_and_the_others_keep_theirs(
    services: Services, shop: Application
) -> None:
    name = f"{MARK}/../é?#%"
    ann, bob = await shop.end_user(name), await shop.end_user("bob")
    await fill(ann, MARK)
    await fill(bob, "something else")
    before = await contents(bob)
    service = await shop.service()
    path = f"/api/account/users/{quote(name, safe='')}"
    erasure = (await send(service, "DELETE", path, status=202))["erasureId"]
    receipt = await finished(service, erasure)
    assert receipt["counts"]["app_user"] == 1
    assert receipt["counts"]["memory"] >= 2
    assert await tables_with(services, MARK) == {}
    assert await contents(bob) == before
    assert await send(service, "DELETE", path, status=404) == {"error": "Not found"}
    again = await shop.end_user(name)
    assert again.id != ann.id
    assert await contents(again) == []


async def test_with_the_account_its_end_users_are_erased(
    services: Services, shop: Application, make_user: MakeUser, app: ASGIApp
) -> None:
    admin = await make_user(admin=True, scopes=tuple(KeyScope), policy=Policy.SELF_HOSTED_UNMETERED)
    async with application(app, make_user, policy=Policy.SELF_HOSTED_UNMETERED) as other:
        stays = await other.end_user("ann")
        await fill(stays, "what stays")
        before = await contents(stays)
        people = [await shop.end_user(name) for name in ("ann", "bob", "cleo")]
        await asyncio.gather(*(fill(user, f"{TOGETHER}-{number}") for number, user in enumerate(people)))
        target = f"/api/admin/users/{encode('usr', shop.owner.id)}"
        erasure = (await send(admin, "DELETE", target, status=202))["erasureId"]
        assert await post(people[0], "wake", status=401) == {"error": "Unauthorized"}
        await finished(admin, erasure)
        assert await tables_with(services, TOGETHER) == {}
        async with services.database.system() as session:
            left = await session.value(
                "SELECT count(*) FROM app_user WHERE account_id = %(account)s", {"account": shop.owner.id}
            )
            states = await session.values(
                "SELECT state FROM erasure WHERE user_id = ANY(%(ids)s)", {"ids": [user.id for user in people]}
            )
        assert (left, states) == (0, ["done"] * 3)
        assert await contents(stays) == before


async def test_an_erased_account_gets_no_new_end_user(services: Services, shop: Application, admin: TestUser) -> None:
    principal = await find_caller(services, hash_key(shop.key), None)
    assert principal is not None
    await send(admin, "DELETE", f"/api/admin/users/{encode('usr', shop.owner.id)}", status=202)
    with pytest.raises(Unauthorized):
        await end_users.acting_for(services, principal, "late")


async def test_requests_at_once_with_the_erasure_leave_one_whole_user_or_none(
    services: Services, shop: Application
) -> None:
    ann, service = await shop.end_user("ann"), await shop.service()

    async def write(number: int) -> int:
        reply = await service.http.post(
            "/api/mcp/capture", json={"title": "t", "content": f"{MARK} {number}", "userId": "ann"}
        )
        return reply.status_code

    async def erase() -> Any:
        return await send(service, "DELETE", "/api/account/users/ann", status=202)

    codes, erased = await asyncio.gather(asyncio.gather(*(write(number) for number in range(40))), erase())
    assert set(codes) <= {200, 401}
    await finished(service, erased["erasureId"])
    async with services.database.system() as session:
        left = await session.value("SELECT count(*) FROM memory WHERE user_id = %(user)s", {"user": ann.id})
        rows = await session.value(
            "SELECT count(*) FROM app_user WHERE account_id = %(account)s AND external_id = 'ann'",
            {"account": shop.owner.id},
        )
    assert left == 0
    assert rows <= 1


async def test_of_two_erasures_at_once_one_finds_the_user(shop: Application) -> None:
    await shop.end_user("ann")
    service = await shop.service()
    replies = await asyncio.gather(*(service.http.delete("/api/account/users/ann") for _ in range(4)))
    assert sorted(reply.status_code for reply in replies) == [202, 404, 404, 404]


async def test_an_account_with_many_end_users_is_erased_in_pages(
    services: Services, shop: Application, admin: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(users, "END_USERS", 2)
    for number in range(6):
        await shop.end_user(f"user {number}")
    erasure = (await send(admin, "DELETE", f"/api/admin/users/{encode('usr', shop.owner.id)}", status=202))["erasureId"]
    await finished(admin, erasure)
    async with services.database.system() as session:
        left = await session.value(
            "SELECT count(*) FROM app_user WHERE account_id = %(account)s", {"account": shop.owner.id}
        )
    assert left == 0


@pytest_asyncio.fixture(loop_scope="session")
async def admin(make_user: MakeUser) -> TestUser:
    return await make_user(admin=True, scopes=tuple(KeyScope), policy=Policy.SELF_HOSTED_UNMETERED)
