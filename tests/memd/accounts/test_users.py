"""Contract 9.4: administrators see and change users, and never what they keep."""

import asyncio
from typing import Any

import pytest
from starlette.types import ASGIApp

from memd.context import Services
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from tests.memd.accounts.test_keys import actions, alone, as_key, own_key, works
from tests.support.service import MakeUser, TestUser

EVERYTHING = tuple(KeyScope)
UNKNOWN = "usr_01j00000000000000000000000"
FIELDS = {"id", "name", "tier", "policy", "admin", "active", "createdAt", "memoryCount"}


@pytest.fixture
async def admin(make_user: MakeUser) -> TestUser:
    return await make_user(admin=True, scopes=EVERYTHING)


async def every_user(admin: TestUser, limit: int) -> list[dict[str, Any]]:
    """All pages of the list."""
    users: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = (await admin.http.get("/api/admin/users", params={"limit": limit, "cursor": cursor})).json()
        assert len(page["users"]) <= limit
        users += page["users"]
        if page["isDone"]:
            assert page["continueCursor"] == ""
            return users
        cursor = page["continueCursor"]


@pytest.mark.rule("9.4 GET /api/admin/users")
async def test_the_list_has_every_user_once_in_the_order_of_making(admin: TestUser, make_user: MakeUser) -> None:
    made = [(await (await make_user()).http.get("/api/mcp/auth")).json()["userId"] for _ in range(5)]
    users = await every_user(admin, 2)
    ids = [user["id"] for user in users]
    assert len(ids) == len(set(ids))
    assert [user_id for user_id in ids if user_id in made] == made
    assert all(user.keys() - {"accountId", "externalId"} == FIELDS for user in users)


@pytest.mark.rule("9.4 GET /api/admin/users", "9.4 contents")
async def test_the_list_counts_memories_and_shows_none(admin: TestUser, make_user: MakeUser) -> None:
    other = await make_user()
    await other.http.post("/api/mcp/capture", json={"title": "A secret title", "content": "A secret content"})
    reply = await admin.http.get("/api/admin/users", params={"limit": 200})
    who = (await other.http.get("/api/mcp/auth")).json()["userId"]
    assert next(user["memoryCount"] for user in await every_user(admin, 200) if user["id"] == who) == 1
    assert "secret" not in reply.text


@pytest.mark.rule("9.4 POST /api/admin/users")
@pytest.mark.parametrize(
    ("fields", "expected", "scopes"),
    [
        ({"name": "ann"}, {"name": "ann", "tier": "free", "policy": None, "admin": False}, ["read", "write"]),
        ({"name": "bob", "tier": "pro"}, {"tier": "pro"}, ["read", "write"]),
        ({"name": "cid", "policy": "self_hosted_unmetered"}, {"policy": "self_hosted_unmetered"}, ["read", "write"]),
        ({"name": "dot", "admin": True}, {"admin": True}, ["read", "write", "admin"]),
    ],
)
async def test_a_new_user_comes_with_a_key(
    admin: TestUser, app: ASGIApp, fields: dict[str, Any], expected: dict[str, Any], scopes: list[str]
) -> None:
    reply = await admin.http.post("/api/admin/users", json=fields)
    made = reply.json()
    assert (reply.status_code, made.keys()) == (201, FIELDS | {"apiKey"})
    assert made.items() >= expected.items()
    async with as_key(app, made["apiKey"]) as http:
        who = (await http.get("/api/mcp/auth")).json()
    assert (who["userId"], who["scopes"]) == (made["id"], scopes)


@pytest.mark.rule("9.4 POST /api/admin/users")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({}, "Missing required field: name"),
        ({"name": " "}, "Missing required field: name"),
        ({"name": "x", "tier": "gold"}, "Field tier must be one of: free, starter, pro, ultra, unlimited"),
    ],
)
async def test_wrong_fields_of_a_new_user_are_named(admin: TestUser, fields: dict[str, Any], details: str) -> None:
    reply = await admin.http.post("/api/admin/users", json=fields)
    assert (reply.status_code, reply.json()["details"]) == (400, details)


@pytest.mark.rule("9.4 PATCH /api/admin/users/:id")
async def test_a_change_touches_what_is_named_only(services: Services, admin: TestUser) -> None:
    made = (await admin.http.post("/api/admin/users", json={"name": "eve", "tier": "pro"})).json()
    path = f"/api/admin/users/{made['id']}"
    changed = (await admin.http.patch(path, json={"policy": "managed_ultra"})).json()
    assert changed == {**{name: made[name] for name in FIELDS}, "policy": "managed_ultra"}
    cleared = (await admin.http.patch(path, json={"policy": None, "name": None})).json()
    assert (cleared["policy"], cleared["name"], cleared["tier"]) == (None, None, "pro")
    assert [action for action, _ in await actions(services, admin)] == [
        "user.create",
        "key.create",
        "user.update",
        "user.update",
    ]


@pytest.mark.rule("9.4 PATCH /api/admin/users/:id")
@pytest.mark.parametrize(
    ("field", "value"),
    [("name", "zoe"), ("tier", "ultra"), ("policy", "managed_pro"), ("admin", True), ("active", False)],
)
async def test_each_field_of_a_user_can_be_changed_alone(admin: TestUser, field: str, value: Any) -> None:
    made = (await admin.http.post("/api/admin/users", json={"name": "gil"})).json()
    reply = await admin.http.patch(f"/api/admin/users/{made['id']}", json={field: value})
    expected = {name: made[name] for name in FIELDS} | {field: value}
    assert (reply.status_code, reply.json()) == (200, expected)
    assert next(user for user in await every_user(admin, 200) if user["id"] == made["id"]) == expected


async def test_the_keys_of_an_inactive_user_do_not_work(admin: TestUser, app: ASGIApp) -> None:
    made = (await admin.http.post("/api/admin/users", json={"name": "fay"})).json()
    found: list[bool] = []
    for active in (True, False, True):
        await admin.http.patch(f"/api/admin/users/{made['id']}", json={"active": active})
        found.append(await works(app, made["apiKey"]))
    assert found == [True, False, True]


@pytest.mark.parametrize(
    ("user_id", "status", "body"),
    [
        (UNKNOWN, 404, {"error": "Not found"}),
        ("usr_x", 400, {"error": "Bad request", "details": "Invalid identifier: id"}),
        (UNKNOWN.replace("usr", "key"), 400, {"error": "Bad request", "details": "Invalid identifier: id"}),
    ],
)
async def test_unknown_users_are_not_found(admin: TestUser, user_id: str, status: int, body: dict[str, Any]) -> None:
    reply = await admin.http.patch(f"/api/admin/users/{user_id}", json={"name": "x"})
    assert (reply.status_code, reply.json()) == (status, body)


@pytest.mark.parametrize(("flag", "scopes"), [(False, EVERYTHING), (True, (KeyScope.READ, KeyScope.WRITE))])
@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("POST", ""), ("PATCH", f"/{UNKNOWN}")])
async def test_it_takes_the_scope_and_the_flag(
    make_user: MakeUser, flag: bool, scopes: tuple[KeyScope, ...], method: str, path: str
) -> None:
    user = await make_user(admin=flag, scopes=scopes)
    reply = await user.http.request(method, f"/api/admin/users{path}", json={"name": "x"} if method != "GET" else None)
    assert (reply.status_code, reply.json()) == (403, {"error": "Forbidden"})


@pytest.mark.parametrize("change", [{"admin": False}, {"active": False}])
async def test_the_last_administrator_stays(services: Services, make_user: MakeUser, change: dict[str, bool]) -> None:
    async with alone(services):
        admin = await make_user(admin=True, scopes=EVERYTHING)
        path = f"/api/admin/users/{(await admin.http.get('/api/mcp/auth')).json()['userId']}"
        refusal = await admin.http.patch(path, json=change)
        assert (refusal.status_code, refusal.json()) == (409, {"error": "Last admin key"})
        await admin.http.post("/api/admin/users", json={"name": "second", "admin": True})
        assert (await admin.http.patch(path, json=change)).status_code == 200


async def test_administrators_who_step_down_at_the_same_time_do_not_deadlock(
    services: Services, make_user: MakeUser
) -> None:
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    async with alone(services):
        first, *others = sorted(
            [await make_user(admin=True, scopes=EVERYTHING) for _ in range(3)], key=lambda user: user.id
        )
        async with services.database.system() as session, services.database.system() as looking:
            await session.execute("SELECT FROM app_user WHERE user_id = %(user)s FOR UPDATE", {"user": first.id})
            acts = [
                asyncio.create_task(
                    other.http.patch(f"/api/admin/users/{encode('usr', other.id)}", json={"admin": False})
                )
                for other in others
            ]
            for _ in range(500):
                if await looking.value(waiting, {}) >= len(acts):
                    break
                await asyncio.sleep(0.01)
        assert [(await act).status_code for act in acts] == [200, 200]


@pytest.mark.parametrize("cursor", ["x", "AAAA", ""])
async def test_a_cursor_of_nowhere_is_refused(admin: TestUser, cursor: str) -> None:
    reply = await admin.http.get("/api/admin/users", params={"cursor": cursor})
    assert reply.status_code == (400 if cursor else 200)


@pytest.mark.rule("9.1 auth")
@pytest.mark.parametrize("path", ["/api/mcp/auth", "/api/mcp-auth"])
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_auth_tells_who_the_key_belongs_to(make_user: MakeUser, method: str, path: str) -> None:
    user = await make_user(admin=True, scopes=EVERYTHING)
    reply = await user.http.request(method, path)
    assert reply.json() == {
        "ok": True,
        "userId": reply.json()["userId"],
        "keyId": await own_key(user),
        "scopes": ["read", "write", "admin", "keys", "act_as"],
        "tier": "unlimited",
        "policy": "managed_unlimited",
        "admin": True,
    }
