"""Turns of a semaphore: one task of each caller after the other, however many a caller has waiting."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from memd.db.connections.fair_queue import CALLER
from memd.db.connections.fair_turns import FairTurns
from tests.support.waiting import PATIENCE_S, until


@asynccontextmanager
async def turn_of(turns: FairTurns) -> AsyncGenerator[None]:
    """A turn that lasts as long as the block."""
    await turns.take()
    try:
        yield
    finally:
        turns.give_back()


async def test_the_second_caller_does_not_wait_for_all_tasks_of_the_first() -> None:
    turns, served = FairTurns(1), list[str]()

    async def work(caller: str) -> None:
        CALLER.set(caller)
        async with turn_of(turns):
            served.append(caller)
            await asyncio.sleep(0)

    await asyncio.gather(*(asyncio.create_task(work(caller)) for caller in "aaaaaaabb"))
    assert "".join(served).startswith("aabab")
    assert sorted(served) == [*"aaaaaaabb"]


async def test_a_turn_of_a_cancelled_task_goes_to_the_next() -> None:
    turns, served = FairTurns(1), list[int]()

    async def work(number: int) -> None:
        async with turn_of(turns):
            served.append(number)
            await asyncio.sleep(0)

    tasks = [asyncio.create_task(work(number)) for number in range(5)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    tasks[2].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert served == [0, 3, 4]
    async with asyncio.timeout(1), turn_of(turns):
        served.append(5)


async def test_a_turn_that_a_task_was_given_when_it_was_cancelled_goes_to_the_next() -> None:
    turns = FairTurns(1)
    async with turn_of(turns):
        given = asyncio.create_task(turns.take())
        await asyncio.sleep(0)
    given.cancel()
    await asyncio.wait({given})
    async with asyncio.timeout(1), turn_of(turns):
        assert given.cancelled()


async def test_a_turn_lasts_as_long_as_the_thread_of_a_caller_that_has_left() -> None:
    turns, release, served = FairTurns(1), threading.Event(), list[str]()

    def held() -> None:
        served.append("held")
        release.wait(PATIENCE_S)

    with ThreadPoolExecutor(2) as pool:
        try:
            left = asyncio.create_task(turns.run(pool, held))
            await until(lambda: served == ["held"])
            left.cancel()
            await asyncio.wait({left})
            following = asyncio.create_task(turns.run(pool, served.append, "following"))
            await asyncio.sleep(0.05)
            assert served == ["held"]
            release.set()
            await asyncio.wait_for(following, PATIENCE_S)
        finally:
            release.set()
    assert left.cancelled()
    assert served == ["held", "following"]


async def test_a_turn_whose_work_never_began_goes_to_the_next() -> None:
    turns, release = FairTurns(1), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(release.wait, PATIENCE_S)
        left = asyncio.create_task(turns.run(pool, int))
        await asyncio.sleep(0.05)
        left.cancel()
        await asyncio.wait({left})
        async with asyncio.timeout(PATIENCE_S), turn_of(turns):
            release.set()
