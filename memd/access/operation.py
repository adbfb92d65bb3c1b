"""The operation of a request: several requests, such as those of an import, that undo reverts as one write."""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from memd.domain.ids import MalformedIdentifierError, decode, made_at
from memd.errors import BadRequest

HEADER: Final = "X-Operation-Id"
CLOCK_SKEW_MS: Final = 600_000
"""How far the clock of the replica that gave the id may be ahead of this one's; undo looks as far."""


def operation_of(headers: Mapping[str, str], request_id: UUID) -> UUID:
    """The id of the operation: that of its first request, which the header names, or that of this request without it.

    `BadRequest` for a value that is not the id of an earlier request.
    """
    named = headers.get(HEADER)
    if named is None:
        return request_id
    try:
        operation = decode("req", named.strip())
    except MalformedIdentifierError:
        raise BadRequest(f"Header {HEADER} must be the X-Request-Id of an earlier request") from None
    if made_at(operation) > made_at(request_id) + CLOCK_SKEW_MS:
        raise BadRequest(f"Header {HEADER} must be the X-Request-Id of an earlier request")
    return operation
