"""Contract 1.7 and 2.1 as clients see them: slots per tier, waiting, the last byte, the safeguard."""

import asyncio
from typing import Any

import pytest

from memd.context import Services
from memd.domain.types import Tier
from tests.support.limits import another, client, principal_of
from tests.support.service import HOST, MakeUser

AT_ONCE = [(Tier.FREE, 2), (Tier.STARTER, 5), (Tier.PRO, 10), (Tier.ULTRA, 50)]


@pytest.mark.parametrize(("tier", "slots"), AT_ONCE)
async def test_each_tier_has_its_places_and_the_next_one_waits(
    services: Services, make_user: MakeUser, tier: Tier, slots: int
) -> None:
    user = await make_user(tier=tier)
    async with another(services, limits_queue_wait_s=0) as (app, other), client(app, user.key) as http:
        principal = await principal_of(services, user)
        held = [other.rate_limiter.slot(principal) for _ in range(slots)]
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
        first, second = other.rate_limiter.slot(principal), other.rate_limiter.slot(principal)
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
        "headers": [(b"host", HOST.encode()), (b"authorization", f"Bearer {user.key}".encode())],
        "server": ("memd.test", 80),
        "client": ("192.0.2.1", 1),
    }
    async with another(services, limits_queue_wait_s=0) as (app, other), client(app, user.key) as http:
        slow = asyncio.ensure_future(app(scope, no_body, slow_reader))
        await sent.wait()
        principal = await principal_of(services, user)
        async with other.rate_limiter.slot(principal):
            assert (await http.get("/api/version")).status_code == 429
        read.set()
        await slow
        async with other.rate_limiter.slot(principal):
            assert (await http.get("/api/version")).status_code == 200


@pytest.mark.parametrize("tier", [Tier.FREE, Tier.UNLIMITED])
async def test_the_server_wide_safeguard_holds_for_everybody(
    services: Services, make_user: MakeUser, tier: Tier
) -> None:
    user, other_user = await make_user(tier=tier), await make_user(tier=Tier.UNLIMITED)
    async with another(services, limits_max_in_flight=1) as (app, other), client(app, user.key) as http:
        async with other.rate_limiter.slot(await principal_of(services, other_user)):
            refusal = await http.get("/api/version")
        assert refusal.status_code == 503
        assert refusal.json() == {"error": "Server busy", "retryAfterMs": 1000}
        assert refusal.headers["Retry-After"] == "1"
        assert (await http.get("/api/version")).status_code == 200
