"""Wire types of capturing many memories in one request (contract 17.2)."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, GetJsonSchemaHandler, ModelWrapValidatorHandler, ValidationError, WrapValidator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core.core_schema import CoreSchema

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.limits import CAPTURE_BATCH_MAX
from memctl.wire.memories import CaptureRequest


@dataclass(frozen=True, slots=True)
class InvalidRow:
    """A row that is not a valid capture; it is refused alone, the other rows are stored."""

    error: ValidationError


def _row(value: Any, read: ModelWrapValidatorHandler[CaptureRequest]) -> CaptureRequest | InvalidRow:
    try:
        return read(value)
    except ValidationError as error:
        return InvalidRow(error)


class _AnyRow:
    """Says in the JSON schema that a row of any form is accepted, and refused alone."""

    def __get_pydantic_json_schema__(self, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [handler(core_schema), {"description": "Anything else is refused alone, in its result"}]}


Row = Annotated[CaptureRequest, WrapValidator(_row), _AnyRow()]
"""A parsed row may be an `InvalidRow`; the type and the JSON schema are those that a client sends."""


class CaptureBatchRequest(RequestModel):
    """POST /api/mcp/capture-batch; each row has the fields of a capture."""

    memories: Annotated[list[Row], Field(max_length=CAPTURE_BATCH_MAX)]


class CaptureBatchResult(WireModel):
    """The outcome of the row at `index` (from 0): its `id`, or the status and error that a capture of it would have had.

    `duplicate` marks the replay of an automatic capture; `id` is then that of the memory that was there already.
    `replaced` marks a row that replaced the memory of its key.
    """

    index: int
    id: str | None = absent()
    duplicate: bool | None = absent()
    replaced: bool | None = absent()
    status: int | None = absent()
    error: str | None = absent()
    details: str | None = absent()
    existing_memory_id: str | None = absent()
    code: str | None = absent()
    limit: int | None = absent()
    resource: str | None = absent()
    daily_limit: int | None = absent()
    retry_after_ms: int | None = absent()
    request_id: str | None = absent()


class CaptureBatchReply(WireModel):
    """One result for each row, in the order of the rows."""

    results: list[CaptureBatchResult]
