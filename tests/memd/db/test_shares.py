"""Who may have how many connections of a pool, and who is next."""

import asyncio

import pytest

from memd.db.connections.shares import Shares


async def taken(shares: Shares, *callers: str | None) -> list[asyncio.Task[None]]:
    """A connection for each of these callers in their order; the tasks of those that wait are not done."""
    tasks = [asyncio.create_task(shares.take(caller, 60)) for caller in callers]
    await settled()
    return tasks


async def settled() -> None:
    """Let every task do what it can."""
    for _ in range(5):
        await asyncio.sleep(0)


def had(tasks: list[asyncio.Task[None]]) -> int:
    """How many of these were given a connection."""
    return sum(task.done() for task in tasks)


async def test_one_caller_gets_three_quarters_and_memd_itself_all() -> None:
    shares = Shares(12)
    assert had(await taken(shares, *["one"] * 12)) == 9
    assert had(await taken(Shares(12), *[None] * 12)) == 12


async def test_no_caller_gets_more_than_the_most_that_one_may_hold() -> None:
    shares = Shares(12, caller_max=4)
    one = await taken(shares, *["one"] * 12)
    assert had(one) == had(await taken(shares, *["two"] * 12)) == 4
    shares.give_back("one")
    await settled()
    assert had(one) == 5
    assert had(await taken(Shares(12, caller_max=4), *[None] * 12)) == 12


@pytest.mark.parametrize("callers", range(2, 11))
async def test_any_number_of_greedy_callers_leaves_one_to_the_next(callers: int) -> None:
    shares = Shares(12)
    for caller in range(callers):
        await taken(shares, *[str(caller)] * 12)
    assert had(await taken(shares, "next", "next")) == 1


async def test_who_holds_the_fewest_is_next() -> None:
    shares = Shares(12)
    one, two = await taken(shares, *["one"] * 12), await taken(shares, *["two"] * 12)
    for _ in range(4):
        shares.give_back("one")
    await settled()
    assert (had(one), had(two)) == (9, 5)


async def test_who_gives_up_or_waits_too_long_keeps_none() -> None:
    shares = Shares(4)
    tasks = await taken(shares, *["one"] * 5)
    with pytest.raises(TimeoutError):
        await shares.take("one", 0.001)
    tasks[3].cancel()
    shares.give_back("one")  # the fifth has its turn
    tasks[4].cancel()  # at the same moment
    await asyncio.gather(*tasks, return_exceptions=True)
    assert had(await taken(shares, *["one"] * 5)) == 1


async def test_a_small_pool_is_not_shared_out() -> None:
    assert had(await taken(Shares(3), *["one"] * 5)) == 5
