"""The threads for long work: a caller with much of it leaves one to the others, also when it is cancelled."""

import asyncio
from threading import Semaphore

import pytest

from memd.db.connections.fair_queue import CALLER
from memd.off_loop import THREADS, in_thread
from tests.support.waiting import PATIENCE_S, until


class Held:
    """Work that a test holds, and who has begun it."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self._permits = Semaphore(0)

    def work(self, caller: str) -> str:
        self.begun.append(caller)
        assert self._permits.acquire(timeout=PATIENCE_S)
        return caller

    def let_go(self, count: int) -> None:
        self._permits.release(count)

    def start(self, caller: str) -> asyncio.Task[str]:
        CALLER.set(caller)
        return asyncio.create_task(in_thread(self.work, caller))


@pytest.mark.parametrize("is_cancelled", [False, True])
async def test_a_caller_with_much_long_work_leaves_a_thread_to_another(is_cancelled: bool) -> None:
    held = Held()
    greedy = [held.start("greedy") for _ in range(3 * THREADS)]
    await until(lambda: len(held.begun) == THREADS - 1)
    if is_cancelled:
        for task in greedy:
            task.cancel()
        await asyncio.wait(greedy)
        greedy = [held.start("greedy") for _ in range(3 * THREADS)]
    other = held.start("other")
    await until(lambda: "other" in held.begun)
    assert held.begun.count("greedy") == THREADS - 1

    held.let_go(7 * THREADS)
    assert await asyncio.gather(other, *greedy) == ["other", *["greedy"] * len(greedy)]
