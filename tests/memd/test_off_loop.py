"""Long texts are read in threads: what one caller writes does not hold up the requests of others."""

import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any, cast

import pytest
import structlog

from memctl.wire.limits import CONTENT_MAX, MESSAGE_CONTENT_MAX
from memd.off_loop import FairThread, in_thread
from tests.support.service import TestUser
from tests.support.wire import capture, post

READERS = {"text_index", "recall_text", "text_score", "evaluate"}
"""Functions of the domain that read a whole text."""
TEXT = " ".join(f"The pump of unit {number} runs at {number * 7} bar." for number in range(2_000))
LONG = TEXT[:CONTENT_MAX].strip()


@contextmanager
def calls_on_this_thread(names: set[str]) -> Generator[list[tuple[str, int]]]:
    """The calls of these functions on the thread of the event loop, each with the length of its longest argument."""
    found: list[tuple[str, int]] = []

    def called(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_name in names:
            found.append((frame.f_code.co_name, max(map(characters, frame.f_locals.values()), default=0)))

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        yield found
    finally:
        sys.setprofile(before)


def characters(value: object) -> int:
    """Of a text, or of the longest one of a tuple."""
    if isinstance(value, tuple):
        return max(map(characters, cast("tuple[object, ...]", value)), default=0)
    return len(value) if isinstance(value, str) else 0


def read_at_length(calls: list[tuple[str, int]]) -> set[str]:
    return {name for name, length in calls if length > 10_000}


@pytest.mark.parametrize(
    "form", ["capture", "capture under a key", "metadata", "batch", "supersede", "update", "log", "turn"]
)
async def test_long_texts_are_read_off_the_event_loop(user: TestUser, form: str) -> None:
    old = await capture(user, content="The pump runs.")
    with calls_on_this_thread(READERS) as calls:
        await write(user, form, old)
    assert read_at_length(calls) == set()


async def write(user: TestUser, form: str, old: str) -> None:
    """Write a long text in one of the forms that a request may have."""
    match form:
        case "capture":
            await post(user, "capture", {"title": "Pumps", "content": LONG})
        case "capture under a key":
            await post(user, "capture", {"title": "Pumps", "content": LONG, "namespace": "plant", "key": "pumps"})
        case "metadata":
            await post(user, "capture", {"title": "Pumps", "content": "Pumps", "metadata": {"note": TEXT[:15_000]}})
        case "batch":
            rows = [{"title": f"Pumps {number}", "content": f"{number} {LONG[:40_000]}"} for number in range(3)]
            reply = await post(user, "capture-batch", {"memories": rows})
            assert all("id" in row for row in reply["results"])
        case "supersede":
            await post(user, "supersede", {"oldMemoryId": old, "title": "Pumps", "content": LONG})
        case "update":
            await post(user, "update", {"memoryId": old, "content": LONG})
        case "log":
            await post(user, "log", {"role": "user", "content": TEXT[:MESSAGE_CONTENT_MAX], "channel": "plant"})
        case _:
            turn = {"sessionKey": "s", "channel": "plant", "turnId": "t"}
            await post(user, "turn", {**turn, "userMessage": LONG, "assistantMessage": LONG})


@pytest.mark.parametrize("run", [in_thread, FairThread().run])
async def test_what_a_thread_logs_has_the_id_of_the_request(run: Callable[..., Awaitable[dict[str, Any]]]) -> None:
    with structlog.contextvars.bound_contextvars(requestId="req_1"):
        assert (await run(structlog.contextvars.get_contextvars))["requestId"] == "req_1"
