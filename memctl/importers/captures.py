"""Sends memories in batches, and retries the rows that may succeed later."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from memctl.client import MemdClient
from memctl.client.errors import ApiError, Conflict, Invalid, row_error
from memctl.importers.pieces import Refusal
from memctl.importers.records import Kept, Memory, Replaced
from memctl.importers.retries import Sleep, with_retries
from memctl.wire.capture_batch import CaptureBatchRequest, CaptureBatchResult

BATCH: Final = 100
"""Memories of one request; each worker has one request under way."""
BATCH_BYTES: Final = 8 * 2**20


@dataclass(slots=True)
class MemoryBatch:
    """Memories that are sent together, and their size in bytes."""

    memories: list[Memory] = field(default_factory=list[Memory])
    size: int = 0

    def takes(self, memory: Memory) -> bool:
        """Whether one more memory fits."""
        return not self.memories or (len(self.memories) < BATCH and self.size + _size(memory) <= BATCH_BYTES)

    def add(self, memory: Memory) -> None:
        """Add a memory."""
        self.memories.append(memory)
        self.size += _size(memory)


def _size(memory: Memory) -> int:
    return len(memory.request.model_dump_json().encode(errors="surrogatepass"))


@dataclass(slots=True)
class BatchCounts:
    """The outcome of a batch of memories; those that memd has are `known`, among them the ones that are newer in memd.

    `stored` are the ids of the new ones, `same_as` those that known ones have the text of; `forgotten` ones are not sent.
    """

    new: int = 0
    known: int = 0
    forgotten: int = 0
    stored: list[str] = field(default_factory=list[str])
    same_as: list[str] = field(default_factory=list[str])
    replaced: list[Replaced] = field(default_factory=list[Replaced])
    kept: list[Kept] = field(default_factory=list[Kept])
    rejected: list[Refusal] = field(default_factory=list[Refusal])


async def send_batch(
    client: MemdClient,
    batch: MemoryBatch,
    counts: BatchCounts,
    sleep: Sleep = asyncio.sleep,
    report: Callable[[str], None] = print,
) -> None:
    """Send the memories until each is stored, known or rejected; raises errors that cannot be retried.

    `counts` is correct in any case.
    """
    waiting = list(batch.memories)
    await with_retries(partial(_attempt, client, waiting, counts), sleep, report)


async def _attempt(client: MemdClient, waiting: list[Memory], counts: BatchCounts) -> None:
    """Send the pending rows, and remove those with an outcome from `waiting`; raises the first error of the others."""
    reply = await client.memories.capture_batch(CaptureBatchRequest(memories=[each.request for each in waiting]))
    pending: list[Memory] = []
    failure: ApiError | None = None
    for memory, result in _paired(waiting, reply.results):
        error = row_error(result)
        if _is_unresolved(error):
            pending.append(memory)
            failure = failure or error
        else:
            _count(counts, memory, result, error)
    waiting[:] = pending
    if failure is not None:
        raise failure


def _paired(
    waiting: Sequence[Memory], results: Sequence[CaptureBatchResult]
) -> Iterator[tuple[Memory, CaptureBatchResult]]:
    return ((waiting[result.index], result) for result in results)


def _is_unresolved(error: ApiError | None) -> bool:
    """Whether the row has no outcome: the error is not its fault, and does not say that the memory is there already."""
    if error is None or isinstance(error, Invalid):
        return False
    return not (isinstance(error, Conflict) and error.body.existing_memory_id is not None)


def _count(counts: BatchCounts, memory: Memory, result: CaptureBatchResult, error: ApiError | None) -> None:
    if isinstance(error, Invalid):
        counts.rejected.append(Refusal(memory.origin, str(error)))
    elif result.replaced:
        counts.replaced.append(Replaced(memory.origin, memory.request.title))
    elif error is not None or result.duplicate:
        counts.known += 1
        counts.same_as.append(result.existing_memory_id or result.id or "")
    else:
        counts.new += 1
        counts.stored.append(result.id or "")
