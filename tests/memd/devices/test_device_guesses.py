"""Contract 9.3, guesses: wrong user codes are counted by address, by user and in total, and all fail alike."""

import asyncio

import pytest

from memd.context import Services
from tests.memd.devices.test_device_flow import TEN_MINUTES, World
from tests.support.service import MakeUser, TestUser


@pytest.fixture
def world(services: Services) -> World:
    return World(services)


@pytest.mark.rule("9.3 guesses")
async def test_an_address_may_guess_five_times_a_minute(world: World, user: TestUser) -> None:
    replies = [await world.decide(user, "AAAA-AAAA") for _ in range(6)]
    assert [reply.status_code for reply in replies] == [404] * 5 + [429]
    assert replies[-1].json().keys() == {"error", "retryAfterMs"}
    assert "Retry-After" in replies[-1].headers


@pytest.mark.rule("9.3 guesses")
async def test_guesses_made_at_once_are_no_more_than_those_made_one_by_one(world: World, user: TestUser) -> None:
    replies = await asyncio.gather(*(world.decide(user, "AAAA-AAAA") for _ in range(12)))
    assert sorted(reply.status_code for reply in replies) == [404] * 5 + [429] * 7


async def test_right_codes_are_no_guesses(world: World, user: TestUser) -> None:
    for _ in range(7):
        codes = await world.start()
        assert (await world.decide(user, codes["user_code"])).status_code == 200


@pytest.mark.rule("9.3 guesses")
async def test_a_user_may_guess_twenty_times_an_hour(world: World, user: TestUser) -> None:
    statuses: list[int] = []
    for number in range(21):
        async with world.visitor(f"198.51.100.{number}", user.key) as person:
            statuses.append((await person.post("/api/device/approve", json={"user_code": "AAAA"})).status_code)
    assert statuses == [404] * 20 + [429]
    world.clock.now += 3_600_000
    assert (await world.decide(user, "AAAA")).status_code == 404


@pytest.mark.rule("9.3 guesses")
async def test_all_together_may_guess_a_hundred_times_a_minute(world: World, make_user: MakeUser) -> None:
    statuses: list[int] = []
    for person in range(6):
        user = await make_user()
        for number in range(17):
            async with world.visitor(f"198.51.{person}.{number}", user.key) as http:
                statuses.append((await http.post("/api/device/approve", json={"user_code": "AAAA"})).status_code)
    assert (statuses[:100], set(statuses[100:])) == ([404] * 100, {429})


@pytest.mark.rule("9.3 guesses", "9.3 POST /api/device/approve")
async def test_the_answer_never_tells_which_part_was_wrong(world: World, make_user: MakeUser) -> None:
    first, second = await make_user(), await make_user()
    over = await world.start()
    world.clock.now += TEN_MINUTES
    decided = await world.start()
    await world.decide(first, decided["user_code"])
    half = f"{(await world.start())['user_code'][:4]}-AAAA"
    codes = ("AAAA-AAAA", "no code at all", over["user_code"], decided["user_code"], half)
    replies = [await world.decide(second, code) for code in codes]
    assert {(reply.status_code, reply.text) for reply in replies} == {(404, '{"error":"Not found"}')}
