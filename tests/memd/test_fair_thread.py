"""A thread of its own: one piece of work at a time, each caller's in turn."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from memd.db.connections.fair_queue import CALLER
from memd.knowledge_bases.imports import page as import_page
from memd.knowledge_bases.imports import service as importing
from memd.memories import guard
from memd.off_loop import PIECE_CHARACTERS, FairThread
from tests.support.service import TestUser
from tests.support.wire import post


async def test_callers_take_turns_however_much_one_of_them_has() -> None:
    thread, release, done = FairThread(), threading.Event(), list[str]()

    async def work(caller: str, times: int) -> None:
        CALLER.set(caller)
        await asyncio.gather(*(thread.run(lambda: done.append(caller)) for _ in range(times)))

    async def first() -> None:
        await thread.run(lambda: release.wait(10))

    tasks = [asyncio.create_task(first())]
    await asyncio.sleep(0)
    tasks += [asyncio.create_task(work("greedy", 5)), asyncio.create_task(work("modest", 1))]
    await asyncio.sleep(0.01)
    release.set()
    await asyncio.gather(*tasks)
    assert "modest" in done[:2]
    assert done.count("greedy") == 5


async def test_who_is_cancelled_while_waiting_costs_nobody_a_turn() -> None:
    thread, release = FairThread(), threading.Event()
    running = asyncio.create_task(thread.run(lambda: release.wait(10)))
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(thread.run(lambda: "done")) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    waiting[1].cancel()
    release.set()
    assert await running is True
    assert await waiting[2] == "done"
    assert await thread.run(lambda: "again") == "again"


async def test_work_whose_caller_is_cancelled_still_runs_alone() -> None:
    thread, started, release, running = FairThread(), threading.Event(), threading.Event(), list[str]()

    def first() -> None:
        running.append("first")
        started.set()
        release.wait(10)
        running.remove("first")

    caller = asyncio.create_task(thread.run(first))
    await asyncio.to_thread(started.wait, 10)
    caller.cancel()
    await asyncio.wait([caller])
    second = asyncio.create_task(thread.run(lambda: list(running)))
    await asyncio.sleep(0.05)
    release.set()
    assert await second == [], "a thread cannot be stopped: the next one waits for it"


class Counted:
    """Counts how many threads run a function at a time."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._lock = threading.Lock()
        self._running = 0
        self.most = 0

    def __call__(self, *arguments: Any) -> Any:
        with self._lock:
            self._running += 1
            self.most = max(self.most, self._running)
        time.sleep(0.005)  # another thread would begin meanwhile
        try:
            return self._function(*arguments)
        finally:
            with self._lock:
                self._running -= 1


async def test_batches_and_imports_at_once_have_one_thread_and_not_all_that_others_need(
    user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, rows = Counted(guard.check_rules), Counted(import_page.draft_rows)
    monkeypatch.setattr(guard, "check_rules", rules)
    monkeypatch.setattr(importing, "draft_rows", rows)
    base = (await user.http.post("/api/knowledge-bases", json={"name": "Plant"})).json()["id"]

    async def write(number: int) -> None:
        texts = [f"Pump {number}-{row} runs at {row} bar." for row in range(20)]
        await post(user, "capture-batch", {"memories": [{"title": text, "content": text} for text in texts]})
        chunks = [{"content": text, "metadata": {"title": text}} for text in texts]
        stored = await user.http.post(f"/api/knowledge-bases/{base}/import", json={"chunks": chunks})
        assert stored.json()["importedCount"] == 20

    await asyncio.gather(*map(write, range(4)))
    assert (rules.most, rows.most) == (1, 1)


async def test_a_piece_of_a_batch_or_an_import_is_bounded_by_all_that_is_read_of_it(
    user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces: list[int] = []
    run = FairThread.run

    async def recorded(thread: FairThread, work: Any) -> Any:
        found = await run(thread, work)
        pieces.append(len(found))
        return found

    monkeypatch.setattr(FairThread, "run", recorded)
    note, tags = "The pump runs. " * 1_000, [f"{number} " + "x" * 60 for number in range(32)]
    rows = [{"title": "t", "content": f"Pump {number}", "metadata": {"note": note}} for number in range(20)]
    results = (await post(user, "capture-batch", {"memories": rows}))["results"]
    assert sum("id" in row for row in results) == 20
    assert pieces[0] == pieces[1] == -(-PIECE_CHARACTERS // len(note))

    pieces.clear()
    base = (await user.http.post("/api/knowledge-bases", json={"name": "Plant"})).json()["id"]
    chunks = [{"content": f"Pump {n}", "tags": tags, "metadata": {"title": "t"}} for n in range(120)]
    stored = await user.http.post(f"/api/knowledge-bases/{base}/import", json={"chunks": chunks})
    assert stored.json()["importedCount"] == 120
    assert pieces[0] * sum(map(len, tags)) <= PIECE_CHARACTERS
