"""What a user said last is current in whatever order the jobs of the turns run (contract 11.6 row, 17.5)."""

from collections.abc import Sequence
from itertools import permutations
from typing import Final

import pytest

from memd.context import Services
from memd.extraction import service
from tests.memd.extraction.test_extraction import extracted, turn
from tests.support.jobs import context_of, done
from tests.support.service import TestUser
from tests.support.wire import memory, send

DAY_MS: Final = 86_400_000
LIVES: Final[tuple[str, ...]] = ("I live in Lisbon.", "I moved to Porto.", "I live in Lisbon.")


async def say(user: TestUser, services: Services, texts: Sequence[str], order: Sequence[int], *, apart: int) -> None:
    """Deliver a turn for each text, `apart` ms after the one before; their jobs run in this order, the graph's after each."""
    first = services.clock() - apart * len(texts)
    for index, text in enumerate(texts):
        await turn(user, f"t{index}", text, timestamp=first + apart * index)
    for index in order:
        await service.extract_turn(await context_of(services, user), f"t{index}")
        await done(services, user)


async def newest(user: TestUser) -> str:
    """The content of the only extracted memory that no open conflict names as the older one."""
    older = {row["oldId"] for row in (await send(user, "GET", "/api/conflicts"))["conflicts"]}
    (row,) = [row for row in await extracted(user) if row["id"] not in older]
    return row["content"]


@pytest.mark.rule("17.5 conflicts")
@pytest.mark.parametrize("apart", [200, 0])
@pytest.mark.parametrize("order", list(permutations(range(2))))
async def test_of_two_turns_the_later_one_is_current(
    user: TestUser, services: Services, order: tuple[int, ...], apart: int
) -> None:
    await say(user, services, LIVES[:2], order, apart=apart)
    assert "Porto" in await newest(user)
    found = await send(user, "POST", "/api/mcp/recall", {"query": "Where do I live?"})
    assert "Porto" in found["memories"][0]["content"]


@pytest.mark.rule("17.5 conflicts")
@pytest.mark.parametrize("apart", [200, 90 * DAY_MS], ids=["within a second", "imported"])
@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_what_was_said_again_last_is_current(
    user: TestUser, services: Services, order: tuple[int, ...], apart: int
) -> None:
    await say(user, services, LIVES, order, apart=apart)
    assert "Lisbon" in await newest(user)
    found = await send(user, "POST", "/api/mcp/recall", {"query": "Where do I live?"})
    assert "Lisbon" in found["memories"][0]["content"]


@pytest.mark.rule("17.5 supersede.mode")
async def test_what_was_said_in_between_ends_when_the_other_was_said_again(user: TestUser, services: Services) -> None:
    texts = ("I live in Lisbon.", "I live in Porto.", "I live in Lisbon.")
    await say(user, services, texts, (0, 2, 1), apart=DAY_MS)
    (conflict,) = (await send(user, "GET", "/api/conflicts"))["conflicts"]
    await send(user, "POST", f"/api/conflicts/{conflict['id']}", {"decision": "supersede"})
    between = await memory(user, conflict["oldId"])
    assert "Porto" in between["content"]
    assert between["validUntil"] - between["createdAt"] == DAY_MS


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("order", list(permutations(range(2))))
async def test_a_correction_holds_even_if_its_job_runs_first(
    user: TestUser, services: Services, order: tuple[int, ...]
) -> None:
    texts = ("Our launch is planned for 6 July in Hall 4.", "Sorry, I meant 16 July.")
    await say(user, services, texts, order, apart=200)
    (row,) = await extracted(user)
    assert "16 July" in row["content"]


@pytest.mark.rule("17.5 conflicts")
async def test_what_was_said_again_is_current_even_if_a_later_turn_was_extracted_first(
    user: TestUser, services: Services
) -> None:
    texts = (*LIVES, "My sister Ann works as a nurse.")
    first = services.clock() - 1_000 * len(texts)
    for index, text in enumerate(texts):
        await turn(user, f"t{index}", text, timestamp=first + 1_000 * index, sessionKey=f"s{index}")
    for index in (0, 1, 3, 2):
        await service.extract_turn(await context_of(services, user), f"t{index}")
        await done(services, user)
    found = await send(user, "POST", "/api/mcp/recall", {"query": "Where do I live?"})
    assert "Lisbon" in found["memories"][0]["content"]
