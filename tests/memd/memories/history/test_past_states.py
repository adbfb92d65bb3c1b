"""Any sequence of writes, supersessions, restores and undos: the state as of each past instant is the recorded one."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from memd.context import Services
from memd.domain.types import Policy
from tests.support.service import MakeUser, TestUser
from tests.support.wire import post, send

SHOWN = ("id", "title", "content", "tags", "metadata", "strength", "channel", "validFrom", "validUntil")


async def state(user: TestUser, **query: Any) -> list[dict[str, Any]]:
    rows = (await send(user, "GET", "/api/memories", pageSize=200, **query))["memories"]
    return [{name: row.get(name) for name in SHOWN} for row in rows]


async def tick(services: Services) -> int:
    """The present moment, which no later write shares."""
    moment = services.clock()
    while services.clock() <= moment:  # noqa: ASYNC110 - the clock is what is waited for
        await asyncio.sleep(0.001)
    return moment


async def step(user: TestUser, random: Random, known: list[str], number: int) -> None:
    """One random write; refusals are part of life."""
    text = f"Fact {number} about {random.choice('abc')}."
    one = random.choice(known) if known else ""
    kinds = ["capture", "capture", "update", "update", "supersede", "forget", "restore", "undo", "reflect"]
    match random.choice(kinds):
        case "reflect":
            await post(user, "reflect")
        case "update" if known:
            await user.http.post("/api/mcp/update", json={"memoryId": one, "content": text, "tags": [f"t{number}"]})
        case "supersede" if known:
            body = {"oldMemoryId": one, "title": text, "content": text}
            reply = await user.http.post("/api/mcp/supersede", json=body)
            known += [reply.json()["id"]] if reply.status_code == 200 else []
        case "forget" if known:
            await post(user, "forget", {"memoryId": one})
        case "restore" if known:
            body = {"version": random.randint(1, 3)} if random.random() < 0.5 else {}
            await user.http.post(f"/api/memories/{one}/restore", json=body)
        case "undo" if known:
            await post(user, "/api/undo")
        case _:
            row = {"title": text, "content": text, "metadata": {"n": number, "x": 1.50}, "strength": random.random()}
            known.append((await post(user, "capture", row))["id"])


async def check_past_states(services: Services, user: TestUser, seed: int, steps: int) -> None:
    """Random writes; the export as of each instant between them is the one that was made then."""
    random, known = Random(seed), list[str]()
    recorded: list[tuple[int, list[dict[str, Any]]]] = []
    for number in range(steps):
        await step(user, random, known, number)
        seen = await state(user)
        recorded.append((await tick(services), seen))
    for moment, seen in recorded:
        assert await state(user, asOf=moment) == seen, f"seed {seed}"


@pytest.mark.long_form
@pytest.mark.rule("17.5 asOf", "17.5 history", "17.5 undo", "17.5 restore")
async def test_the_export_as_of_each_instant_is_the_one_recorded_then(
    services: Services, make_user: MakeUser, of_size: Callable[[int, int], int]
) -> None:
    for seed in range(of_size(3, 100)):
        user = await make_user(policy=Policy.SELF_HOSTED_UNMETERED)
        await check_past_states(services, user, seed, steps=of_size(25, 40))
