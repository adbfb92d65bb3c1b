"""Rows with long texts are compared with the words of a query off the event loop: other requests do not wait for it."""

import threading
from typing import Any

import pytest

from memd.recall import chunk_lane, memory_lanes
from tests.support.service import TestUser
from tests.support.wire import capture, chunk, fill, make_base, post

LONG = "The boiler is in room 4. " * 400


@pytest.mark.rule("11.2 keyword")
async def test_long_rows_are_compared_off_the_event_loop(user: TestUser, monkeypatch: pytest.MonkeyPatch) -> None:
    await capture(user, title="Boiler", content=LONG)
    base = await make_base(user)
    await fill(user, base, chunk(LONG))
    threads = dict[str, set[threading.Thread]]()

    def record(lane: Any, name: str) -> None:
        match = lane.memory_match

        def recorded(*arguments: Any) -> float:
            threads.setdefault(name, set()).add(threading.current_thread())
            return match(*arguments)

        monkeypatch.setattr(lane, "memory_match", recorded)

    record(memory_lanes, "memories")
    record(chunk_lane, "chunks")
    await post(user, "recall", {"query": "Where is the boiler?"})
    assert threads.keys() == {"memories", "chunks"}
    threads["query"] = threads.pop("chunks")
    await post(user, f"/api/knowledge-bases/{base}/query", {"query": "Where is the boiler?"})
    assert threads.keys() == {"memories", "query", "chunks"}
    assert threading.current_thread() not in set.union(*threads.values())
