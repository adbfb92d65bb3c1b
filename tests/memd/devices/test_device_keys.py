"""Contract 17.7: the key that a device gets: its label, its end, its addresses."""

import re
from typing import Any

import pytest

from memd.context import Services
from tests.memd.devices.test_device_flow import World
from tests.support.service import TestUser

DAY = 86_400_000


@pytest.fixture
def world(services: Services) -> World:
    return World(services)


async def device_key(world: World, codes: dict[str, Any]) -> dict[str, Any]:
    """The row of the key that the device got."""
    async with world.visitor("198.51.100.20", (await world.poll(codes)).json()["apiKey"]) as http:
        return next(row for row in (await http.get("/api/keys")).json()["keys"] if row["current"])


@pytest.mark.rule("17.7 devices")
@pytest.mark.parametrize(("days", "lasts"), [({}, 180), ({"days": 30}, 30), ({"days": 0}, None)])
async def test_the_key_of_a_device_has_its_name_and_ends(
    world: World, user: TestUser, days: dict[str, int], lasts: int | None
) -> None:
    codes = await world.start(clientName="Ann's laptop")
    await world.decide(user, codes["user_code"], **days)
    row = await device_key(world, codes)
    assert re.fullmatch(r"Device \d{4}-\d\d-\d\d: Ann's laptop", row["label"])
    assert row["expiresAt"] == (None if lasts is None else world.clock.now + lasts * DAY)
    assert row["createdBy"] == (await user.http.get("/api/mcp/auth")).json()["keyId"]


@pytest.mark.rule("17.7 devices")
async def test_the_key_of_a_device_has_the_end_and_the_addresses_of_its_approver(world: World, user: TestUser) -> None:
    end = world.clock.now + DAY
    fields = {"expiresAt": end, "allowedAddresses": ["198.51.100.0/24"]}
    approver = (await user.http.post("/api/keys", json=fields)).json()
    codes = await world.start()
    async with world.visitor("198.51.100.1", approver["apiKey"]) as person:
        await person.post("/api/device/approve", json={"user_code": codes["user_code"], "days": 0})
    row = await device_key(world, codes)
    assert (row["expiresAt"], row["allowedAddresses"]) == (end, ["198.51.100.0/24"])


async def test_a_key_that_was_revoked_after_approving_gives_the_device_nothing(world: World, user: TestUser) -> None:
    approver = (await user.http.post("/api/keys", json={})).json()
    codes = await world.start()
    async with world.visitor("198.51.100.1", approver["apiKey"]) as person:
        await person.post("/api/device/approve", json={"user_code": codes["user_code"]})
    await user.http.delete(f"/api/keys/{approver['id']}")
    assert (await world.poll(codes)).json() == {"status": "expired"}


@pytest.mark.rule("17.7 devices")
async def test_an_approver_whose_end_was_moved_up_gives_the_device_no_later_one(world: World, user: TestUser) -> None:
    approver = (await user.http.post("/api/keys", json={})).json()
    codes = await world.start()
    async with world.visitor("198.51.100.1", approver["apiKey"]) as person:
        await person.post("/api/device/approve", json={"user_code": codes["user_code"]})
    end = world.clock.now + DAY
    assert (await user.http.patch(f"/api/keys/{approver['id']}", json={"expiresAt": end})).status_code == 200
    assert (await device_key(world, codes))["expiresAt"] == end
