"""The rows of a batch whose fields are valid and that the policy lets pass, before anything is stored (contract 17.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

from memctl.wire.capture_batch import InvalidRow
from memctl.wire.memories import CaptureRequest
from memd.audit.refusals import POLICY_BLOCK, Refusal
from memd.context import Context
from memd.domain.text.duplicates import content_hash
from memd.errors import BadRequest, ContentBlocked, MemdError
from memd.memories import service
from memd.memories.duplicate_store import ContentKey, key_of
from memd.memories.guard import Cleared, check_policies
from memd.memories.new import NewMemory
from memd.off_loop import in_pieces
from memd.validation import details_of

TARGET: Final = "POST /api/mcp/capture-batch"
"""The target in the audit log of a row that the policy blocks."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A row to store: its index in the batch, and the request with the texts as they are stored."""

    index: int
    request: CaptureRequest
    row: NewMemory

    @property
    def key(self) -> ContentKey:
        """The key that a duplicate would have, too."""
        return key_of(self.row)


class _Passed(NamedTuple):
    """A row that the policy lets pass: the request with the texts as they are stored, and what the policy says."""

    index: int
    request: CaptureRequest
    verdict: Cleared
    snapshot_id: UUID | None


async def apply_policy(
    context: Context, rows: Sequence[tuple[int, CaptureRequest | InvalidRow]]
) -> tuple[list[Draft], Mapping[int, MemdError]]:
    """The rows that may be stored, in their order, and the refusals of the others by index."""
    valid: list[tuple[int, CaptureRequest, UUID | None]] = []
    refusals: dict[int, MemdError] = {}
    for index, row in rows:
        try:
            valid.append((index, *await _valid(context, index, row)))
        except MemdError as error:
            refusals[index] = error
    passed: list[_Passed] = []
    verdicts = await check_policies(context, [service.submitted(request) for _, request, _ in valid])
    for (index, request, snapshot_id), verdict in zip(valid, verdicts, strict=True):
        if isinstance(verdict, ContentBlocked):
            _log_block(context, verdict)
            refusals[index] = verdict
            continue
        passed.append(_Passed(index, request.model_copy(update=verdict.texts), verdict, snapshot_id))
    made = await in_pieces(partial(_drafts, context), passed, lambda one: len(one.request.content))
    for one, outcome in zip(passed, made, strict=True):
        if isinstance(outcome, MemdError):
            refusals[one.index] = outcome
    return [outcome for outcome in made if isinstance(outcome, Draft)], refusals


def _drafts(context: Context, passed: Sequence[_Passed]) -> list[Draft | MemdError]:
    return [_draft(context, one) for one in passed]


def _draft(context: Context, passed: _Passed) -> Draft | MemdError:
    """The row to store, or the refusal of a period that cannot be read."""
    try:
        row = service.new_memory(context, passed.request, passed.verdict, content_hash(passed.request.content))
    except MemdError as error:
        return error
    row.source_snapshot_id = passed.snapshot_id
    return Draft(passed.index, passed.request, row)


async def _valid(context: Context, index: int, row: CaptureRequest | InvalidRow) -> tuple[CaptureRequest, UUID | None]:
    """The request of a row and the snapshot that it names; `BadRequest` or `NotFound`."""
    if isinstance(row, InvalidRow):
        raise BadRequest(details_of(row.error, f"memories[{index}]"))
    return row, await service.known_snapshot(context, row.source_snapshot_id)


def _log_block(context: Context, blocked: ContentBlocked) -> None:
    caller, reason = context.principal, blocked.threat_id
    context.services.refusals.note(
        Refusal(POLICY_BLOCK, context.address, caller.user_id, caller.key_id, target=TARGET, reason=reason)
    )
