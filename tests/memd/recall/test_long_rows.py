"""Rows with long texts are compared with the words of a query off the event loop: other requests do not wait for it."""

import threading
from typing import Any

import pytest

from memd.recall import chunk_lane, memory_lanes
from tests.support.service import TestUser
from tests.support.wire import capture, chunk, fill, make_base, post

LONG = "The boiler is in room 4. " * 400


Threads = dict[str, set[threading.Thread]]


def record(monkeypatch: pytest.MonkeyPatch, lane: Any, threads: Threads, name: str) -> None:
    """Note the threads in which the lane compares rows with a query."""
    match = lane.memory_match

    def recorded(*arguments: Any) -> float:
        threads.setdefault(name, set()).add(threading.current_thread())
        return match(*arguments)

    monkeypatch.setattr(lane, "memory_match", recorded)


@pytest.mark.rule("11.2 keyword")
async def test_long_rows_are_compared_off_the_event_loop(user: TestUser, monkeypatch: pytest.MonkeyPatch) -> None:
    await capture(user, title="Boiler", content=LONG)
    base = await make_base(user)
    await fill(user, base, chunk(LONG))
    threads = Threads()
    record(monkeypatch, memory_lanes, threads, "memories")
    record(monkeypatch, chunk_lane, threads, "chunks")
    await post(user, "recall", {"query": "Where is the boiler?"})
    assert threads.keys() == {"memories", "chunks"}
    threads["query"] = threads.pop("chunks")
    await post(user, f"/api/knowledge-bases/{base}/query", {"query": "Where is the boiler?"})
    assert threads.keys() == {"memories", "query", "chunks"}
    assert threading.current_thread() not in set.union(*threads.values())


@pytest.mark.rule("11.2 keyword")
async def test_many_rows_of_some_length_are_compared_off_the_event_loop(
    user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Repeated letters make each comparison slow: a few hundred rows of 3,900 characters took a quarter of a second."""
    rows = [{"title": f"Boiler {number}", "content": f"{number} {LONG[:3_900]}"} for number in range(40)]
    await post(user, "capture-batch", {"memories": rows})
    threads = Threads()
    record(monkeypatch, memory_lanes, threads, "memories")
    await post(user, "recall", {"query": "Where is the boiler?"})
    assert threading.current_thread() not in threads["memories"]
