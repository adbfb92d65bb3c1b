"""Numbers come back as they were sent, in every endpoint that shows them (contract 4)."""

import math
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.service import TestUser
from tests.support.wire import Json, post, send

EDGES = (0.0, 1.0, 0.1, 0.7, 1 / 3, 0.1 + 0.2, 5e-324, math.nextafter(1, 0), 2**-24, 0.699999988079071)
NAMES = ("strength", "confidence", "valence", "arousal")
TEXT = "The mill by the river grinds corn, and Ann owns the mill."


def numbers(rng: random.Random) -> Json:
    """A value for each number that capture takes."""
    signed = {"valence": rng.choice((-1, 1)) * rng.random()}
    return {name: rng.choice((rng.choice(EDGES), rng.random())) for name in NAMES} | signed


def rows_about(value: Any, memory_id: str) -> Iterator[Json]:
    """Every object in a reply that is about this memory."""
    if isinstance(value, dict):
        if memory_id in {value.get("id"), value.get("_id"), value.get("memoryId")}:
            yield value
        for child in value.values():
            yield from rows_about(child, memory_id)
    elif isinstance(value, list):
        for child in value:
            yield from rows_about(child, memory_id)


async def shown(user: TestUser, memory_id: str) -> list[tuple[str, Json]]:
    """One memory as every endpoint that shows memories returns it."""
    memory = {"memoryId": memory_id}
    replies = {
        "memory": await post(user, "memory", memory),
        "trace": await post(user, "trace", memory),
        "recall": await post(user, "recall", {"query": TEXT}),
        "wake": await post(user, "wake"),
        "triggers": await post(user, "triggers", {"tools": ["mill"]}),
        "stats": await post(user, "stats"),
        "export": await send(user, "GET", "/api/memories"),
    }
    return [(name, row) for name, reply in replies.items() for row in rows_about(reply, memory_id)]


@pytest.mark.parametrize("seed", range(6))
async def test_captured_numbers_come_back_everywhere(user: TestUser, seed: int) -> None:
    rng = random.Random(seed)
    sent = numbers(rng)
    meta = {"share": rng.random(), "edge": rng.choice(EDGES), "count": rng.getrandbits(70), "list": [rng.gauss(0, 1e9)]}
    fields = {"title": "Mill", "content": TEXT, "metadata": meta, "actionTriggers": ["mill"]}
    memory_id = (await post(user, "capture", fields | sent))["id"]
    seen = await shown(user, memory_id)
    for name, row in seen:
        known = {field: row[field] for field in NAMES if field in row}
        assert known == {field: sent[field] for field in known}, name
        assert row.get("metadata", meta) == meta, name
    assert {name for name, row in seen if "strength" in row} >= {"memory", "recall", "stats", "export"}


async def test_numbers_of_an_edit_and_of_a_successor_come_back(user: TestUser) -> None:
    rng = random.Random(7)
    memory_id = (await post(user, "capture", {"title": "Mill", "content": TEXT}))["id"]
    edit = numbers(rng)
    await post(user, "update", {"memoryId": memory_id} | edit)
    row = (await post(user, "memory", {"memoryId": memory_id}))["memory"]
    assert {name: row[name] for name in NAMES} == edit
    heir = numbers(rng)
    reply = await post(user, "supersede", {"oldMemoryId": memory_id, "title": "Mill", "content": "It closed."} | heir)
    row = (await post(user, "memory", {"memoryId": reply["newMemoryId"]}))["memory"]
    assert {name: row[name] for name in NAMES} == heir
