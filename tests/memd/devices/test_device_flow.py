"""Contract 9.3: a device without a key gets one after a person approved it; the six ways it may end."""

import asyncio
import re
from dataclasses import replace
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from memd.access.rate_limits.limits import local_limits
from memd.access.rate_limits.rate_limiter import RateLimiter
from memd.app import build
from memd.context import Services
from memd.devices.attempts import Attempts
from memd.domain.types import KeyScope, Tier
from tests.memd.accounts.test_keys import actions
from tests.support.dict_rows import dict_rows
from tests.support.service import BASE, MakeUser, TestUser

TEN_MINUTES = 600_000
USER_CODE = re.compile(r"[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}")


class Clock:
    """A clock that the test moves."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


class World:
    """The service with counters and a clock of its own, and a device and a person who use it."""

    def __init__(self, services: Services) -> None:
        self.clock = Clock(services.clock())
        rate_limiter = RateLimiter(local_limits(services.settings, self.clock), self.clock)
        self.services = replace(
            services, rate_limiter=rate_limiter, attempts=Attempts(rate_limiter.ledgers), clock=self.clock
        )
        self.app = build(self.services)
        self.device = self.visitor("198.51.100.20")

    def visitor(self, address: str, key: str | None = None) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        transport = httpx.ASGITransport(self.app, client=(address, 1))
        return httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers)

    async def start(self, **fields: Any) -> dict[str, Any]:
        reply = await self.device.post("/api/device/start", json=fields)
        assert reply.status_code == 200, reply.text
        return reply.json()

    async def poll(self, codes: dict[str, Any]) -> httpx.Response:
        return await self.device.get("/api/device/status", params={"device_code": codes["device_code"]})

    async def decide(self, user: TestUser, user_code: str, **fields: Any) -> httpx.Response:
        async with self.visitor("198.51.100.1", user.key) as person:
            return await person.post("/api/device/approve", json={"user_code": user_code, **fields})


@pytest.fixture
def world(services: Services) -> World:
    return World(services)


@pytest.mark.rule("9.3 POST /api/device/start")
async def test_start_tells_both_codes_and_where_to_go(world: World) -> None:
    codes = await world.start(clientName="laptop")
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", codes["device_code"])
    assert USER_CODE.fullmatch(codes["user_code"])
    assert codes["verification_uri"] == f"{BASE}/device"
    assert codes["verification_uri_complete"] == f"{BASE}/device?user_code={codes['user_code']}"
    assert codes["verification_url"] == codes["verification_uri_complete"]
    assert (codes["expires_in"], codes["interval"]) == (600, 5)


async def test_the_public_address_comes_from_the_settings(services: Services) -> None:
    world = World(replace(services, settings=services.settings.model_copy(update={"base_url": "https://m.example/x/"})))
    assert (await world.start())["verification_uri"] == "https://m.example/x/device"


@pytest.mark.rule("9.3 POST /api/device/start")
@pytest.mark.parametrize(("name", "status"), [("x" * 60, 200), ("x" * 61, 400), (5, 400), (None, 200)])
async def test_a_client_name_has_at_most_sixty_characters(world: World, name: Any, status: int) -> None:
    assert (await world.device.post("/api/device/start", json={"clientName": name})).status_code == status


@pytest.mark.rule("9.3 GET /api/device/status", "9.3 key", "9.3 POST /api/device/approve")
async def test_ending_complete_the_key_is_shown_once_and_works(
    services: Services, world: World, make_user: MakeUser
) -> None:
    user, codes = await make_user(tier=Tier.FREE), await world.start()
    assert (await world.poll(codes)).json() == {"status": "pending", "interval": 5}
    assert (await world.decide(user, codes["user_code"])).json() == {"ok": True, "status": "complete"}
    answer = (await world.poll(codes)).json()
    assert answer.keys() == {"status", "apiKey"}
    async with world.visitor("198.51.100.20", answer["apiKey"]) as http:
        who = (await http.get("/api/mcp/auth")).json()
        row = next(row for row in (await http.get("/api/keys")).json()["keys"] if row["current"])
    assert (who["scopes"], who["keyId"]) == (["read", "write"], row["id"])
    assert re.fullmatch(r"Device \d{4}-\d\d-\d\d", row["label"])
    assert [each[0] for each in await actions(services, user)] == ["device.approve", "key.create"]


@pytest.mark.rule("9.3 GET /api/device/status", "9.3 key")
async def test_ending_used_twice_is_expired(world: World, user: TestUser) -> None:
    codes = await world.start()
    await world.decide(user, codes["user_code"])
    assert (await world.poll(codes)).json()["status"] == "complete"
    assert (await world.poll(codes)).json() == {"status": "expired"}


@pytest.mark.rule("9.3 GET /api/device/status", "9.3 POST /api/device/approve")
async def test_ending_denied(world: World, user: TestUser) -> None:
    codes = await world.start()
    decided = await world.decide(user, codes["user_code"], decision="deny")
    assert decided.json() == {"ok": True, "status": "denied"}
    assert [(await world.poll(codes)).json() for _ in range(2)] == [{"status": "denied"}] * 2
    assert len((await user.http.get("/api/keys")).json()["keys"]) == 1


@pytest.mark.rule("9.3 GET /api/device/status", "9.3 POST /api/device/approve")
@pytest.mark.parametrize("approved", [False, True])
async def test_ending_expired_after_ten_minutes(world: World, user: TestUser, approved: bool) -> None:
    codes = await world.start()
    if approved:
        await world.decide(user, codes["user_code"])
    world.clock.now += TEN_MINUTES
    assert (await world.poll(codes)).json() == {"status": "expired"}
    assert (await world.decide(user, codes["user_code"])).status_code == 404


@pytest.mark.rule("9.3 polls")
async def test_ending_slow_down_names_the_wait_and_a_longer_interval(world: World) -> None:
    codes = await world.start()
    for _ in range(10):
        assert (await world.poll(codes)).status_code == 200
    refused = await world.poll(codes)
    assert refused.status_code == 429
    assert refused.json() == {
        "error": "Rate limit exceeded",
        "retryAfterMs": 5000,
        "code": "slow_down",
        "status": "pending",
        "retry_after": 5,
        "interval": 10,
    }
    assert refused.headers["Retry-After"] == "5"
    world.clock.now += 5_000
    assert (await world.poll(codes)).json() == {"status": "pending", "interval": 10}
    assert (await world.poll(codes)).status_code == 429


@pytest.mark.rule("9.3 polls")
async def test_an_interval_of_five_seconds_never_fails(world: World) -> None:
    codes = await world.start()
    for _ in range(119):
        world.clock.now += 5_000
        assert (await world.poll(codes)).json() == {"status": "pending", "interval": 5}


@pytest.mark.rule("9.3 polls")
async def test_a_clock_that_is_set_back_refuses_no_device(world: World) -> None:
    codes = await world.start()
    assert (await world.poll(codes)).status_code == 200
    world.clock.now -= 3_600_000
    assert (await world.poll(codes)).json() == {"status": "pending", "interval": 5}


@pytest.mark.rule("9.3 key")
async def test_ending_of_twenty_parallel_polls_is_one_key(world: World, user: TestUser) -> None:
    codes = await world.start()
    await world.decide(user, codes["user_code"])
    replies = await asyncio.gather(*(world.poll(codes) for _ in range(20)))
    statuses = [reply.json()["status"] for reply in replies]
    assert sum("apiKey" in reply.json() for reply in replies) == 1
    assert statuses.count("complete") == 1
    assert len((await user.http.get("/api/keys")).json()["keys"]) == 2


@pytest.mark.rule("9.3 GET /api/device/status")
@pytest.mark.parametrize(
    ("params", "status", "body"),
    [
        ({}, 400, {"error": "Bad request", "details": "Missing required field: device_code"}),
        ({"device_code": ""}, 400, {"error": "Bad request", "details": "Missing required field: device_code"}),
        ({"device_code": "unknown"}, 200, {"status": "expired"}),
    ],
)
async def test_codes_that_are_absent_or_unknown(
    world: World, params: dict[str, str], status: int, body: dict[str, str]
) -> None:
    reply = await world.device.get("/api/device/status", params=params)
    assert (reply.status_code, reply.json()) == (status, body)


@pytest.mark.parametrize(
    "form", [str.lower, lambda code: code.replace("-", ""), lambda code: f" {code[:4]} {code[5:]} "]
)
async def test_the_user_code_may_be_typed_loosely(world: World, user: TestUser, form: Any) -> None:
    codes = await world.start()
    assert (await world.decide(user, form(codes["user_code"]))).status_code == 200


async def test_a_decided_request_cannot_be_decided_again(world: World, make_user: MakeUser) -> None:
    first, second = await make_user(), await make_user()
    codes = await world.start()
    await world.decide(first, codes["user_code"])
    again = await world.decide(second, codes["user_code"], decision="deny")
    assert (again.status_code, again.json()) == (404, {"error": "Not found"})
    assert "apiKey" in (await world.poll(codes)).json()


@pytest.mark.rule("9.3 POST /api/device/approve")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({}, "Missing required field: user_code"),
        ({"user_code": "x", "decision": "maybe"}, "Field decision must be one of: approve, deny"),
    ],
)
async def test_wrong_fields_of_a_decision_are_named(user: TestUser, fields: dict[str, str], details: str) -> None:
    reply = await user.http.post("/api/device/approve", json=fields)
    assert (reply.status_code, reply.json()["details"]) == (400, details)


@pytest.mark.rule("9.3 POST /api/device/approve")
async def test_a_key_that_may_not_write_approves_nothing(world: World, make_user: MakeUser) -> None:
    reader, codes = await make_user(scopes=(KeyScope.READ,)), await world.start()
    assert (await world.decide(reader, codes["user_code"])).status_code == 403
    assert (await world.poll(codes)).json()["status"] == "pending"


@pytest.mark.rule("9.3 key")
async def test_the_device_gets_no_more_than_its_approver_has(world: World, make_user: MakeUser) -> None:
    writer, codes = await make_user(scopes=(KeyScope.WRITE,)), await world.start()
    await world.decide(writer, codes["user_code"])
    key = (await world.poll(codes)).json()["apiKey"]
    async with world.visitor("198.51.100.20", key) as http:
        assert (await http.get("/api/keys")).status_code == 403
        assert (await http.post("/api/keys", json={})).json()["scopes"] == ["write"]


async def test_the_device_of_a_user_who_became_inactive_gets_no_key(
    world: World, make_user: MakeUser, app: ASGIApp
) -> None:
    admin, user = await make_user(admin=True, scopes=tuple(KeyScope)), await make_user()
    who = (await user.http.get("/api/mcp/auth")).json()["userId"]
    codes = await world.start()
    await world.decide(user, codes["user_code"])
    await admin.http.patch(f"/api/admin/users/{who}", json={"active": False})
    assert (await world.poll(codes)).json() == {"status": "expired"}


@pytest.mark.rule("9.3 start limit")
async def test_an_address_may_start_ten_in_a_minute(world: World) -> None:
    statuses = [(await world.device.post("/api/device/start")).status_code for _ in range(11)]
    assert statuses == [200] * 10 + [429]
    async with world.visitor("198.51.100.21") as other:
        assert (await other.post("/api/device/start")).status_code == 200
    world.clock.now += 60_000
    assert (await world.device.post("/api/device/start")).status_code == 200


async def test_requests_that_are_over_are_forgotten(services: Services, world: World) -> None:
    codes = await world.start()
    world.clock.now += TEN_MINUTES
    await world.start()
    async with services.database.system() as session:
        rows = await dict_rows(session, "SELECT expires_at FROM device_request")
    assert all(row["expires_at"] > world.clock.now for row in rows)
    assert (await world.poll(codes)).json() == {"status": "expired"}


@pytest.mark.rule("9.3 POST /api/device/start")
async def test_only_hashes_are_in_the_database(services: Services, world: World, user: TestUser) -> None:
    codes = await world.start(clientName="laptop")
    async with services.database.system() as session:
        stored = str(await dict_rows(session, "SELECT * FROM device_request"))
    for secret in (codes["device_code"], codes["user_code"], codes["user_code"].replace("-", "")):
        assert secret not in stored
