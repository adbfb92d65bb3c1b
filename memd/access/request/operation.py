"""The operation of a request: several requests, such as those of an import, that undo reverts as one write."""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from memd.domain.dates.time_window import DAY_MS
from memd.domain.ids import MalformedIdentifierError, decode, made_at
from memd.errors import BadRequest

HEADER: Final = "X-Operation-Id"
MAX_OPERATION_MS: Final = DAY_MS
"""The longest duration of an operation, such as an import; undo finds no write that names an older first request."""
CLOCK_SKEW_MS: Final = 600_000
"""How far the clock of the replica that gave the id may be ahead of this one's; undo looks as far."""


def operation_of(headers: Mapping[str, str], request_id: UUID) -> UUID:
    """The id of the operation: that of its first request, which the header names, or that of this request without it.

    `BadRequest` for a value that is not the id of an earlier request, or of one so long ago that undo would not find what
    is written under it.
    """
    named = headers.get(HEADER)
    if named is None:
        return request_id
    try:
        operation = decode("req", named.strip())
    except MalformedIdentifierError:
        raise BadRequest(f"Header {HEADER} must be the X-Request-Id of an earlier request") from None
    age = made_at(request_id) - made_at(operation)
    if age < -CLOCK_SKEW_MS:
        raise BadRequest(f"Header {HEADER} must be the X-Request-Id of an earlier request")
    if age > MAX_OPERATION_MS:
        raise BadRequest(f"Header {HEADER} names a request of more than 24 hours ago; begin a new operation without it")
    return operation
