"""Contract 1.3 step 3 and 1.4: callers without a valid key draw from the bucket of their address."""

import asyncio
from contextlib import suppress

import pytest
from structlog.testing import capture_logs

from memd.access.authentication.authenticate import authenticate, look_up
from memd.access.authentication.principal import Principal
from memd.access.authentication.sign_ins import MAX_WAITING
from memd.accounts import service as accounts
from memd.accounts.new_keys import hash_key
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


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/api/device/status?device_code=x", "/device"])
async def test_a_valid_key_sees_its_own_tier_where_no_key_is_needed(
    services: Services, make_user: MakeUser, path: str
) -> None:
    """On every path (contract 1.4)."""
    user = await make_user(tier=Tier.PRO)
    async with another(services) as (app, _), client(app, user.key) as caller, client(app, "f" * 64) as guesser:
        await caller.get("/api/keys")
        reply = await caller.get(path)
        assert (reply.status_code, *numbers(reply)) == (200, 500, 499)
        assert numbers(await guesser.get(path)) == (100, 100)


async def test_liveness_does_not_wait_for_the_lookup_of_a_key(
    services: Services, make_user: MakeUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def find_never(*_arguments: object) -> None:
        await asyncio.Event().wait()

    user = await make_user(tier=Tier.PRO)
    async with another(services) as (app, _), client(app, user.key) as caller:
        monkeypatch.setattr(accounts, "find_caller", find_never)
        reply = await caller.get("/healthz")
        assert (reply.status_code, *numbers(reply)) == (200, 100, 100)


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
        assert (await other.rate_limiter.view_address(address)).remaining == 99


async def test_an_ipv6_network_of_one_customer_shares_a_bucket(services: Services) -> None:
    async with another(services) as (app, other):
        for number in range(3):
            async with client(app, "f" * 64, f"2001:db8:1:2::{number}") as guesser:
                assert (await guesser.get("/api/keys")).status_code == 401
        assert (await other.rate_limiter.view_address("2001:db8:1:2:ffff::1")).remaining == 97
        assert (await other.rate_limiter.view_address("2001:db8:1:3::1")).remaining == 100


def record_look_ups(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The hashes of the keys that are looked up in the database from now on."""
    looked_up: list[str] = []
    find = accounts.find_caller

    async def recorded(services: Services, key_hash: str, address: str | None) -> Principal | None:
        looked_up.append(key_hash)
        return await find(services, key_hash, address)

    monkeypatch.setattr(accounts, "find_caller", recorded)
    return looked_up


async def test_look_ups_that_are_given_up_delay_no_others(services: Services) -> None:
    """A response that needs no key waits only briefly for the lookup of a key that came with the request."""
    async with another(services) as (_, other):
        for number in range(100):
            with suppress(TimeoutError):
                async with asyncio.timeout(0):
                    await look_up(other, f"Bearer {number:064x}", "192.0.2.1")
        async with asyncio.timeout(4):  # a hundred turns take ten seconds
            await other.rate_limiter.sign_ins.wait_turn("192.0.2.1")


async def test_guesses_of_an_address_without_credits_are_spaced_out_before_the_database_is_asked(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up = record_look_ups(monkeypatch)
    async with another(services) as (app, other), client(app, None) as guesser:
        await asyncio.gather(*(other.rate_limiter.debit_address("192.0.2.1") for _ in range(100)))
        guesses = [guesser.get("/api/keys", headers={"Authorization": f"Bearer {n:064x}"}) for n in range(300)]
        replies = await asyncio.gather(*guesses)
    assert {reply.status_code for reply in replies} == {429}
    assert len(looked_up) <= MAX_WAITING


async def test_a_failed_sign_in_is_logged_with_its_address(services: Services) -> None:
    async with another(services) as (app, _), client(app, "e" * 64, "198.51.100.9") as guesser:
        with capture_logs() as logged:
            await guesser.get("/api/keys")
    assert [line["address"] for line in logged if line["event"] == "sign_in.failed"] == ["198.51.100.9"]
    assert "e" * 64 not in str(logged)


async def test_a_valid_key_costs_its_address_nothing(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    async with another(services) as (app, other), client(app, user.key) as http:
        for _ in range(3):
            assert (await http.get("/api/keys")).status_code == 200
        assert (await other.rate_limiter.view_address("192.0.2.1")).remaining == 100


async def test_simultaneous_first_calls_with_a_valid_key_share_a_lookup(
    services: Services, make_user: MakeUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None is refused, not even behind an address that has no credits left (contract 1.4)."""
    user = await make_user(tier=Tier.UNLIMITED)
    async with another(services) as (app, other), client(app, user.key) as http:
        await asyncio.gather(*(other.rate_limiter.debit_address("192.0.2.1") for _ in range(100)))
        key_hash = hash_key(user.key)
        looked_up = record_look_ups(monkeypatch)
        authorization = f"Bearer {user.key}"
        callers = await asyncio.gather(*(authenticate(other, authorization, "192.0.2.1") for _ in range(300)))
        assert {caller.user_id for caller in callers} == {user.id}
        assert looked_up == [key_hash]
        assert (await http.get("/api/keys")).status_code == 200


async def test_a_caller_who_leaves_does_not_end_the_lookup_of_others(services: Services, make_user: MakeUser) -> None:
    user = await make_user()
    async with another(services) as (_, other):
        first = asyncio.create_task(authenticate(other, f"Bearer {user.key}", "192.0.2.1"))
        second = asyncio.create_task(authenticate(other, f"Bearer {user.key}", "192.0.2.1"))
        await asyncio.sleep(0)
        first.cancel()
        assert (await second).user_id == user.id


@pytest.mark.parametrize("token", ["nonsense", "d" * 64])
async def test_an_address_without_credits_adds_no_lines_to_the_log(services: Services, token: str) -> None:
    async with another(services) as (app, _), client(app, token, "198.51.100.10") as guesser:
        with capture_logs() as logged:
            replies = [await guesser.get("/api/keys") for _ in range(103)]
    assert [reply.status_code for reply in replies] == [401] * 100 + [429] * 3
    assert len([line for line in logged if line["event"] == "sign_in.failed"]) == 100
