"""Liveness, readiness, metrics and version (contract 9.5)."""

from ipaddress import ip_address

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response

from memctl.wire.health import HealthReply, VersionReply
from memd.access.endpoint import Call, NoBody, Room
from memd.access.http.envelope import Envelope
from memd.access.http.replies import error_reply, model_reply
from memd.access.steps import identify
from memd.context import Services
from memd.domain.types import KeyScope
from memd.errors import MemdError
from memd.health import service
from memd.version import VERSION

room = Room("health")
FEATURES = (
    "idempotent-turns",
    "export",
    "chunk-kind",
    "retrieval-diagnostics",
    "dedupe-key",
    "enumerate",
    "empty",
    "time-windows",
    "capacity-policies",
    "paged-deletes",
)


@room.endpoint("GET", "/api/version", credits=0, scope=KeyScope.READ, reply=VersionReply)
async def version(call: Call[NoBody]) -> VersionReply:
    """The release, the embedding model and what this server can do."""
    embedder = call.context.services.batcher.embedder
    return VersionReply(
        version=VERSION,
        api_version=VERSION,
        embedding_model=embedder.name,
        embedding_dimensions=embedder.dimensions,
        features=list(FEATURES),
    )


async def healthz(_request: Request) -> Response:
    """The process answers."""
    return model_reply(HealthReply(ok=True), 200)


async def readyz(request: Request) -> Response:
    """Database, migrations and embedding model are ready; 503 with what is not. Processes and lag are details."""
    state = request.app.state
    checks = await service.failing_checks(state.services)
    degraded: dict[str, str] = {} if checks else await service.degradations(state.services)
    processes = await service.processes(state.processes)
    details = {**processes.details, **({} if checks else await service.lag(state.services))}
    reply = HealthReply(ok=not checks, checks=checks or None, degraded=degraded or None, details=details or None)
    return model_reply(reply, 503 if checks else 200)


async def metrics(request: Request) -> Response:
    """Prometheus text for loopback addresses and admin keys."""
    services: Services = request.app.state.services
    envelope: Envelope = request.scope["memd.envelope"]
    try:
        if not _is_loopback(envelope.address):
            caller = await identify(services, envelope, request.headers)
            caller.permit(KeyScope.ADMIN)
    except MemdError as error:
        return error_reply(error)
    text = await service.metrics(services, request.app.state.processes, request.app.state.durations)
    return Response(text, media_type=CONTENT_TYPE_LATEST)


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


OPEN_PATHS = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}
