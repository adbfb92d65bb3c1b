"""Memories in batches: what is stored, what is tried again, and what ends an import (contract 17.2)."""

from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from memctl.client import MemdClient
from memctl.client.errors import RateLimited, StorageLimitReached
from memctl.importers.captures import BATCH, BATCH_BYTES, BatchCounts, MemoryBatch, send_batch
from memctl.importers.records import Memory
from memctl.wire.memories import CaptureRequest

Row = dict[str, Any]
BUSY = {"status": 503, "error": "Server busy", "retryAfterMs": 2000}
KNOWN = {"status": 409, "error": "Duplicate memory", "existingMemoryId": "mem_x", "details": "the same"}
BLOCKED = {"status": 400, "error": "Memory blocked: violence [x]"}
FULL = {"status": 403, "error": "Storage limit reached", "limit": 500, "resource": "memories"}
CAP = {"status": 429, "error": "Embedding daily cap exceeded", "code": "embedding_cap_exceeded", "retryAfterMs": 9}


def memory(number: int, content: str = "text") -> Memory:
    return Memory(CaptureRequest(title=f"m{number}", content=content), f"line {number}")


class Server:
    """Answers one request after the other with rows; `sent` are the titles of each."""

    def __init__(self, *answers: Sequence[Row]) -> None:
        self.answers = iter(answers)
        self.sent: list[list[str]] = []
        self.pauses: list[float] = []

    def handle(self, request: httpx.Request) -> httpx.Response:
        rows = httpx.Response(200, content=request.content).json()["memories"]
        self.sent.append([row["title"] for row in rows])
        return httpx.Response(
            200, json={"results": [{"index": index, **row} for index, row in enumerate(next(self.answers))]}
        )

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    async def send(self, counts: BatchCounts, number: int) -> None:
        batch = MemoryBatch()
        for index in range(number):
            batch.add(memory(index))
        async with MemdClient("http://memd.test", "k", transport=httpx.MockTransport(self.handle), retries=0) as client:
            await send_batch(client, batch, counts, self.pause, lambda _text: None)


async def test_each_row_is_counted_by_its_outcome() -> None:
    counts = BatchCounts()
    server = Server([{"id": "a"}, KNOWN, {"id": "b", "duplicate": True}, BLOCKED])
    await server.send(counts, 4)
    assert (counts.new, counts.known) == (1, 2)
    assert [(each.origin, each.reason) for each in counts.rejected] == [("line 3", "Memory blocked: violence [x]")]
    assert len(server.sent) == 1


async def test_only_rows_that_the_server_had_no_time_for_are_sent_again() -> None:
    counts = BatchCounts()
    server = Server([{"id": "a"}, BUSY, BUSY], [{"id": "b"}, BUSY], [{"id": "c"}])
    await server.send(counts, 3)
    assert server.sent == [["m0", "m1", "m2"], ["m1", "m2"], ["m2"]]
    assert server.pauses == [2, 2]
    assert counts.new == 3


@pytest.mark.parametrize(("error", "kind"), [(FULL, StorageLimitReached), (CAP, RateLimited)])
async def test_a_used_up_limit_ends_the_import_after_what_was_stored_is_counted(
    error: Row, kind: type[Exception]
) -> None:
    counts = BatchCounts()
    server = Server([{"id": "a"}, error, KNOWN])
    with pytest.raises(kind):
        await server.send(counts, 3)
    assert (counts.new, counts.known, len(server.sent)) == (1, 1, 1)


def test_a_batch_has_a_hundred_memories_or_eight_megabytes() -> None:
    batch, large = MemoryBatch(), MemoryBatch()
    for number in range(BATCH):
        assert batch.takes(memory(number))
        batch.add(memory(number))
    assert not batch.takes(memory(BATCH))
    while large.takes(memory(0, "😀" * 50_000)):
        large.add(memory(0, "😀" * 50_000))
    assert BATCH_BYTES - 300_000 < large.size <= BATCH_BYTES
