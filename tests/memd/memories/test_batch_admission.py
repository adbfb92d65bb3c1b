"""A batch whose text would not be read in time is refused at once; one that is accepted is stored page by page."""

from collections.abc import Generator, Hashable
from contextlib import contextmanager
from typing import Any

import pytest

from memd.context import Services
from memd.db.connections.fair_queue import CALLER
from memd.domain.types import Tier
from memd.errors import ServerBusy
from memd.memories.batches import service as batching
from memd.memories.batches.admission import BATCHES, MAX_CHARACTERS, BatchAdmission
from tests.support.service import MakeUser, TestUser
from tests.support.wire import post

ROWS = {"memories": [{"title": "Valve", "content": "The valve opens at 4 bar."}]}


@contextmanager
def called_by(caller: Hashable) -> Generator[None]:
    token = CALLER.set(caller)
    try:
        yield
    finally:
        CALLER.reset(token)


def test_more_text_than_is_read_in_time_is_refused_until_the_batches_before_it_are_done() -> None:
    batches = BatchAdmission()
    with batches.admitted(MAX_CHARACTERS - 10):
        with batches.admitted(10), pytest.raises(ServerBusy) as refused, batches.admitted(1):
            pass
        with batches.admitted(10):
            pass
    assert refused.value.fields["retryAfterMs"] == 20_000
    assert refused.value.headers["Retry-After"] == "20"


def test_the_first_batch_of_a_caller_is_accepted_whatever_others_have_in_work() -> None:
    batches = BatchAdmission()
    with batches.admitted(4 * MAX_CHARACTERS), called_by("another"):
        with batches.admitted(2 * MAX_CHARACTERS), pytest.raises(ServerBusy), batches.admitted(1):
            pass
        with batches.admitted(1):
            pass


@pytest.mark.rule("17.2 capture-batch: pages")
async def test_a_refused_batch_names_the_wait_and_stores_nothing(make_user: MakeUser) -> None:
    greedy, other = await make_user(), await make_user()
    with called_by(greedy.id), BATCHES.admitted(MAX_CHARACTERS):
        refused = await greedy.http.post("/api/mcp/capture-batch", json=ROWS)
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "20")
        assert refused.json() == {"error": "Server busy", "retryAfterMs": 20_000}
        assert "id" in (await post(other, "capture-batch", ROWS))["results"][0]
    assert "id" in (await post(greedy, "capture-batch", ROWS))["results"][0]


@pytest.mark.rule("17.2 capture-batch: credits")
async def test_a_batch_that_is_refused_at_once_costs_nothing(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.PRO)
    with called_by(user.id), BATCHES.admitted(MAX_CHARACTERS):
        refused = await user.http.post("/api/mcp/capture-batch", json={"memories": ROWS["memories"] * 300})
    assert (refused.status_code, refused.headers["X-RateLimit-Remaining"]) == (503, "500")
    stored = await user.http.post("/api/mcp/capture-batch", json=ROWS)
    assert (stored.status_code, stored.headers["X-RateLimit-Remaining"]) == (200, "495")


@pytest.mark.rule("17.2 capture-batch: pages")
async def test_long_rows_are_stored_in_pages_of_their_own(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored: list[int] = []
    store = services.captures.store

    async def recorded(context: Any, rows: Any) -> Any:
        stored.append(len(rows))
        return await store(context, rows)

    monkeypatch.setattr(services.captures, "store", recorded)
    monkeypatch.setattr(batching, "PAGE_CHARACTERS", 100)
    rows = [
        {"title": "t", "content": f"{number} {'valve ' * length}"} for number, length in enumerate([5, 15, 30, 1, 1])
    ]
    results = (await post(user, "capture-batch", {"memories": rows}))["results"]

    assert all("id" in result for result in results)
    assert stored == [2, 1, 2]
