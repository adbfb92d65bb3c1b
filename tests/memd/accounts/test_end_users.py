"""Contract 17.1: the end users of an application are users of their own, made at first use, and never cross."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from starlette.types import ASGIApp

from memd.access.authentication.principal import Principal
from memd.accounts.end_users.service import acting_for
from memd.accounts.new_keys import hash_key
from memd.accounts.service import find_caller
from memd.context import Services
from memd.db.session import Database
from memd.domain.cursors import encode_cursor
from memd.domain.ids import encode
from memd.domain.types import KeyScope, Tier
from memd.errors import Unauthorized
from tests.support.applications import HEADER, Application, application
from tests.support.dict_rows import dict_rows
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, post, send

pytestmark = pytest.mark.rule("17.1 end users")


async def recalled(user: TestUser, query: str) -> list[str]:
    return [row["content"] for row in (await post(user, "recall", {"query": query}))["memories"]]


async def row_of(services: Services, account: UUID, name: str) -> list[dict[str, Any]]:
    async with services.database.system() as session:
        return await dict_rows(
            session,
            "SELECT user_id, tier, policy, admin, active, name FROM app_user "
            "WHERE account_id = %(account)s AND external_id = %(name)s",
            {"account": account, "name": name},
        )


async def service_principal(services: Services, shop: Application) -> Principal:
    principal = await find_caller(services, hash_key(shop.key), None)
    assert principal is not None
    return principal


async def test_an_end_user_is_a_user_of_its_own_under_the_account(services: Services, shop: Application) -> None:
    ann = await shop.end_user("ann")
    who = (await ann.http.get("/api/mcp/auth")).json()
    assert who == {
        "ok": True,
        "userId": encode("usr", ann.id),
        "keyId": shop.key_id,
        "scopes": ["read", "write"],
        "tier": "unlimited",
        "policy": "self_hosted_unmetered",
        "admin": False,
        "accountId": encode("usr", shop.owner.id),
        "externalId": "ann",
    }
    (row,) = await row_of(services, shop.owner.id, "ann")
    assert row == {
        "user_id": ann.id,
        "tier": "unlimited",
        "policy": "self_hosted_unmetered",
        "admin": False,
        "active": True,
        "name": None,
    }


async def test_a_service_key_without_a_name_acts_as_the_account(shop: Application) -> None:
    service = await shop.service()
    who = (await service.http.get("/api/mcp/auth")).json()
    assert (who["userId"], "accountId" in who) == (encode("usr", shop.owner.id), False)
    await capture(service, content="The account keeps its own walnut records.")
    assert await recalled(await shop.end_user("ann"), "walnut records") == []
    assert await recalled(shop.owner, "walnut records") == ["The account keeps its own walnut records."]


async def test_header_and_field_name_the_same_end_user(shop: Application) -> None:
    ann, service = await shop.end_user("ann"), await shop.service()
    await capture(service, content="Ann likes quince jelly.", userId=" ann ")
    await capture(ann, content="Ann bakes quince bread.", userId="ann")
    assert set(await recalled(ann, "quince")) == {"Ann likes quince jelly.", "Ann bakes quince bread."}
    assert await recalled(service, "quince") == []
    reply = await post(service, "recall", {"query": "quince", "userId": "ann"})
    assert len(reply["memories"]) == 2


async def test_many_first_calls_at_once_make_one_user(services: Services, shop: Application) -> None:
    service = await shop.service()
    calls = [post(service, "capture", {"title": "t", "content": f"note {n}", "userId": "dora"}) for n in range(100)]
    await asyncio.gather(*calls)
    (row,) = await row_of(services, shop.owner.id, "dora")
    async with services.database.system() as session:
        stored = await session.value("SELECT count(*) FROM memory WHERE user_id = %(user)s", {"user": row["user_id"]})
        made = await session.value(
            "SELECT count(*) FROM audit_entry WHERE action = 'user.create' AND target = %(target)s",
            {"target": encode("usr", row["user_id"])},
        )
    assert (stored, made) == (100, 1)


async def test_names_are_compared_byte_for_byte(shop: Application) -> None:
    names = ["Zoë", "Zoe\u0308", "zoë", "ZOË", "zoe", "..", "a/../b", "a%2Fb", "a/b", "名前", "\U0001f9ea", "z" * 128]
    users = [await shop.end_user(name) for name in names]
    assert len({user.id for user in users}) == len(names)
    again = [await shop.end_user(f"  {name}\t") for name in names]
    assert [user.id for user in again] == [user.id for user in users]
    listed = (await send(await shop.service(), "GET", "/api/account/users", limit=200))["users"]
    assert [user["externalId"] for user in listed] == sorted(names)


async def test_an_inactive_end_user_is_refused_and_the_others_are_not(shop: Application) -> None:
    ann = await shop.end_user("ann")
    path = f"/api/admin/users/{encode('usr', ann.id)}"
    row = await send(shop.owner, "PATCH", path, {"active": False})
    assert (row["externalId"], row["accountId"]) == ("ann", encode("usr", shop.owner.id))
    assert await post(ann, "wake", status=403) == {"error": "Forbidden"}
    assert (await shop.end_user("bob")).id != ann.id
    await send(shop.owner, "PATCH", path, {"active": True})
    await post(ann, "wake")


async def test_revoking_the_service_key_ends_all_its_end_users(shop: Application) -> None:
    ann = await shop.end_user("ann")
    await send(shop.owner, "DELETE", f"/api/keys/{shop.key_id}")
    assert await post(ann, "wake", status=401) == {"error": "Unauthorized"}


async def test_a_key_that_ended_meanwhile_makes_no_user(services: Services, shop: Application) -> None:
    principal = await service_principal(services, shop)
    await send(shop.owner, "DELETE", f"/api/keys/{shop.key_id}")
    with pytest.raises(Unauthorized):
        await acting_for(services, principal, "late")


async def test_the_list_is_paged_by_name(shop: Application, rival: Application) -> None:
    names = sorted(f"user {number:02}" for number in range(7))
    for name in names:
        await shop.end_user(name)
    await capture(await shop.end_user(names[3]))
    service = await shop.service()
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = await send(service, "GET", "/api/account/users", limit=3, cursor=cursor)
        found += page["users"]
        cursor = page["continueCursor"]
        if page["isDone"]:
            break
    assert [user["externalId"] for user in found] == names
    assert [user["memoryCount"] for user in found] == [0, 0, 0, 1, 0, 0, 0]
    first = await send(service, "GET", "/api/account/users", limit=3)
    made = [encode_cursor(f"end users of {rival.owner.id}", [name]) for name in ("\0", "\ud800", "")]
    for cursor in (first["continueCursor"], *made):
        refused = await send(rival.owner, "GET", "/api/account/users", cursor=cursor, status=400)
        assert refused["details"] == "Field cursor must be a cursor of this list"


@pytest.mark.parametrize(
    ("scopes", "listing", "erasing"),
    [
        (["read", "write", "act_as"], 200, 404),
        (["read", "act_as"], 200, 403),
        (["write", "act_as"], 403, 404),
        (["read", "write"], 403, 403),
        (["admin"], 200, 404),
    ],
)
async def test_who_lists_and_erases(
    shop: Application, app: ASGIApp, scopes: list[str], listing: int, erasing: int
) -> None:
    made = await send(shop.owner, "POST", "/api/keys", {"scopes": scopes}, status=201)
    other = Application(app, shop.owner, made["apiKey"], made["id"])
    user = await other.service()
    assert (await user.http.get("/api/account/users")).status_code == listing
    assert (await user.http.delete("/api/account/users/unheard-of")).status_code == erasing


async def test_a_warm_call_asks_the_database_nothing_about_the_end_user(
    services: Services, shop: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    principal = await service_principal(services, shop)
    first = await acting_for(services, principal, "ann")
    questions: list[str] = []

    def refuse(*args: Any, **_more: Any) -> None:
        questions.append(str(args))
        raise AssertionError(args)

    for name in ("look_up", "system", "read", "write"):
        monkeypatch.setattr(Database, name, refuse)
    key = (principal.key_id, "ann")
    monkeypatch.setattr(services.principals, "_clock", lambda: 0.0)
    services.principals.put(key, first, 0.0, None)
    assert (await acting_for(services, principal, "ann"), questions) == (first, [])


async def test_audit_rows_name_the_key_and_the_end_user(services: Services, shop: Application) -> None:
    ann = await shop.end_user("ann")
    memory = await capture(ann)
    async with services.database.system() as session:
        note = await dict_rows(
            session, "SELECT user_id, key_id FROM audit_row WHERE target_id = %(memory)s", {"memory": memory}
        )
    assert [(row["user_id"], encode("key", row["key_id"])) for row in note] == [(ann.id, shop.key_id)]
    await send(ann, "GET", "/api/memories")
    entries = (await send(shop.owner, "GET", "/api/admin/audit", actor=encode("usr", ann.id)))["entries"]
    assert {(entry["actor"]["userId"], entry["actor"]["keyId"]) for entry in entries} == {
        (encode("usr", ann.id), shop.key_id)
    }
    made = (await send(shop.owner, "GET", "/api/admin/audit", action="user.create"))["entries"]
    assert any(
        entry["target"] == encode("usr", ann.id)
        and entry["actor"]["userId"] == encode("usr", shop.owner.id)
        and entry["actor"]["keyId"] == shop.key_id
        for entry in made
    )
    assert "ann" not in str([entry for entry in made if entry["target"] == encode("usr", ann.id)])


async def test_the_accounts_tier_and_policy_are_the_default(app: ASGIApp, make_user: MakeUser) -> None:
    async with application(app, make_user, tier=Tier.STARTER) as one:
        who = (await (await one.end_user("ann")).http.get("/api/mcp/auth")).json()
        assert (who["tier"], who["policy"]) == ("starter", "managed_starter")


async def test_the_header_is_refused_without_the_scope_and_the_field_ignored(make_user: MakeUser) -> None:
    plain = await make_user(scopes=(KeyScope.READ, KeyScope.WRITE))
    for value in ("ann", "", " ", "x" * 500):
        reply = await plain.http.get("/api/mcp/auth", headers={HEADER: value})
        assert (reply.status_code, reply.json()) == (403, {"error": "Forbidden"})
    for value in ("ann", 7, {"any": 1}, [], "", "x" * 500, None):
        await capture(plain, userId=value)
    assert (await send(plain, "GET", "/api/mcp/stats"))["total"] == 7
