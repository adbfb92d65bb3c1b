"""Contract section 2 and 1.4 as clients see them: headers, 429 bodies, costs, waiting, the safeguard."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from memd.access.gate import Gate
from memd.access.principal import Principal
from memd.accounts.service import job_context
from memd.app import build
from memd.context import Services
from memd.domain.types import KeyScope, Policy, Tier
from tests.support.service import BASE, MakeUser, TestUser, add_user

PER_MINUTE = [(Tier.FREE, 100), (Tier.STARTER, 250), (Tier.PRO, 500), (Tier.ULTRA, 2000), (Tier.UNLIMITED, None)]
AT_ONCE = [(Tier.FREE, 2), (Tier.STARTER, 5), (Tier.PRO, 10), (Tier.ULTRA, 50)]


def numbers(reply: httpx.Response) -> tuple[int, int]:
    return int(reply.headers["X-RateLimit-Limit"]), int(reply.headers["X-RateLimit-Remaining"])


@asynccontextmanager
async def another(services: Services, **settings: Any) -> AsyncGenerator[tuple[ASGIApp, Services]]:
    """The same service with other limits, counting for itself."""
    changed = services.settings.model_copy(update=settings)
    gate = Gate(changed, services.clock)
    other = replace(services, settings=changed, gate=gate)
    yield build(other), other
    await gate.close()


def client(app: ASGIApp, key: str | None, address: str = "192.0.2.1") -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    transport = httpx.ASGITransport(app, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers, timeout=60)


@pytest.mark.parametrize(("tier", "limit"), PER_MINUTE)
async def test_each_tier_sees_its_credits_and_spends_them(make_user: MakeUser, tier: Tier, limit: int | None) -> None:
    user = await make_user(tier=tier)
    first = await user.http.get("/api/keys")
    second = await user.http.post("/api/knowledge-bases", json={"name": "notes"})
    assert numbers(first) == ((limit, limit - 1) if limit else (999999, 999999))
    assert numbers(second) == ((limit, limit - 6) if limit else (999999, 999999))


@pytest.mark.parametrize(("tier", "limit"), PER_MINUTE)
async def test_at_the_end_of_the_credits_each_tier_is_refused(
    services: Services, make_user: MakeUser, tier: Tier, limit: int | None
) -> None:
    user = await make_user(tier=tier)
    await spend(services, user, (limit or 5000) - 1)
    assert (await user.http.get("/api/keys")).status_code == 200
    refusal = await user.http.get("/api/keys")
    assert refusal.status_code == (429 if limit else 200)


async def spend(services: Services, user: TestUser, cost: int) -> None:
    """Take credits as one expensive request would."""
    await services.gate.debit(await principal_of(services, user), cost)


async def principal_of(services: Services, user: TestUser) -> Principal:
    context = await job_context(services, user.id)
    assert context is not None
    return context.principal


async def test_the_refusal_has_the_body_and_headers_of_the_contract(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    await spend(services, user, 100)
    refusal = await user.http.get("/api/keys")
    body = refusal.json()
    assert refusal.status_code == 429
    assert body.keys() == {"error", "retryAfterMs"}
    assert body["error"] == "Rate limit exceeded"
    assert 0 < body["retryAfterMs"] <= 60_000
    assert int(refusal.headers["Retry-After"]) == -(-body["retryAfterMs"] // 1000)
    assert numbers(refusal) == (100, 0)
    ends_ms = services.clock() + body["retryAfterMs"]
    assert abs(int(refusal.headers["X-RateLimit-Reset"]) * 1000 - ends_ms) < 5_000


async def test_a_refusal_debits_nothing(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    await spend(services, user, 97)
    refused = await user.http.post("/api/knowledge-bases", json={"name": "costs five"})
    assert (refused.status_code, numbers(refused)) == (429, (100, 3))
    assert [numbers(await user.http.get("/api/keys"))[1] for _ in range(3)] == [2, 1, 0]


async def test_a_request_that_fails_later_has_cost_its_credits(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    failed = await user.http.post("/api/knowledge-bases", json={})
    assert (failed.status_code, numbers(failed)) == (400, (100, 95))


async def test_a_body_that_is_no_json_costs_one(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    failed = await user.http.post("/api/knowledge-bases", content=b"{")
    assert (failed.status_code, numbers(failed)) == (400, (100, 99))


async def test_a_key_without_the_scope_costs_nothing(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE, scopes=(KeyScope.READ,))
    refused = await user.http.post("/api/knowledge-bases", json={"name": "x"})
    assert (refused.status_code, numbers(refused)) == (403, (100, 100))
    assert refused.json() == {"error": "Forbidden"}


@pytest.mark.parametrize(("used", "warning"), [(88, None), (89, "90"), (94, "95"), (99, "100")])
async def test_from_ninety_percent_on_a_header_warns(
    services: Services, make_user: MakeUser, used: int, warning: str | None
) -> None:
    user = await make_user(tier=Tier.FREE)
    await spend(services, user, used)
    reply = await user.http.get("/api/keys")
    assert (reply.status_code, reply.headers.get("X-RateLimit-Warning")) == (200, warning)


async def test_the_log_warns_once_in_a_window(
    services: Services, make_user: MakeUser, capsys: pytest.CaptureFixture[str]
) -> None:
    user = await make_user(tier=Tier.FREE)
    await spend(services, user, 88)
    for _ in range(8):
        await user.http.get("/api/keys")
    printed = capsys.readouterr()
    assert (printed.out + printed.err).count("credits.warning") == 1


async def test_all_keys_of_a_user_share_one_pool(make_user: MakeUser, app: ASGIApp) -> None:
    user = await make_user(tier=Tier.FREE)
    made = (await user.http.post("/api/keys", json={"label": "second"})).json()
    async with client(app, made["apiKey"]) as second:
        assert numbers(await second.get("/api/keys")) == (100, 98)


@pytest.mark.parametrize(
    ("tier", "chunks", "cost"),
    [
        (Tier.FREE, 0, 5),
        (Tier.FREE, 1, 5),
        (Tier.FREE, 100, 5),
        (Tier.FREE, 101, 10),
        (Tier.FREE, 1000, 50),
        (Tier.FREE, 2500, 100),
        (Tier.STARTER, 2500, 125),
        (Tier.STARTER, 9999, 250),
        (Tier.ULTRA, 10_000, 500),
        (Tier.ULTRA, 10_001, 5),
    ],
)
async def test_an_import_costs_five_for_every_hundred_chunks_up_to_a_minute(
    make_user: MakeUser, tier: Tier, chunks: int, cost: int
) -> None:
    user = await make_user(tier=tier)
    reply = await user.http.post(
        "/api/knowledge-bases/kb_00000000000000000000000000/import",
        content=json.dumps({"chunks": [{"content": "x", "metadata": {"title": "t"}}] * chunks}),
    )
    limit, left = numbers(reply)
    assert limit - left == cost
    assert reply.status_code in {400, 404, 413}


async def test_rate_limit_check_takes_nothing_and_refuses_only_when_nothing_remains(
    services: Services, make_user: MakeUser
) -> None:
    user = await make_user(tier=Tier.FREE)
    await spend(services, user, 99)
    check = await user.http.post("/api/mcp/rate-limit-check", json={"sessionKey": "s"})
    assert check.json().items() >= {"allowed": True, "remaining": 1, "limit": 100}.items()
    assert check.json()["resetAt"] == int(check.headers["X-RateLimit-Reset"]) * 1000
    await spend(services, user, 1)
    assert (await user.http.post("/api/mcp/rate-limit-check")).json()["allowed"] is False


async def test_a_change_of_tier_keeps_what_is_used(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.STARTER)
    admin = await make_user(admin=True, scopes=tuple(KeyScope))
    await spend(services, user, 120)
    who = (await user.http.get("/api/mcp/auth")).json()["userId"]
    await admin.http.patch(f"/api/admin/users/{who}", json={"tier": "free"})
    assert (await user.http.get("/api/keys")).status_code == 429
    await admin.http.patch(f"/api/admin/users/{who}", json={"tier": "pro"})
    assert numbers(await user.http.get("/api/keys")) == (500, 378)


async def test_an_explicit_policy_goes_before_the_tier(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE, policy=Policy.MANAGED_PRO)
    assert numbers(await user.http.get("/api/keys")) == (500, 499)


@pytest.mark.parametrize("path", ["/healthz", "/nowhere", "/api/device/status?device_code=x"])
async def test_without_a_key_the_headers_show_the_free_tier(services: Services, path: str) -> None:
    async with another(services) as (app, _), client(app, None) as visitor:
        reply = await visitor.get(path)
        assert numbers(reply) == (100, 100)
        assert reply.headers["X-Request-Id"].startswith("req_")
        assert int(reply.headers["X-RateLimit-Reset"]) * 1000 > services.clock()


async def test_bad_keys_draw_from_the_bucket_of_their_address_until_it_is_empty(services: Services) -> None:
    async with another(services) as (app, _), client(app, "f" * 64) as guesser, client(app, "f" * 64, "x") as other:
        replies = [await guesser.get("/api/keys") for _ in range(101)]
        assert [reply.status_code for reply in replies] == [401] * 100 + [429]
        assert [numbers(reply)[1] for reply in replies[:3]] == [99, 98, 97]
        assert replies[0].json() == {"error": "Unauthorized"}
        assert replies[0].headers["WWW-Authenticate"] == "Bearer"
        assert replies[-1].json()["error"] == "Rate limit exceeded"
        assert numbers(replies[-1]) == (100, 0)
        assert (await other.get("/api/keys")).status_code == 401


async def test_a_valid_key_is_never_refused_for_its_address(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    async with another(services) as (app, _), client(app, "f" * 64) as guesser, client(app, user.key) as good:
        for _ in range(101):
            await guesser.get("/api/keys")
        assert (await good.get("/api/keys")).status_code == 200


@pytest.mark.parametrize(("trusted", "address"), [([], "192.0.2.1"), (["192.0.2.1"], "198.51.100.7")])
async def test_forwarded_addresses_count_only_from_configured_proxies(
    services: Services, trusted: list[str], address: str
) -> None:
    async with another(services, trusted_proxies=trusted) as (app, other), client(app, "f" * 64) as proxy:
        await proxy.get("/api/keys", headers={"X-Forwarded-For": "203.0.113.9, 198.51.100.7"})
        assert (await other.gate.view_address(address)).remaining == 99


@pytest.mark.parametrize(("tier", "places"), AT_ONCE)
async def test_each_tier_has_its_places_and_the_next_one_waits(
    services: Services, make_user: MakeUser, tier: Tier, places: int
) -> None:
    user = await make_user(tier=tier)
    async with another(services, limits_queue_wait_s=0) as (app, other), client(app, user.key) as http:
        principal = await principal_of(services, user)
        held = [other.gate.slot(principal) for _ in range(places)]
        for slot in held[:-1]:
            await slot.__aenter__()
        assert (await http.get("/api/version")).status_code == 200
        await held[-1].__aenter__()
        refusal = await http.get("/api/version")
        assert refusal.status_code == 429
        assert refusal.json() == {"error": "Rate limit exceeded", "retryAfterMs": 1000}
        assert refusal.headers["Retry-After"] == "1"
        for slot in held:
            await slot.__aexit__(None, None, None)
        assert (await http.get("/api/version")).status_code == 200


async def test_eight_parallel_requests_of_a_free_user_all_succeed(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    replies = await asyncio.gather(*(user.http.get("/api/mcp/stats") for _ in range(8)))
    assert [reply.status_code for reply in replies] == [200] * 8


async def test_a_burst_beyond_a_hundred_waiting_is_refused(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    async with another(services, limits_queue_wait_s=60) as (app, other), client(app, user.key) as http:
        principal = await principal_of(services, user)
        first, second = other.gate.slot(principal), other.gate.slot(principal)
        await first.__aenter__()
        await second.__aenter__()
        burst = [asyncio.create_task(http.get("/api/version")) for _ in range(104)]
        refused, _ = await asyncio.wait(burst, return_when=asyncio.FIRST_COMPLETED)
        while len(refused) < 4:
            refused, _ = await asyncio.wait(set(burst) - refused, return_when=asyncio.FIRST_COMPLETED)
            refused = {task for task in burst if task.done()}
        await first.__aexit__(None, None, None)
        await second.__aexit__(None, None, None)
        statuses = [reply.status_code for reply in await asyncio.gather(*burst)]
        assert (statuses.count(200), statuses.count(429)) == (100, 4)


async def test_a_place_is_held_until_the_last_byte(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    sent, read = asyncio.Event(), asyncio.Event()

    async def slow_reader(message: Any) -> None:
        if message["type"] == "http.response.body":
            sent.set()
            await read.wait()

    async def no_body() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/api/version",
        "raw_path": b"/api/version",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"authorization", f"Bearer {user.key}".encode())],
        "server": ("memd.test", 80),
        "client": ("192.0.2.1", 1),
    }
    async with another(services, limits_queue_wait_s=0) as (app, other), client(app, user.key) as http:
        slow = asyncio.ensure_future(app(scope, no_body, slow_reader))
        await sent.wait()
        principal = await principal_of(services, user)
        async with other.gate.slot(principal):
            assert (await http.get("/api/version")).status_code == 429
        read.set()
        await slow
        async with other.gate.slot(principal):
            assert (await http.get("/api/version")).status_code == 200


@pytest.mark.parametrize("tier", [Tier.FREE, Tier.UNLIMITED])
async def test_the_server_wide_safeguard_holds_for_everybody(
    services: Services, make_user: MakeUser, tier: Tier
) -> None:
    user, other_user = await make_user(tier=tier), await make_user(tier=Tier.UNLIMITED)
    async with another(services, limits_max_in_flight=1) as (app, other), client(app, user.key) as http:
        async with other.gate.slot(await principal_of(services, other_user)):
            refusal = await http.get("/api/version")
        assert refusal.status_code == 503
        assert refusal.json() == {"error": "Server busy", "retryAfterMs": 1000}
        assert refusal.headers["Retry-After"] == "1"
        assert (await http.get("/api/version")).status_code == 200


async def test_credits_over_http_are_shared_through_redis(services: Services, redis_url: str) -> None:
    _, key = await add_user(services, tier=Tier.FREE)
    async with (
        another(services, limits_storage=redis_url) as (one, _),
        another(services, limits_storage=redis_url) as (two, _),
        client(one, key) as here,
        client(two, key) as there,
    ):
        left = [numbers(await side.get("/api/keys"))[1] for side in (here, there, here, there)]
        assert left == [99, 98, 97, 96]
