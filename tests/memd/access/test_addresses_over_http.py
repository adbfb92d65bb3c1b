"""Contract 1.3 step 3 and 1.4: callers without a valid key draw from the bucket of their address."""

import pytest

from memd.context import Services
from memd.domain.types import Tier
from tests.support.limits import another, client, numbers
from tests.support.service import MakeUser


@pytest.mark.parametrize("path", ["/healthz", "/nowhere", "/api/device/status?device_code=x"])
async def test_without_a_key_the_headers_show_the_free_tier(services: Services, path: str) -> None:
    async with another(services) as (app, _), client(app, None) as visitor:
        reply = await visitor.get(path)
        assert numbers(reply) == (100, 100)
        assert reply.headers["X-Request-Id"].startswith("req_")
        assert int(reply.headers["X-RateLimit-Reset"]) * 1000 > services.clock()


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/nowhere", 404), ("DELETE", "/api/mcp/capture", 405), ("GET", "/mcp", 405)]
)
async def test_a_valid_key_sees_its_own_tier_where_no_endpoint_serves(
    services: Services, make_user: MakeUser, method: str, path: str, status: int
) -> None:
    user = await make_user(tier=Tier.PRO)
    async with another(services) as (app, _), client(app, user.key) as caller, client(app, "f" * 64) as guesser:
        await caller.get("/api/keys")
        reply = await caller.request(method, path)
        assert (reply.status_code, *numbers(reply)) == (status, 500, 499)
        assert numbers(await guesser.request(method, path)) == (100, 100)


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
