"""The vector lane of a large user as of past moments: by indexes it finds what comparing every row finds (contract 17.5)."""

from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest
import pytest_asyncio
from psycopg import AsyncConnection

from memd.context import Services
from memd.embed.vector_index_store import Indexable, build, drop, index_name, record_index
from tests.support.jobs import now_of
from tests.support.service import TestUser
from tests.support.wire import capture

MEMORIES = 40
PLACES = ("Oslo", "Rome", "Lima", "Cairo", "Quito")


@pytest_asyncio.fixture(loop_scope="session")
async def moments(services: Services, user: TestUser) -> list[int]:
    """Moments between changes of some of the memories, of which some are superseded, some archived and some never change."""
    random = Random(7)
    ids = [
        await capture(user, title=f"Trip {index}", content=_text(index, 0), channel="work" if index % 4 == 0 else None)
        for index in range(MEMORIES)
    ]
    between = [await now_of(services)]
    for change in range(1, 4):
        for index in random.sample(range(MEMORIES), MEMORIES // 2):
            body = {"memoryId": ids[index], "content": _text(index, change)}
            match random.choice(("update", "update", "supersede", "forget")):
                case "supersede":
                    body = {"oldMemoryId": ids[index], "title": f"Trip {index}", "content": body["content"]}
                    reply = await user.http.post("/api/mcp/supersede", json=body)
                    ids[index] = reply.json().get("newMemoryId", ids[index])
                case "forget":
                    await user.http.post("/api/mcp/forget", json={"memoryId": ids[index]})
                case _:
                    await user.http.post("/api/mcp/update", json=body)
        between.append(await now_of(services))
    return between


@pytest_asyncio.fixture(loop_scope="session")
async def owner(services: Services) -> AsyncIterator[AsyncConnection[tuple[Any, ...]]]:
    async with await AsyncConnection.connect(services.database.pools.logins.owner, autocommit=True) as connection:
        yield connection


def _text(place: int, change: int) -> str:
    return f"Trip {place}, plan {change}: we fly to {PLACES[(place + change) % 5]} and stay {place * 7 % 11 + change} days."


async def vector_lane(user: TestUser, **fields: Any) -> dict[str, float]:
    """The score of each memory that the vector lane found."""
    body = {"query": "Which trips go to Rome?", "limit": 2, **fields}
    reply = await user.http.post("/api/mcp/recall", json=body, params={"debugRecallOutput": "true"})
    found = reply.json()["debug"]["memories"]
    return {row["id"]: row["components"]["vectorScore"] for row in found if "vector" in row["lanes"]}


@pytest.mark.rule("17.5 asOf")
async def test_indexes_find_what_comparing_every_row_finds(
    services: Services,
    user: TestUser,
    moments: list[int],
    owner: AsyncConnection[tuple[Any, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = [{"includeEnded": True}, *({name: at} for at in moments for name in ("asOf", "knownAt", "validAt"))]
    request = [{**time, **channel} for time in times for channel in ({}, {"channel": "work"})]
    compared = [await vector_lane(user, **fields) for fields in request]
    assert len({str(found) for found in compared}) > len(moments)
    for of in Indexable:
        await build(owner, user.id, services.model, services.batcher.embedder.dimensions, of)
        async with services.database.system() as session:
            await record_index(session, user.id, services.model, of)
    try:
        for few in (1, MEMORIES // 2, 10 * MEMORIES):
            monkeypatch.setattr("memd.recall.moment_store.FEW", few)
            for fields, found in zip(request, compared, strict=True):
                assert await vector_lane(user, **fields) == pytest.approx(found, abs=1e-5), (few, fields)
    finally:
        for of in Indexable:
            await drop(owner, index_name(user.id, services.model, of))
