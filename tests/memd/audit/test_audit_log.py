"""The audit log (contract 17.6): acts, refusals and reads in a chain that nobody can change, paged and filtered."""

import asyncio
from dataclasses import replace
from typing import Any

import psycopg
import pytest
import pytest_asyncio

from memd.audit.chain_store import stored_chain, stored_head
from memd.audit.service import expire
from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.domain.accounts.audit_chain import AuditEntry, BrokenChainError, Verified, verify
from memd.domain.cursors import encode_cursor
from memd.domain.dates.time_window import DAY_MS
from memd.domain.ids import decode, encode
from memd.domain.types import KeyScope
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, chunk, fill, make_base, post, send

Json = dict[str, Any]
ALL = tuple(KeyScope)
SECRET = "Zanzibarquokka"


@pytest_asyncio.fixture(loop_scope="session")
async def admin(make_user: MakeUser) -> TestUser:
    return await make_user(admin=True, scopes=ALL)


async def entries(services: Services, admin: TestUser, **query: Any) -> list[Json]:
    await services.background_tasks.drain()
    return (await send(admin, "GET", "/api/admin/audit", **query))["entries"]


async def acts_of(services: Services, admin: TestUser, user: TestUser) -> list[Json]:
    """The entries of a user in the log, oldest first."""
    found = await entries(services, admin, actor=encode("usr", user.id), order="chronological", limit=200)
    return [entry for entry in found if entry["action"] != "audit.read"]


def verified(server: EmbeddedPostgres) -> Verified:
    with psycopg.connect(server.conninfo) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        return verify(stored_chain(connection), stored_head(connection))


@pytest.mark.rule("17.6 GET /api/admin/audit")
async def test_acts_with_keys_and_users_tell_who_what_and_the_change(services: Services, admin: TestUser) -> None:
    key = await send(admin, "POST", "/api/keys", {"label": SECRET, "scopes": ["read"]}, status=201)
    await send(admin, "POST", f"/api/keys/{key['id']}/rotate", {})
    await send(admin, "DELETE", f"/api/keys/{key['id']}")
    user = await send(admin, "POST", "/api/admin/users", {"name": SECRET, "tier": "free"}, status=201)
    await send(admin, "PATCH", f"/api/admin/users/{user['id']}", {"tier": "pro", "name": f"{SECRET} 2"})
    found = await acts_of(services, admin, admin)
    acts = [(entry["action"], entry["target"], entry.get("before"), entry.get("after")) for entry in found]
    assert acts[0] == ("key.create", key["id"], None, {"scopes": ["read"], "expiresAt": None})
    assert acts[1:3] == [("key.rotate", key["id"], None, None), ("key.revoke", key["id"], None, None)]
    made = {"tier": "free", "policy": None, "admin": False, "active": True}
    assert acts[3] == ("user.create", user["id"], None, made)
    assert acts[4][0] == "key.create"
    assert acts[5] == ("user.update", user["id"], {"tier": "free"}, {"tier": "pro", "name": "changed"})
    own = await send(admin, "GET", "/api/mcp/auth")
    assert {entry["actor"]["keyId"] for entry in found} == {own["keyId"]}
    assert {entry["actor"]["address"] for entry in found} == {"127.0.0.1"}
    assert {entry["outcome"] for entry in found} == {"ok"}
    assert SECRET not in str(found)


async def test_exports_and_permanent_deletions_are_entered(
    services: Services, admin: TestUser, make_user: MakeUser
) -> None:
    user = await make_user()
    kept, gone = await capture(user), await capture(user)
    await post(user, "forget", {"memoryId": kept})
    await post(user, "forget", {"memoryId": gone, "permanent": True, "reason": SECRET})
    await send(user, "GET", "/api/memories")
    base = await make_base(user, name=SECRET)
    await fill(user, base, chunk("one"), chunk("two"))
    await send(user, "GET", f"/api/knowledge-bases/{base}/memories")
    await post(user, f"/api/knowledge-bases/{base}/empty", {})
    await fill(user, base, chunk("three"))
    await send(user, "DELETE", f"/api/knowledge-bases/{base}")
    await send(user, "DELETE", f"/api/knowledge-bases/{base}", permanent=True)
    checkpoint = (await post(user, "checkpoint", {"label": SECRET}))["checkpointId"]
    await post(user, "checkpoint", {"mode": "delete", "checkpointId": checkpoint})
    found = await acts_of(services, admin, user)
    assert [(entry["action"], entry["target"], entry.get("after")) for entry in found] == [
        ("memory.delete", gone, None),
        ("memory.export", None, None),
        ("knowledge_base.export", base, None),
        ("knowledge_base.empty", base, {"chunks": 2}),
        ("knowledge_base.delete", base, {"chunks": 1, "done": True}),
        ("checkpoint.delete", checkpoint, None),
    ]
    assert SECRET not in str(found)


async def test_ordinary_reads_and_writes_are_not_audited(
    services: Services, admin: TestUser, make_user: MakeUser
) -> None:
    user = await make_user()
    memory = await capture(user)
    await post(user, "recall", {"query": "memory"})
    await post(user, "update", {"memoryId": memory, "content": "Another content"})
    await post(user, "log", {"role": "user", "content": "Hello"})
    await post(user, "memory", {"memoryId": memory})
    await post(user, "wake", {})
    assert await acts_of(services, admin, user) == []


async def test_refusals_are_counted_with_key_and_address(
    services: Services, admin: TestUser, make_user: MakeUser
) -> None:
    dead = await send(admin, "POST", "/api/keys", {}, status=201)
    await send(admin, "DELETE", f"/api/keys/{dead['id']}")
    reader = await make_user(scopes=(KeyScope.READ,))
    for _ in range(3):
        refused = await reader.http.get("/api/mcp/stats", headers={"Authorization": f"Bearer {dead['apiKey']}"})
        assert refused.status_code == 401
    assert (await reader.http.get("/api/mcp/stats", headers={"Authorization": "Bearer nonsense"})).status_code == 401
    await post(reader, "capture", {"title": "T", "content": "C"}, status=403)
    await send(reader, "GET", "/api/admin/audit", status=403)
    await send(admin, "POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "ping"})
    found = await entries(services, admin, action="key.refused")
    named = next(entry for entry in found if entry["target"] == dead["id"])
    assert (named["outcome"], named["after"], named["actor"]["address"]) == ("refused", {"count": 3}, "127.0.0.1")
    assert any(entry["target"] is None for entry in found)
    assert dead["apiKey"] not in str(found)
    assert [(entry["action"], entry["after"]["reason"]) for entry in await acts_of(services, admin, reader)] == [
        ("access.refused", "scope write"),
        ("access.refused", "scope admin"),
    ]


async def test_blocked_texts_are_entered_by_rule_and_never_by_content(
    services: Services, admin: TestUser, make_user: MakeUser
) -> None:
    user = await make_user()
    blocked = f"{SECRET} SSN 123-45-6789"
    await post(user, "capture", {"title": "T", "content": blocked}, status=400)
    base = await make_base(user)
    await fill(user, base, chunk("fine"), chunk(f"{blocked} a"), chunk(f"{blocked} b"))
    found = {entry["target"]: entry for entry in await acts_of(services, admin, user)}
    assert found["POST /api/mcp/capture"]["after"] == {"count": 1, "reason": "pii_ssn"}
    assert found[base]["after"] == {"chunks": {"pii_ssn": 2}}
    assert {entry["outcome"] for entry in found.values()} == {"refused"}
    assert SECRET not in str(found)


async def test_sign_in_on_the_page_is_entered(services: Services, admin: TestUser) -> None:
    async def attempt(key: str) -> None:
        page = await admin.http.get("/device")
        token = page.text.split('name="form_token" value="')[1].split('"')[0]
        await admin.http.post("/device", data={"action": "sign_in", "api_key": key, "form_token": token})

    await attempt("0" * 64)
    await attempt(admin.key)
    await services.background_tasks.drain()
    found = await entries(services, admin, action="sign_in", limit=10)
    own = encode("usr", admin.id)
    assert {(entry["outcome"], entry["actor"]["userId"]) for entry in found[:2]} == {("refused", None), ("ok", own)}


async def test_no_audit_no_act(embedded_postgres: EmbeddedPostgres, services: Services, admin: TestUser) -> None:
    before = await send(admin, "GET", "/api/keys")
    kept = await capture(admin)
    with psycopg.connect(embedded_postgres.conninfo, autocommit=True) as owner:
        owner.execute("ALTER TABLE audit_head RENAME TO audit_head_away")
        try:
            refused = [
                await admin.http.post("/api/keys", json={}),
                await admin.http.post("/api/admin/users", json={"name": "n"}),
                await admin.http.post("/api/mcp/forget", json={"memoryId": kept, "permanent": True}),
                await admin.http.get("/api/memories"),
                await admin.http.get("/api/admin/users"),
            ]
            ordinary = await admin.http.post("/api/mcp/capture", json={"title": "T", "content": "Still works"})
        finally:
            owner.execute("ALTER TABLE audit_head_away RENAME TO audit_head")
    assert [reply.status_code for reply in refused] == [500] * 5
    assert ordinary.status_code == 200
    assert len((await send(admin, "GET", "/api/keys"))["keys"]) == len(before["keys"])
    assert (await post(admin, "memory", {"memoryId": kept}))["memory"]["archived"] is False


async def test_an_act_that_fails_leaves_no_entry(services: Services, admin: TestUser) -> None:
    missing = encode("usr", decode("usr", "usr_01m7yw9thmezt8dazqksafd50e"))
    await send(admin, "PATCH", f"/api/admin/users/{missing}", {"tier": "pro"}, status=404)
    assert [entry["action"] for entry in await acts_of(services, admin, admin)] == []


async def test_pages_and_filters_select_the_same_entries_in_both_orders(services: Services, admin: TestUser) -> None:
    for _ in range(5):
        await send(admin, "POST", "/api/keys", {}, status=201)
    own = encode("usr", admin.id)
    whole = [entry["seq"] for entry in await entries(services, admin, actor=own, action="key.")]
    assert len(whole) == 5
    assert whole == sorted(whole, reverse=True)
    found, cursor = list[int](), ""
    while True:
        more = {"cursor": cursor} if cursor else {}
        page = await send(
            admin, "GET", "/api/admin/audit", actor=own, action="key.", order="chronological", limit=2, **more
        )
        found += [entry["seq"] for entry in page["entries"]]
        cursor = page["continueCursor"]
        if page["isDone"]:
            break
    assert found == whole[::-1]
    moment = (await entries(services, admin, actor=own, action="key.create", limit=1))[0]["at"]
    assert await entries(services, admin, actor=own, action="key.", **{"from": moment + 1}) == []
    assert len(await entries(services, admin, actor=own, action="key.create", to=moment)) == 5
    assert await entries(services, admin, action="key") == []
    key_id = (await send(admin, "GET", "/api/mcp/auth"))["keyId"]
    assert [entry["seq"] for entry in await entries(services, admin, actor=key_id, action="key.")] == whole
    cursors = ({"cursor": text} for text in ("x", encode_cursor("audit:newest", [2**63])))
    for query in (*cursors, {"actor": "nobody"}, {"order": "up"}, {"limit": 0}, {"from": "soon"}):
        await send(admin, "GET", "/api/admin/audit", status=400, **query)


async def test_entries_that_are_written_at_once_form_one_chain(
    embedded_postgres: EmbeddedPostgres, services: Services, make_user: MakeUser
) -> None:
    users = [await make_user() for _ in range(6)]
    await asyncio.gather(*(send(user, "POST", "/api/keys", {}, status=201) for user in users for _ in range(5)))
    assert verified(embedded_postgres).entries >= 30


async def test_hashes_of_the_database_are_those_of_the_domain_for_any_text(
    embedded_postgres: EmbeddedPostgres, services: Services
) -> None:
    odd = 'ü "quoted" \\ back\tslash\n\x7f\u2028 🦉 \x01'
    async with services.database.system() as session:
        session.audit(
            AuditEntry(1, odd, target=odd, address=odd, before={odd: odd}, after={"n": 1.5, "l": [None, True]})
        )
    verified(embedded_postgres)


@pytest.mark.rule("17.6 append-only")
@pytest.mark.parametrize("role", ["memd_app", "memd_system"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_entry SET action = 'x'",
        "DELETE FROM audit_entry",
        "INSERT INTO audit_entry VALUES (0, 0, NULL, NULL, NULL, 'x', NULL, 'ok', NULL, NULL, NULL, '', '')",
        "TRUNCATE audit_entry",
        "UPDATE audit_head SET seq = 0",
        "DELETE FROM audit_head",
    ],
)
def test_no_role_of_the_service_can_change_the_log(
    embedded_postgres: EmbeddedPostgres, services: Services, role: str, statement: str
) -> None:
    with psycopg.connect(embedded_postgres.conninfo) as connection:
        connection.execute(f"SET ROLE {role}".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement.encode())


async def test_a_change_by_the_owner_of_the_database_is_found(
    embedded_postgres: EmbeddedPostgres, admin: TestUser
) -> None:
    await send(admin, "POST", "/api/keys", {}, status=201)
    verified(embedded_postgres)
    with psycopg.connect(embedded_postgres.conninfo) as owner:
        owner.execute("UPDATE audit_entry SET action = 'forged' WHERE seq = (SELECT max(seq) FROM audit_entry)")
        with pytest.raises(BrokenChainError, match="was changed"):
            verify(stored_chain(owner), stored_head(owner))
        owner.rollback()


async def test_retention_removes_the_oldest_and_the_chain_still_holds(
    embedded_postgres: EmbeddedPostgres, services: Services, admin: TestUser
) -> None:
    await send(admin, "POST", "/api/keys", {}, status=201)
    before = verified(embedded_postgres)
    assert (await expire(services)).rows == 0
    days = services.settings.audit_retention_days

    def later() -> int:
        return services.clock() + (days + 1) * DAY_MS

    removed = (await expire(replace(services, clock=later))).rows
    after = verified(embedded_postgres)
    assert removed == before.entries
    assert (after.entries, after.removed_through) == (1, before.head.seq)
    await send(admin, "POST", "/api/keys", {}, status=201)
    assert verified(embedded_postgres).entries == 2


async def test_retention_may_be_off(services: Services) -> None:
    forever = services.settings.model_copy(update={"audit_retention_days": 0})
    assert (await expire(replace(services, settings=forever, clock=lambda: 10**15))).rows == 0
