"""Contract 17.6: of an erased user nothing is left in any column of any table, and another user loses nothing."""

import asyncio
from contextlib import suppress
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from starlette.types import ASGIApp

from memctl.client import MemdClient
from memd.app import endpoints
from memd.context import Services
from memd.domain.ids import decode, encode, new_id
from memd.domain.types import KeyScope, Policy
from memd.embed.vector_index import MIN_MEMORIES, keep_vector_indexes
from memd.embed.vector_index_store import index_prefix
from memd.erasure.jobs import erase as run_erasure
from memd.erasure.jobs import resume_all
from memd.erasure.receipts import USER
from memd.erasure.store import Receipt
from memd.erasure.users import service as users
from memd.errors import Unauthorized
from memd.extraction.service import extract_waiting
from memd.lifecycle.associate import associate
from memd.lifecycle.snapshots import snapshot_quiet
from memd.reflection.service import reflect
from memd.stats import service as stats
from tests.support.canary import ELSEWHERE, WORD, plant, planted, tables_with
from tests.support.dict_rows import dict_rows
from tests.support.jobs import context_of, done, later
from tests.support.service import BASE, MakeUser, TestUser
from tests.support.wire import capture, send

EVERYTHING = tuple(KeyScope)
UNKNOWN = "usr_01j00000000000000000000000"
MIN_TABLES = 20


@pytest.fixture
async def admin(make_user: MakeUser) -> TestUser:
    return await make_user(admin=True, scopes=EVERYTHING, policy=Policy.SELF_HOSTED_UNMETERED)


async def made_by(admin: TestUser, app: ASGIApp, name: str) -> TestUser:
    """A user whom the administrator makes over HTTP."""
    made = await send(admin, "POST", "/api/admin/users", {"name": name, "policy": "self_hosted_unmetered"}, status=201)
    transport = httpx.ASGITransport(app)
    http = httpx.AsyncClient(transport=transport, base_url=BASE, headers={"Authorization": f"Bearer {made['apiKey']}"})
    return TestUser(
        decode("usr", made["id"]), made["apiKey"], MemdClient(BASE, made["apiKey"], transport=transport), http
    )


async def erase(admin: TestUser, user: TestUser) -> str:
    """Ask for the erasure; its id."""
    reply = await send(admin, "DELETE", f"/api/admin/users/{encode('usr', user.id)}", status=202)
    assert reply.keys() == {"erasureId"}
    return reply["erasureId"]


async def finished(asker: TestUser, erasure_id: str) -> dict[str, Any]:
    """The receipt of an erasure once it is done."""
    for _ in range(600):
        receipt = await send(asker, "GET", f"/api/erasures/{erasure_id}")
        if receipt["state"] == "done":
            return receipt
        await asyncio.sleep(0.05)
    raise AssertionError(receipt)


async def device(user: TestUser, app: ASGIApp) -> None:
    """Two devices of the user with the word as name: one gets its key, the other stays approved."""
    transport = httpx.ASGITransport(app, client=("198.51.100.77", 1))
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as visitor:
        for polls in (1, 0):
            codes = (await visitor.post("/api/device/start", json={"clientName": WORD})).json()
            await send(user, "POST", "/api/device/approve", {"user_code": codes["user_code"]})
            for _ in range(polls):
                await visitor.get("/api/device/status", params={"device_code": codes["device_code"]})


async def background(services: Services, user: TestUser) -> None:
    """The rows that background jobs make for a user: vectors, graph, extraction, snapshots, reflection, associations."""
    await done(services, user)
    context = await context_of(later(services, minutes=30), user)
    await extract_waiting(context)
    await snapshot_quiet(context)
    await reflect(context, 24)
    await associate(context)
    await done(services, user)


async def rows_of(services: Services, user: TestUser) -> dict[str, list[Any]]:
    """Every row of a user in every table, but for what each request moves."""
    async with services.database.system() as session:
        tables = [row["name"] for row in await dict_rows(session, "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public'"
            " AND column_name = 'user_id' AND table_name NOT IN ('audit_entry', 'erasure', 'api_key') ORDER BY 1"
        )]  # fmt: skip
        return {
            table: await dict_rows(session, f"SELECT * FROM {table} t WHERE user_id = %(user)s ORDER BY t::text", {"user": user.id})
            for table in tables
        }  # fmt: skip


def test_every_endpoint_is_planted_or_named_with_a_reason() -> None:
    names = {endpoint.name for endpoint in endpoints()}
    called = {endpoint.name for endpoint in planted()}
    assert called.isdisjoint(ELSEWHERE)
    assert names - called - ELSEWHERE.keys() == set()


@pytest.mark.rule("17.6 DELETE /api/admin/users/:id", "17.6 nothing is left")
async def test_nothing_of_an_erased_user_is_left_in_any_table(
    services: Services, app: ASGIApp, admin: TestUser
) -> None:
    victim, twin = await made_by(admin, app, WORD), await made_by(admin, app, WORD)
    for user in (victim, twin):
        await plant(user)
        await device(user, app)
        await send(admin, "PATCH", f"/api/admin/users/{encode('usr', user.id)}", {"name": f"{WORD} again"})
        await background(services, user)
    await services.background_tasks.drain()
    before = await rows_of(services, twin)
    found = await tables_with(services, WORD, spared=twin)
    assert len(found) >= MIN_TABLES, found
    receipt = await finished(admin, await erase(admin, victim))
    await done(services, victim)
    assert await tables_with(services, WORD, spared=twin) == {}
    assert await rows_of(services, twin) == before
    assert receipt["counts"].keys() >= found.keys() - {"procrastinate_jobs"}
    for trace in (str(victim.id), victim.id.hex):
        assert (await tables_with(services, trace, spared=twin)).keys() <= {"erasure", "audit_entry"}


@pytest.mark.rule("17.6 DELETE /api/admin/users/:id")
async def test_no_key_of_a_deleted_user_works_from_the_answer_on(
    app: ASGIApp, admin: TestUser, make_user: MakeUser
) -> None:
    user = await make_user()
    assert (await user.http.get("/api/mcp/auth")).status_code == 200
    erasure_id = await erase(admin, user)
    assert (await user.http.get("/api/mcp/auth")).status_code == 401
    assert (await user.http.post("/api/mcp/capture", json={"title": "t", "content": "c"})).status_code == 401
    listed = await send(admin, "GET", "/api/admin/users", limit=200)
    assert encode("usr", user.id) not in [row["id"] for row in listed["users"]]
    assert await erase(admin, user) == erasure_id
    await send(admin, "PATCH", f"/api/admin/users/{encode('usr', user.id)}", {"active": True}, status=404)
    await finished(admin, erasure_id)


@pytest.mark.rule("17.6 DELETE /api/admin/users/:id")
async def test_a_request_that_is_under_way_can_write_nothing_more(
    services: Services, admin: TestUser, make_user: MakeUser
) -> None:
    user = await make_user()
    await finished(admin, await erase(admin, user))
    with pytest.raises(Unauthorized):
        async with services.database.write(user.id) as session:
            await session.execute("INSERT INTO totals (user_id, updated_at) VALUES (%(user)s, 0)", {"user": user.id})
    assert (await tables_with(services, str(user.id))).keys() == {"erasure"}


async def test_the_erasure_waits_for_a_transaction_that_began_before(
    services: Services, admin: TestUser, make_user: MakeUser
) -> None:
    user = await make_user()
    async with services.database.write(user.id) as session:
        await session.execute("INSERT INTO totals (user_id, updated_at) VALUES (%(user)s, 0)", {"user": user.id})
        erasure_id = await erase(admin, user)
        await asyncio.sleep(0.3)
        assert (await send(admin, "GET", f"/api/erasures/{erasure_id}"))["state"] != "done"
    receipt = await finished(admin, erasure_id)
    assert receipt["counts"]["totals"] == 1


async def test_the_last_administrator_stays(services: Services, make_user: MakeUser, admin: TestUser) -> None:
    async with services.database.system() as session:
        others = await dict_rows(
            session,
            "UPDATE app_user SET active = false WHERE admin AND active AND user_id <> %(own)s RETURNING user_id",
            {"own": admin.id},
        )
    try:
        reply = await send(admin, "DELETE", f"/api/admin/users/{encode('usr', admin.id)}", status=409)
        assert reply == {"error": "Last admin key"}
    finally:
        async with services.database.system() as session:
            await session.execute(
                "UPDATE app_user SET active = true WHERE user_id = ANY(%(ids)s)",
                {"ids": [row["user_id"] for row in others]},
            )
    assert (await admin.http.get("/api/mcp/auth")).status_code == 200


async def test_an_unknown_user_and_a_malformed_id(admin: TestUser) -> None:
    assert await send(admin, "DELETE", f"/api/admin/users/{UNKNOWN}", status=404) == {"error": "Not found"}
    reply = await send(admin, "DELETE", "/api/admin/users/usr_1", status=400)
    assert reply["details"] == "Invalid identifier: id"


@pytest.mark.rule("17.6 GET /api/erasures/:id")
async def test_a_receipt_is_shown_to_administrators_and_to_nobody_else(admin: TestUser, make_user: MakeUser) -> None:
    user, stranger, other_admin = await make_user(), await make_user(), await make_user(admin=True, scopes=EVERYTHING)
    erasure_id = await erase(admin, user)
    receipt = await finished(other_admin, erasure_id)
    assert receipt.keys() == {"id", "kind", "state", "counts", "createdAt", "finishedAt"}
    assert receipt["counts"]["app_user"] == receipt["counts"]["api_key"] == 1
    reader = await make_user(admin=True, scopes=(KeyScope.READ, KeyScope.WRITE))  # a key without the scope `admin`
    for other in (stranger, reader):
        assert await send(other, "GET", f"/api/erasures/{erasure_id}", status=404) == {"error": "Not found"}
    unknown = encode("era", new_id())
    assert await send(admin, "GET", f"/api/erasures/{unknown}", status=404) == {"error": "Not found"}


async def test_the_planner_keeps_no_sample_of_the_texts(
    services: Services, admin: TestUser, make_user: MakeUser
) -> None:
    user = await make_user(policy=Policy.SELF_HOSTED_UNMETERED)
    word = "Wombatique"
    for number in range(30):
        await capture(user, title=f"{word} {number % 3}", content=f"{word} content {number}", channel=word)
    sampled = "SELECT count(*) FROM pg_stats WHERE (most_common_vals::text || histogram_bounds::text) ILIKE %s OR most_common_vals::text ILIKE %s"
    with psycopg.connect(services.database.pools.logins.owner, autocommit=True) as owner:
        owner.execute("ANALYZE memory, memory_index")
        assert owner.execute(sampled, [f"%{word}%"] * 2).fetchone() != (0,)
        await finished(admin, await erase(admin, user))
        assert owner.execute(sampled, [f"%{word}%"] * 2).fetchone() == (0,)


async def test_the_vector_index_of_the_user_goes(services: Services, admin: TestUser, make_user: MakeUser) -> None:
    user = await make_user(policy=Policy.SELF_HOSTED_UNMETERED)
    await capture(user)
    async with services.database.write(user.id) as session:
        await stats.move(session, services.clock(), active=2 * MIN_MEMORIES)
    await keep_vector_indexes(services)
    named = "SELECT count(*) FROM pg_class WHERE starts_with(relname, %s)"
    with psycopg.connect(services.database.pools.logins.owner, autocommit=True) as owner:
        assert owner.execute(named, [index_prefix(user.id)]).fetchone() == (1,)
        await finished(admin, await erase(admin, user))
        assert owner.execute(named, [index_prefix(user.id)]).fetchone() == (0,)


async def test_an_erasure_that_is_cut_off_goes_on_and_counts_each_row_once(
    services: Services, admin: TestUser, make_user: MakeUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await make_user(policy=Policy.SELF_HOSTED_UNMETERED)
    for _ in range(7):
        await capture(user)
    await done(services, user)
    monkeypatch.setattr(users, "PAGE", 2)
    real, calls = users.receipt_store.count, []

    async def cut(session: Any, erasure_id: UUID, removed: Any) -> None:
        await real(session, erasure_id, removed)
        calls.append(removed)
        if len(calls) in {2, 3, 5, 8}:
            raise ConnectionError

    monkeypatch.setattr(users.receipt_store, "count", cut)
    erasure_id = await erase(admin, user)
    payload = {"erasure_id": str(decode("era", erasure_id))}
    for _ in range(4):
        with suppress(ConnectionError):
            await run_erasure(services, user.id, payload)
    receipt = await finished(admin, erasure_id)
    assert len(calls) > 8
    assert receipt["counts"]["memory"] == receipt["counts"]["memory_index"] == 7


async def test_an_erasure_whose_job_was_lost_is_taken_up_again(
    services: Services, admin: TestUser, make_user: MakeUser
) -> None:
    user = await make_user()
    receipt = Receipt(user.id, new_id(), admin.id, USER, None, "running", {}, services.clock(), None)
    async with services.database.system() as session:
        await users.receipt_store.add(session, receipt)
    assert (await resume_all(services)).rows >= 1
    await finished(admin, encode("era", receipt.id))
    await done(services, user)
    assert (await tables_with(services, str(user.id))).keys() == {"erasure"}
