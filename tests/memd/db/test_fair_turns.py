"""Turns of a semaphore: one task of each caller after the other, however many a caller has waiting."""

import asyncio

from memd.db.fair_queue import CALLER
from memd.db.fair_turns import FairTurns


async def test_the_second_caller_does_not_wait_for_all_tasks_of_the_first() -> None:
    turns, served = FairTurns(1), list[str]()

    async def work(caller: str) -> None:
        CALLER.set(caller)
        async with turns:
            served.append(caller)
            await asyncio.sleep(0)

    await asyncio.gather(*(asyncio.create_task(work(caller)) for caller in "aaaaaaabb"))
    assert "".join(served).startswith("aabab")
    assert sorted(served) == [*"aaaaaaabb"]


async def test_a_turn_of_a_cancelled_task_goes_to_the_next() -> None:
    turns, served = FairTurns(1), list[int]()

    async def work(number: int) -> None:
        async with turns:
            served.append(number)
            await asyncio.sleep(0)

    tasks = [asyncio.create_task(work(number)) for number in range(5)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    tasks[2].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert served == [0, 3, 4]
    async with asyncio.timeout(1), turns:
        served.append(5)


async def test_a_turn_that_a_task_was_given_when_it_was_cancelled_goes_to_the_next() -> None:
    turns = FairTurns(1)
    async with turns:
        given = asyncio.create_task(turns.__aenter__())
        await asyncio.sleep(0)
    given.cancel()
    await asyncio.wait({given})
    async with asyncio.timeout(1), turns:
        assert given.cancelled()
