"""Contract 1.6: a key that was ended, replaced or lost its user lets nobody in, in whatever process it was used before."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import uuid4

import httpx
import pytest

from memd.access.authentication.principal import Principal
from memd.accounts.principal_cache import MAX_ENTRIES, TTL_S, PrincipalCache
from memd.app import build
from memd.context import Services
from memd.domain.accounts.credits import allowance_for
from memd.domain.ids import encode
from memd.domain.types import KeyScope, Policy, Tier
from tests.support.service import BASE, MakeUser, TestUser

POLICY = Policy.SELF_HOSTED_UNMETERED
SOMEBODY = Principal(
    user_id=uuid4(),
    key_id=uuid4(),
    key_label=None,
    scopes=frozenset(KeyScope),
    tier=Tier.UNLIMITED,
    policy=POLICY,
    admin=False,
    allowance=allowance_for(POLICY),
)


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_a_principal_is_cached_for_a_quarter_of_a_second_from_its_lookup() -> None:
    clock = Clock()
    principals = PrincipalCache(clock)
    since = principals.moment()
    clock.seconds += 0.1
    principals.put("hash", SOMEBODY, since, None)
    clock.seconds += 0.149
    assert principals.get("hash", 0) == SOMEBODY
    clock.seconds += 0.002
    assert principals.get("hash", 0) is None


def test_a_key_that_expires_meanwhile_is_not_served_from_the_cache() -> None:
    principals = PrincipalCache(Clock())
    principals.put("hash", SOMEBODY, principals.moment(), expires_at=5_000)
    assert [principals.get("hash", now) for now in (4_999, 5_000)] == [SOMEBODY, None]


def test_only_so_many_are_kept_and_the_old_ones_make_room() -> None:
    clock = Clock()
    principals = PrincipalCache(clock)
    for number in range(MAX_ENTRIES + 1):
        principals.put(str(number), SOMEBODY, principals.moment(), None)
    assert [principals.get(str(number), 0) is not None for number in (0, MAX_ENTRIES - 1, MAX_ENTRIES)] == [
        True,
        True,
        False,
    ]
    clock.seconds += TTL_S
    principals.put("later", SOMEBODY, principals.moment(), None)
    assert principals.get("later", 0) == SOMEBODY


class Replica:
    """Another process on the same database: all that it keeps for itself is its own."""

    def __init__(self, services: Services) -> None:
        self._app = build(replace(services, principals=PrincipalCache()))

    async def ask(self, key: str) -> int:
        """The status of a read with this key."""
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(self._app), base_url=BASE, headers=headers) as http:
            return (await http.get("/api/keys")).status_code


Ends = Callable[[TestUser, TestUser, str], Awaitable[httpx.Response]]


async def revoke(user: TestUser, _admin: TestUser, key_id: str) -> httpx.Response:
    return await user.http.delete(f"/api/keys/{key_id}")


async def rotate(user: TestUser, _admin: TestUser, key_id: str) -> httpx.Response:
    return await user.http.post(f"/api/keys/{key_id}/rotate")


async def deactivate(user: TestUser, admin: TestUser, _key_id: str) -> httpx.Response:
    return await admin.http.patch(f"/api/admin/users/{encode('usr', user.id)}", json={"active": False})


@pytest.mark.parametrize("end", [revoke, rotate, deactivate])
async def test_once_a_key_is_ended_no_process_lets_it_in(services: Services, make_user: MakeUser, end: Ends) -> None:
    user, admin = await make_user(), await make_user(admin=True, scopes=tuple(KeyScope))
    made = (await user.http.post("/api/keys", json={})).json()
    replica = Replica(services)

    async def use_until_refused() -> None:
        while await replica.ask(made["apiKey"]) == 200:
            pass

    using = asyncio.create_task(use_until_refused())
    await asyncio.sleep(0.05)
    assert (await end(user, admin, made["id"])).status_code == 200
    assert await replica.ask(made["apiKey"]) == 401
    await using
