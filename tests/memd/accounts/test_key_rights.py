"""Contract 17.7: no key gets at more than it has, over HTTP: who may do what with which key."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from starlette.types import ASGIApp

from memd.accounts.new_keys import hash_key
from memd.context import Services
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from tests.memd.accounts.test_keys import alone, as_key, own_key, works
from tests.support.dict_rows import dict_rows
from tests.support.service import BASE, MakeUser, TestUser

R, W, A, K, X = KeyScope
DAY = 86_400_000
ALL = ["read", "write", "admin", "keys"]


class Family:
    """An administrator with one key for everything, and the keys made from it."""

    def __init__(self, app: ASGIApp, user: TestUser, now: int) -> None:
        self.app = app
        self.user = user
        self.now = now

    async def make(self, maker: str, **fields: Any) -> dict[str, Any]:
        reply = await self.ask(maker, "POST", "", fields)
        assert reply.status_code == 201, reply.text
        return reply.json()

    async def ask(
        self, key: str, method: str, path: str, body: dict[str, Any] | None = None, address: str = "127.0.0.1"
    ) -> httpx.Response:
        transport = httpx.ASGITransport(self.app, client=(address, 1))
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as http:
            return await http.request(method, f"/api/keys{path}", json=body)


@pytest_asyncio.fixture(loop_scope="session")
async def family(services: Services, app: ASGIApp, make_user: MakeUser) -> AsyncIterator[Family]:
    yield Family(app, await make_user(admin=True, scopes=(R, W, A, K)), services.clock())


@pytest.mark.rule("17.7 making")
async def test_a_key_with_an_end_makes_none_that_outlives_it(family: Family) -> None:
    end = family.now + DAY
    mortal = (await family.make(family.user.key, scopes=ALL, expiresAt=end))["apiKey"]
    assert (await family.make(mortal))["expiresAt"] == end
    assert (await family.make(mortal, expiresAt=end - 1))["expiresAt"] == end - 1
    assert (await family.ask(mortal, "POST", "", {"expiresAt": end + 1})).status_code == 403
    child = await family.make(mortal)
    later = [await family.ask(mortal, "PATCH", f"/{child['id']}", {"expiresAt": at}) for at in (end + 1, None)]
    assert [reply.status_code for reply in later] == [403, 403]
    mine = await family.make(family.user.key)
    acts = (("PATCH", ""), ("POST", "/rotate"), ("DELETE", ""))
    assert [(await family.ask(mortal, m, f"/{mine['id']}{s}", {})).status_code for m, s in acts] == [403] * 3


@pytest.mark.rule("17.7 making")
async def test_an_administrators_key_with_an_end_makes_users_whose_keys_end_with_it(
    family: Family, app: ASGIApp
) -> None:
    end = family.now + DAY
    mortal = (await family.make(family.user.key, scopes=["admin"], expiresAt=end))["apiKey"]
    async with as_key(app, mortal) as http:
        key = (await http.post("/api/admin/users", json={"name": "x", "admin": True})).json()["apiKey"]
    async with as_key(app, key) as http:
        assert [row["expiresAt"] for row in (await http.get("/api/keys")).json()["keys"]] == [end]


@pytest.mark.rule("17.7 addresses")
async def test_a_key_works_from_its_addresses_alone(family: Family) -> None:
    made = await family.make(family.user.key, allowedAddresses=["10.0.0.0/8", "2001:db8::7"])
    assert made["allowedAddresses"] == ["10.0.0.0/8", "2001:db8::7/128"]
    places = ["10.1.2.3", "::ffff:10.1.2.3", "2001:db8::7", "11.0.0.1", "2001:db8::8", "127.0.0.1"]
    replies = [await family.ask(made["apiKey"], "GET", "", address=place) for place in places]
    assert [reply.status_code for reply in replies] == [200, 200, 200, 401, 401, 401]
    assert replies[3].json() == {"error": "Unauthorized"}
    assert [row["allowedAddresses"] for row in replies[0].json()["keys"] if row["current"]] == [
        made["allowedAddresses"]
    ]


@pytest.mark.rule("17.7 addresses")
async def test_a_key_with_addresses_passes_them_on(family: Family) -> None:
    bound = (await family.make(family.user.key, scopes=ALL, allowedAddresses=["127.0.0.0/8"]))["apiKey"]
    assert (await family.make(bound))["allowedAddresses"] == ["127.0.0.0/8"]
    assert (await family.make(bound, allowedAddresses=["127.0.0.1"]))["allowedAddresses"] == ["127.0.0.1/32"]
    async with as_key(family.app, bound) as http:
        first = (await http.post("/api/admin/users", json={"name": "x"})).json()["apiKey"]
    answers = [await family.ask(first, "GET", "", address=place) for place in ("127.0.0.1", "10.0.0.1")]
    assert [reply.status_code for reply in answers] == [200, 401]
    for wider in ([], ["0.0.0.0/0"], ["127.0.0.1", "10.0.0.1"]):
        assert (await family.ask(bound, "POST", "", {"allowedAddresses": wider})).status_code == 403
    free = await family.make(family.user.key)
    assert (await family.ask(bound, "POST", f"/{free['id']}/rotate")).status_code == 403
    assert (await family.ask(bound, "DELETE", f"/{free['id']}")).status_code == 200


@pytest.mark.rule("17.7 addresses")
@pytest.mark.parametrize("address", ["10.0.0.1/8", "example.com", "", "10.0.0.0/33"])
async def test_what_is_no_network_is_named(family: Family, address: str) -> None:
    reply = await family.ask(family.user.key, "POST", "", {"allowedAddresses": ["::1", address]})
    details = "Field allowedAddresses[1] must be an IP address or a network in CIDR form"
    assert (reply.status_code, reply.json()["details"]) == (400, details)


@pytest.mark.rule("17.7 changing")
async def test_a_key_is_changed_and_cleared(family: Family) -> None:
    made = await family.make(family.user.key, label="old")
    path, end = f"/{made['id']}", family.now + DAY
    changes = {"label": "new", "expiresAt": end, "allowedAddresses": ["127.0.0.1"]}
    row = (await family.ask(family.user.key, "PATCH", path, changes)).json()
    assert [row[name] for name in changes] == ["new", end, ["127.0.0.1/32"]]
    row = (await family.ask(family.user.key, "PATCH", path, dict.fromkeys(changes))).json()
    assert (row["label"], row["expiresAt"], "allowedAddresses" in row) == (None, None, False)
    refused = await family.ask(family.user.key, "PATCH", path, {"expiresAt": family.now - 1})
    assert (refused.status_code, refused.json()["details"]) == (400, "Field expiresAt must be in the future")


async def test_a_key_does_not_lock_itself_out(family: Family) -> None:
    path = f"/{await own_key(family.user)}"
    reply = await family.ask(family.user.key, "PATCH", path, {"allowedAddresses": ["10.0.0.0/8"]})
    assert reply.json()["details"] == "Field allowedAddresses must hold the address of this request"


@pytest.mark.rule("17.7 rotate")
async def test_both_secrets_work_until_the_overlap_ends(services: Services, family: Family, app: ASGIApp) -> None:
    made = await family.make(family.user.key)
    rotated = (await family.ask(family.user.key, "POST", f"/{made['id']}/rotate", {"graceSeconds": 3600})).json()
    until = rotated["previousUntil"]
    assert family.now + 3_600_000 <= until <= family.now + 3_700_000
    assert [await works(app, secret) for secret in (made["apiKey"], rotated["apiKey"])] == [True, True]
    child = await family.make(made["apiKey"])
    assert child["expiresAt"] == until  # the old secret leaves nothing behind that outlives it
    assert (await family.ask(made["apiKey"], "POST", f"/{made['id']}/rotate")).status_code == 403
    async with services.database.system() as session:
        await session.execute(
            "UPDATE api_key SET previous_until = %(now)s WHERE user_id = %(user)s AND key_hash = %(hash)s",
            {"now": services.clock(), "user": family.user.id, "hash": hash_key(rotated["apiKey"])},
        )
    await services.principals.wait_ttl()
    assert [await works(app, secret) for secret in (made["apiKey"], rotated["apiKey"])] == [False, True]


@pytest.mark.rule("17.7 rotate")
async def test_a_second_rotation_or_a_revocation_ends_the_overlap(family: Family, app: ASGIApp) -> None:
    made = await family.make(family.user.key)
    path = f"/{made['id']}"
    second = (await family.ask(family.user.key, "POST", f"{path}/rotate", {"graceSeconds": 86_400})).json()["apiKey"]
    third = (await family.ask(family.user.key, "POST", f"{path}/rotate", {"graceSeconds": 60})).json()["apiKey"]
    assert [await works(app, secret) for secret in (made["apiKey"], second, third)] == [False, True, True]
    fourth = (await family.ask(family.user.key, "POST", f"{path}/rotate")).json()["apiKey"]
    assert [await works(app, secret) for secret in (second, third, fourth)] == [False, False, True]
    fifth = (await family.ask(family.user.key, "POST", f"{path}/rotate", {"graceSeconds": 60})).json()["apiKey"]
    await family.ask(family.user.key, "DELETE", path)
    assert [await works(app, secret) for secret in (fourth, fifth)] == [False, False]


@pytest.mark.rule("17.7 rotate")
@pytest.mark.parametrize("seconds", [-1, 86_401, 1.5, "60"])
async def test_an_overlap_lasts_at_most_a_day(family: Family, seconds: Any) -> None:
    path = f"/{await own_key(family.user)}/rotate"
    assert (await family.ask(family.user.key, "POST", path, {"graceSeconds": seconds})).status_code == 400


@pytest.mark.rule("17.7 descendants")
async def test_a_key_is_revoked_with_all_that_descend_from_it(family: Family, app: ASGIApp) -> None:
    first = await family.make(family.user.key)
    child = await family.make(first["apiKey"])
    grandchild = await family.make(child["apiKey"])
    other = await family.make(family.user.key)
    await family.ask(family.user.key, "DELETE", f"/{child['id']}")
    reply = (await family.ask(family.user.key, "DELETE", f"/{first['id']}?descendants=true")).json()
    assert reply == {"id": first["id"], "active": False, "revoked": [first["id"], grandchild["id"]]}
    keys = (first, child, grandchild, other)
    assert [await works(app, key["apiKey"]) for key in keys] == [False, False, False, True]


async def test_a_key_that_is_being_revoked_makes_no_further_ones(services: Services, family: Family) -> None:
    maker = await family.make(family.user.key)
    revoking = family.ask(family.user.key, "DELETE", f"/{maker['id']}?descendants=true")
    making = [family.ask(maker["apiKey"], "POST", "", {}) for _ in range(8)]
    await asyncio.gather(revoking, *making)
    async with services.database.system() as session:
        rows = await dict_rows(
            session,
            "SELECT k.active FROM api_key k JOIN api_key m ON m.user_id = k.user_id AND m.id = k.created_by "
            "WHERE k.user_id = %(user)s AND NOT m.active",
            {"user": family.user.id},
        )
    assert not any(row["active"] for row in rows)


@pytest.mark.rule("17.7 last admin")
async def test_the_last_key_that_can_administrate_stays(services: Services, family: Family, app: ASGIApp) -> None:
    async with alone(services):
        async with services.database.system() as session:
            await session.execute("UPDATE app_user SET admin = true WHERE user_id = %(user)s", {"user": family.user.id})
        last, end = await own_key(family.user), family.now + DAY
        acts = (("DELETE", "", None), ("DELETE", "?descendants=true", None), ("PATCH", "", {"expiresAt": end}))
        for method, suffix, body in acts:
            reply = await family.ask(family.user.key, method, f"/{last}{suffix}", body)
            assert (reply.status_code, reply.json()) == (409, {"error": "Last admin key"})
        rotated = (await family.ask(family.user.key, "POST", f"/{last}/rotate")).json()["apiKey"]
        async with as_key(app, rotated) as http:
            assert (await http.get("/api/admin/users")).status_code == 200
        await family.make(rotated, scopes=["admin"], expiresAt=end)
        assert (await family.ask(rotated, "PATCH", f"/{last}", {"expiresAt": end + 1})).status_code == 200
        assert (await family.ask(rotated, "PATCH", f"/{last}", {"expiresAt": end - 1})).status_code == 200
        assert (await family.ask(rotated, "DELETE", f"/{last}")).status_code == 200


@pytest.mark.rule("17.7 last admin")
@pytest.mark.parametrize(
    ("method", "body"), [("PATCH", {"active": False}), ("PATCH", {"admin": False}), ("DELETE", None)]
)
async def test_an_administrator_with_a_key_without_end_can_be_removed_by_one_whose_key_ends(
    services: Services, family: Family, make_user: MakeUser, app: ASGIApp, method: str, body: dict[str, Any] | None
) -> None:
    async with alone(services):
        leaked = await make_user(admin=True, scopes=tuple(KeyScope))
        fields = {"scopes": ["admin"], "expiresAt": family.now + DAY}
        other = await make_user(admin=True, scopes=tuple(KeyScope))
        mortal = (await other.http.post("/api/keys", json=fields)).json()["apiKey"]
        await other.http.delete(f"/api/keys/{await own_key(other)}")
        path = f"/api/admin/users/{encode('usr', leaked.id)}"
        async with as_key(app, mortal) as http:
            assert (await http.request(method, path, json=body)).status_code in {200, 202}
            path = f"/api/admin/users/{encode('usr', other.id)}"
            assert (await http.request(method, path, json=body)).json() == {"error": "Last admin key"}


async def test_with_a_longest_lifetime_the_last_endless_key_can_be_replaced(
    services: Services, make_user: MakeUser, app: ASGIApp
) -> None:
    limited = services.settings.model_copy(update={"keys_max_lifetime_days": 30})
    before = services.settings
    object.__setattr__(services, "settings", limited)
    try:
        async with alone(services):
            admin = await make_user(admin=True, scopes=(R, W, A, K))
            last = await own_key(admin)
            successor = (await admin.http.post("/api/keys", json={"scopes": ALL})).json()["apiKey"]
            assert (await admin.http.delete(f"/api/keys/{last}")).status_code == 200
            assert await works(app, successor)
    finally:
        object.__setattr__(services, "settings", before)


async def test_a_longest_lifetime_bounds_every_new_end(services: Services, family: Family) -> None:
    limited = services.settings.model_copy(update={"keys_max_lifetime_days": 30})
    before = services.settings
    object.__setattr__(services, "settings", limited)
    try:
        made = await family.make(family.user.key)
        assert 0 <= made["expiresAt"] - family.now - 30 * DAY < 60_000
        for reply in (
            await family.ask(family.user.key, "POST", "", {"expiresAt": family.now + 31 * DAY}),
            await family.ask(family.user.key, "PATCH", f"/{made['id']}", {"expiresAt": None}),
        ):
            assert (reply.status_code, reply.json()["details"]) == (
                400,
                "Field expiresAt must be at most 30 days ahead",
            )
    finally:
        object.__setattr__(services, "settings", before)


@pytest.mark.rule("17.7 act_as")
@pytest.mark.parametrize("path", ["/api/mcp/stats", "/mcp"])
async def test_only_a_service_key_names_an_end_user(family: Family, app: ASGIApp, path: str) -> None:
    service = (await family.make(family.user.key, scopes=["read", "write", "act_as"]))["apiKey"]
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for key, status in ((family.user.key, 403), (service, 200)):
        async with as_key(app, key) as http:
            reply = await http.post(path, json=message, headers={"X-Memd-User": "ann"})
        assert reply.status_code == status, reply.text
