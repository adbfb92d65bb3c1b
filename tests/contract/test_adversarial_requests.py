"""No text makes a request cost much more than others of its length, from the body to the reply (contract 1.3).

Costs are wall time, database included, of one request at a time in one run, compared with the median of all shapes; of
several tries the least counts. A refusal by the content policy is a reply like any other.
"""

import time
from collections.abc import AsyncIterator, Callable
from itertools import islice
from statistics import median
from typing import Final, NamedTuple

import pytest
import pytest_asyncio
from starlette.types import ASGIApp

from memd.context import Services
from memd.domain.types import Policy
from tests.support.adversarial import PROSE, SHAPES
from tests.support.service import TestUser, making_users
from tests.support.wire import Json, capture, chunk, fill, make_base

QUERY: Final = 1_990
CONTENT: Final = 95_000
SHORT_FORM: Final = 20
"""The suite sends a twentieth of each content, which shows what is quadratic; `make test-long` sends all."""
SHARE: Final = 4
"""The suite sends each kind of request one of this many shapes, not the same to every kind."""
MAX_TIMES: Final = 50
ALLOWED_S: Final = 0.5
"""What every request may take, whatever the median."""
TRIES: Final = 3
ROWS: Final = 20


class Call(NamedTuple):
    """A request that carries a text of at most this many characters."""

    path: str
    body: Callable[[str], Json]
    characters: int


CALLS: Final[dict[str, Call]] = {
    "recall": Call("/api/mcp/recall", lambda text: {"query": text}, QUERY),
    "search": Call("/api/mcp/search-messages", lambda text: {"query": text}, QUERY),
    "query": Call("/api/knowledge-bases/{base}/query", lambda text: {"query": text}, QUERY),
    "context": Call("/api/mcp/context", lambda text: {"query": text, "budget": 500}, QUERY),
    "log": Call("/api/mcp/log", lambda text: {"role": "user", "content": text}, CONTENT),
    "capture": Call("/api/mcp/capture", lambda text: {"title": "A text", "content": text}, CONTENT // 2),
    "import": Call("/api/knowledge-bases/{base}/import", lambda text: {"chunks": [chunk(text)]}, CONTENT),
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def reader(services: Services, app: ASGIApp) -> AsyncIterator[TestUser]:
    """A user with memories and messages of prose, each with some text of a shape."""
    async with making_users(services, app) as make_user:
        user = await make_user(policy=Policy.SELF_HOSTED_UNMETERED)
        for number, make in enumerate(list(SHAPES.values())[:ROWS]):
            content = f"The mill by the river, number {number}. {make(200)}"
            await user.http.post("/api/mcp/log", json={"role": "user", "content": content})
            await user.http.post("/api/mcp/capture", json={"title": f"Row {number}", "content": content})
        assert await capture(user)
        yield user


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def base(reader: TestUser) -> str:
    made = await make_base(reader, name="Mills")
    await fill(reader, made, *(chunk(f"The mill by the river, number {number}.") for number in range(ROWS)))
    return made


async def seconds_of(user: TestUser, path: str, body: Json) -> float:
    """Wall time of one request, which must not fail."""
    began = time.perf_counter()
    reply = await user.http.post(path, json=body)
    seconds = time.perf_counter() - began
    assert reply.status_code < 500, reply.text
    return seconds


@pytest.mark.long_form
@pytest.mark.parametrize("name", CALLS)
async def test_no_shape_costs_fifty_times_the_median(
    name: str, reader: TestUser, base: str, of_size: Callable[[int, int], int]
) -> None:
    call, share = CALLS[name], of_size(SHARE, 1)
    path, length = call.path.format(base=base), call.characters
    if length > QUERY:
        length //= of_size(SHORT_FORM, 1)
    await seconds_of(reader, path, call.body(SHAPES[PROSE](length)))
    costs: dict[str, float] = {}
    for shape, make in islice(SHAPES.items(), list(CALLS).index(name) % share, None, share):
        for attempt in range(TRIES):
            body = call.body(f"{make(length - 2)} {attempt}")  # a text that is not stored yet
            costs[shape] = min(costs.get(shape, float("inf")), await seconds_of(reader, path, body))
            if costs[shape] < ALLOWED_S:
                break
    budget = max(ALLOWED_S, MAX_TIMES * median(costs.values()))
    assert {shape: round(seconds, 3) for shape, seconds in costs.items() if seconds > budget} == {}
