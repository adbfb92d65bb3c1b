"""The errors of the service, each with its status, its wire text and its extra fields (contract 1.5).

Rooms raise them; `error_reply` in `memd/access/http/replies.py` renders them, over MCP `memd/mcp/calls.py`. A client gets no
other errors.
"""

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from memctl.wire.limits import CHUNKS_PER_REQUEST_MAX

DETAILS_MAX: Final = 2_000
"""Characters of `details`: they name fields as the caller spelled them, and a name may be as long as the body."""


class MemdError(Exception):
    """The root of the tree: `{error, …fields}` under `status`."""

    status: ClassVar[int] = 500
    error: str = "Internal server error"

    def __init__(self, fields: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(self.error)
        self.fields = dict(fields or {})
        self.headers = dict(headers or {})

    def body(self) -> dict[str, Any]:
        """The JSON object of the reply."""
        return {"error": self.error, **self.fields}


def _bounded(details: str) -> str:
    """The details, without the middle of what is longer than DETAILS_MAX."""
    half = DETAILS_MAX // 2
    return details if len(details) <= DETAILS_MAX else f"{details[: half - 1]}…{details[-half:]}"


class BadRequest(MemdError):
    """400 with `details` that name the field."""

    status = 400
    error = "Bad request"

    def __init__(self, details: str) -> None:
        super().__init__({"details": _bounded(details)})


class InvalidIdentifier(BadRequest):
    """400 for an identifier that is malformed or of another kind."""

    def __init__(self, field: str) -> None:
        super().__init__(f"Invalid identifier: {field}")


class ContentBlocked(MemdError):
    """400: the content policy refused the text; `details` when it is neither in the title nor in the content."""

    status = 400

    def __init__(self, reason: str, threat_id: str, details: str | None = None) -> None:
        self.error = f"Memory blocked: {reason} [{threat_id}]"
        self.reason = reason
        self.threat_id = threat_id
        super().__init__(None if details is None else {"details": details})


class InvalidChunk(MemdError):
    """400: a chunk of an import does not match the schema; nothing was written."""

    status = 400
    error = "Invalid chunk"

    def __init__(self, index: int, details: str) -> None:
        super().__init__({"index": index, "details": _bounded(details)})


class Unauthorized(MemdError):
    """401; all its causes look the same to the client."""

    status = 401
    error = "Unauthorized"

    def __init__(self) -> None:
        super().__init__(headers={"WWW-Authenticate": "Bearer"})


class Forbidden(MemdError):
    """403: another user's row, a scope that the key lacks, or a channel that may not see the row."""

    status = 403
    error = "Forbidden"


class StorageLimitReached(MemdError):
    """403: a storage quota of the tier is full."""

    status = 403
    error = "Storage limit reached"

    def __init__(self, limit: int, resource: str, **more: Any) -> None:
        super().__init__({"limit": limit, "resource": resource, **more})


class NotFound(MemdError):
    """404 for a path or an object."""

    status = 404
    error = "Not found"


class MemoryNotFound(NotFound):
    """404: no memory has this id."""

    error = "Memory not found"


class KnowledgeBaseNotFound(NotFound):
    """404: no knowledge base of this user has this id."""

    error = "Knowledge base not found"


class MethodNotAllowed(MemdError):
    """405 with `Allow`."""

    status = 405
    error = "Method not allowed"

    def __init__(self, allow: str) -> None:
        super().__init__(headers={"Allow": allow})


class Conflict(MemdError):
    """409 with a specific message."""

    status = 409
    error = "Conflict"


class DuplicateMemory(Conflict):
    """409: an active memory has the same content."""

    error = "Duplicate memory"

    details = "A memory with the same content already exists"

    def __init__(self, existing_memory_id: str) -> None:
        super().__init__({"existingMemoryId": existing_memory_id, "details": self.details})


class KeyTaken(DuplicateMemory):
    """409: another active memory or chunk has the key."""

    details = "Another active memory has the same key"


class AlreadySuperseded(Conflict):
    """409: the memory points to a newer one already."""

    error = "Memory already superseded"

    def __init__(self, superseded_by_memory_id: str) -> None:
        super().__init__({"supersededByMemoryId": superseded_by_memory_id})


class KnowledgeBaseArchived(Conflict):
    """409: import, bulk-insert or empty on an archived knowledge base."""

    error = "Knowledge base is archived"


class KnowledgeBaseNotArchived(Conflict):
    """409: permanent delete or unarchive on an active knowledge base."""

    error = "Knowledge base is not archived"


class LastAdminKey(Conflict):
    """409: the last active key of the last admin stays."""

    error = "Last admin key"


class JobRunning(Conflict):
    """409: this job runs already."""

    error = "Job already running"


class BodyTooLarge(MemdError):
    """413: the body is over the limit of its endpoint."""

    status = 413
    error = "Request body too large"

    def __init__(self, limit: int) -> None:
        super().__init__({"details": f"The limit is {limit} bytes"})


class RequestTimeout(MemdError):
    """408: header or body did not arrive in time; the connection is closed."""

    status = 408
    error = "Request timeout"

    def __init__(self, details: str) -> None:
        super().__init__({"details": details}, {"Connection": "close"})


class HeadersTooLarge(MemdError):
    """431: the header block is over the limit; the connection is closed."""

    status = 431
    error = "Request header fields too large"

    def __init__(self, limit: int) -> None:
        super().__init__({"details": f"The limit is {limit} bytes"}, {"Connection": "close"})


class ImportTooLarge(MemdError):
    """413: too many chunks in one request."""

    status = 413
    error = "Import batch too large"

    def __init__(self, count: int, limit: int = CHUNKS_PER_REQUEST_MAX) -> None:
        super().__init__({"details": f"Maximum {limit:,} chunks per import, got {count}"})


def retry_headers(retry_after_ms: int) -> dict[str, str]:
    """`Retry-After` in whole seconds, rounded up, at least 1."""
    return {"Retry-After": str(max(1, math.ceil(retry_after_ms / 1000)))}


class RateLimitExceeded(MemdError):
    """429: credits, concurrency, address bucket or device polling."""

    status = 429
    error = "Rate limit exceeded"

    def __init__(self, retry_after_ms: int, **more: Any) -> None:
        super().__init__({"retryAfterMs": retry_after_ms, **more}, retry_headers(retry_after_ms))


class EmbeddingCapExceeded(MemdError):
    """429: the embedding calls of the UTC day are used up."""

    status = 429
    error = "Embedding daily cap exceeded"
    code = "embedding_cap_exceeded"

    def __init__(self, daily_limit: int, retry_after_ms: int) -> None:
        super().__init__(
            {"code": self.code, "dailyLimit": daily_limit, "retryAfterMs": retry_after_ms},
            retry_headers(retry_after_ms),
        )


class EmbeddingTimeout(MemdError):
    """503: the embedding did not arrive in time."""

    status = 503
    error = "Embedding service timeout"

    def __init__(self, retry_after_s: int = 5) -> None:
        super().__init__(
            {"details": (f"The embedding service did not answer in time; try again in {retry_after_s} seconds")},
            retry_headers(retry_after_s * 1000),
        )


class ServerBusy(MemdError):
    """503: the server-wide safeguard, a request over its time, or shutdown."""

    status = 503
    error = "Server busy"

    def __init__(self, retry_after_ms: int = 1000) -> None:
        super().__init__({"retryAfterMs": retry_after_ms}, retry_headers(retry_after_ms))


class RefusedAtOnce(ServerBusy):
    """503 before anything was done for the request, whose credits are given back."""


class AlreadyRunning(RateLimitExceeded):
    """429: another request of the user is doing the same. Nothing was done; the credits are given back."""

    def __init__(self, work: str) -> None:
        super().__init__(1000, details=f"Another {work} of this user is running; only one runs at a time")


class InternalError(MemdError):
    """500: an unexpected failure; the reply holds the request id and nothing else."""

    def __init__(self, request_id: str) -> None:
        super().__init__({"requestId": request_id})
