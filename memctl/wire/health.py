"""Wire types of the service itself: version, health and readiness (contract 9.5)."""

from typing import Any

from memctl.wire.base import WireModel, absent


class VersionReply(WireModel):
    """GET /api/version."""

    version: str
    service: str = "memd"
    api_version: str
    embedding_model: str
    embedding_dimensions: int
    features: list[str] = []


class HealthReply(WireModel):
    """GET /healthz and /readyz; `checks` says what is missing when `ok` is false, `details` how the workers are.

    `degraded` names what is away although requests are served.
    """

    ok: bool
    checks: dict[str, Any] | None = absent()
    degraded: dict[str, str] | None = absent()
    details: dict[str, Any] | None = absent()
