"""Capturing many memories over HTTP (contract 17.2)."""

from typing import Any, Final, cast

from memctl.wire.capture_batch import CaptureBatchReply, CaptureBatchRequest, CaptureBatchResult
from memd.access.endpoint import Call, Priced, Room
from memd.domain.accounts.credits import Allowance
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.memories.batches.service import BatchOutcome, capture_batch

room = Room("memories")
CAPTURE_CREDITS: Final = 5


async def price(raw: dict[str, Any], _allowance: Allowance) -> Priced:
    """As many captures as there are rows, one at least."""
    rows = raw.get("memories")
    return Priced(CAPTURE_CREDITS * max(1, len(cast("list[Any]", rows)) if isinstance(rows, list) else 1))


@room.endpoint(
    "POST",
    "/api/mcp/capture-batch",
    credits=CAPTURE_CREDITS,
    scope=KeyScope.WRITE,
    body=CaptureBatchRequest,
    reply=CaptureBatchReply,
    price=price,
    at_most_remainder=True,
)
async def batch(call: Call[CaptureBatchRequest]) -> CaptureBatchReply:
    """Store up to 500 memories; one result for each row."""
    outcomes = await capture_batch(call.context, call.body.memories)
    return CaptureBatchReply(results=[_result(index, outcome) for index, outcome in enumerate(outcomes)])


def _result(index: int, outcome: BatchOutcome) -> CaptureBatchResult:
    error = outcome.error
    if error is not None:
        return CaptureBatchResult.model_validate({"index": index, "status": error.status, **error.body()})
    memory_id = encode("mem", outcome.id) if outcome.id is not None else None
    if outcome.duplicate:
        return CaptureBatchResult(index=index, id=memory_id, duplicate=True, existing_memory_id=memory_id)
    return CaptureBatchResult(index=index, id=memory_id, replaced=True if outcome.replaced else None)
