"""Contract 2.2 and 1.4 as clients see them: credits in headers, the 429, what requests and imports cost."""

import json

import pytest
from starlette.types import ASGIApp
from structlog.testing import capture_logs

from memd.context import Services
from memd.domain.types import KeyScope, Policy, Tier
from tests.support.limits import another, client, numbers, spend
from tests.support.service import MakeUser, add_user

PER_MINUTE = [(Tier.FREE, 100), (Tier.STARTER, 250), (Tier.PRO, 500), (Tier.ULTRA, 2000), (Tier.UNLIMITED, None)]


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


async def test_the_log_warns_once_in_a_window(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    await spend(services, user, 88)
    with capture_logs() as logged:
        for _ in range(8):
            await user.http.get("/api/keys")
    assert [entry["event"] for entry in logged].count("credits.warning") == 1


async def test_all_keys_of_a_user_share_one_pool(make_user: MakeUser, app: ASGIApp) -> None:
    user = await make_user(tier=Tier.FREE)
    made = (await user.http.post("/api/keys", json={"label": "second"})).json()
    async with client(app, made["apiKey"]) as second:
        assert numbers(await second.get("/api/keys")) == (100, 98)


@pytest.mark.rule("6.0 import, bulk-insert")
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


@pytest.mark.rule("9.1 rate-limit-check")
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
