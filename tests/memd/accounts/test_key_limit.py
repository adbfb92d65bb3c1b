"""The keys of a user are bounded: every change of one reads them all, and the list of keys has no pages."""

from typing import Any
from uuid import UUID

import pytest

from memd.accounts.keys.service import MAX_KEYS
from memd.context import Services
from memd.domain.ids import decode
from tests.memd.accounts.test_keys import own_key
from tests.memd.devices.test_device_flow import World
from tests.support.service import TestUser

TOO_MANY = {"error": "Too many keys"}


async def add_keys(services: Services, user: TestUser, *, live: int = 0, ended: int = 0) -> None:
    """Add keys that were made by nobody, older than any that a test makes."""
    async with services.database.system() as session:
        await session.execute(
            "INSERT INTO api_key (user_id, id, key_hash, scopes, created_at, active, allowed_addresses) "
            "SELECT %(user)s, lpad(to_hex(n), 32, '0')::uuid, %(user)s::text || n, '{read}', n, n > %(ended)s, '{}' "
            "FROM generate_series(1, %(all)s::int) n",
            {"user": user.id, "ended": ended, "all": live + ended},
        )


async def make(user: TestUser, status: int = 201) -> dict[str, Any]:
    reply = await user.http.post("/api/keys", json={})
    assert reply.status_code == status
    return reply.json()


async def listed(user: TestUser) -> list[dict[str, Any]]:
    return (await user.http.get("/api/keys")).json()["keys"]


async def test_a_user_has_at_most_a_thousand_live_keys(services: Services, user: TestUser) -> None:
    await add_keys(services, user, live=MAX_KEYS - 2)
    last = await make(user)
    assert await make(user, status=409) == TOO_MANY
    await user.http.delete(f"/api/keys/{last['id']}")
    await make(user)
    assert len(await listed(user)) == MAX_KEYS


async def test_the_oldest_ended_keys_are_forgotten(services: Services, user: TestUser) -> None:
    await add_keys(services, user, ended=MAX_KEYS + 3)
    made = await make(user)
    keys = await listed(user)
    assert len(keys) == MAX_KEYS
    assert [decode("key", key["id"]) for key in keys[:2]] == [UUID(int=6), UUID(int=7)]
    assert [key["id"] for key in keys if key["active"]] == [await own_key(user), made["id"]]


async def test_an_ended_key_stays_while_a_key_that_it_made_is_live(services: Services, user: TestUser) -> None:
    await add_keys(services, user, live=MAX_KEYS - 3)
    ended = await make(user)
    child = await make(user)
    await user.http.delete(f"/api/keys/{ended['id']}")
    async with services.database.system() as session:
        await session.execute(
            "UPDATE api_key SET created_by = %(maker)s WHERE id = %(id)s",
            {"maker": decode("key", ended["id"]), "id": decode("key", child["id"])},
        )
    assert await make(user, status=409) == TOO_MANY
    reply = await user.http.delete(f"/api/keys/{ended['id']}?descendants=true")
    assert reply.json()["revoked"] == [child["id"]]
    await make(user)


@pytest.mark.parametrize(("decision", "status"), [("approve", 409), ("deny", 200)])
async def test_no_device_is_approved_beyond_them(
    services: Services, user: TestUser, decision: str, status: int
) -> None:
    codes = await World(services).start()
    await add_keys(services, user, live=MAX_KEYS - 1)
    fields = {"user_code": codes["user_code"], "decision": decision}
    reply = await user.http.post("/api/device/approve", json=fields)
    assert (reply.status_code, status == 409) == (status, reply.json() == TOO_MANY)
