"""Error bodies of the wire (contract 1.5): every error is an object with a string `error` and fields of its kind."""

from typing import Any

from memctl.wire.base import WireModel, absent
from memctl.wire.enums import DegradationCode


class ErrorBody(WireModel):
    """Any error of the service; the fields other than `error` depend on its kind and are left out when unused."""

    error: str
    ok: bool | None = absent()
    details: str | None = absent()
    retry_after_ms: int | None = absent()
    request_id: str | None = absent()
    index: int | None = absent()
    existing_memory_id: str | None = absent()
    superseded_by_memory_id: str | None = absent()
    code: str | None = absent()
    daily_limit: int | None = absent()
    limit: int | None = absent()
    resource: str | None = absent()
    required: int | None = absent()
    available: int | None = absent()
    checks: dict[str, Any] | None = absent()


class Degradation(WireModel):
    """Why an answer is not the full one (contract 6.2); the last three belong to the embedding cap (2.1.6)."""

    code: DegradationCode
    message: str
    affected_stage: str
    recoverable: bool
    error: str | None = absent()
    daily_limit: int | None = absent()
    retry_after_ms: int | None = absent()
