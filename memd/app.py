"""The HTTP application: the routes of every room around running services."""

from collections.abc import Awaitable, Callable, Mapping

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp

from memd import openapi_route
from memd.access.endpoint import Endpoint, OpenEndpoint
from memd.access.http.envelope import EnvelopeMiddleware, internal_error
from memd.access.http.host_policy import HostMiddleware
from memd.access.http.replies import error_reply
from memd.access.http.request_durations import DurationMiddleware, MemoryDurations, RequestDurations
from memd.access.http.route_template import route_template
from memd.access.open_pipeline import serve_open
from memd.access.pipeline import serve
from memd.access.steps import UNAVAILABLE, log_unavailable
from memd.accounts import routes as accounts
from memd.accounts.end_users import routes as end_users
from memd.accounts.keys import routes as keys
from memd.audit import routes as audit
from memd.compat import routes as compat
from memd.context import Services
from memd.devices import pages as device_pages
from memd.devices import routes as devices
from memd.erasure import routes as erasure
from memd.errors import BadRequest, MethodNotAllowed, NotFound, ServerBusy
from memd.graph import routes as graph
from memd.health import routes as health
from memd.jobs import routes as jobs
from memd.knowledge_bases import routes as knowledge_bases
from memd.knowledge_bases.archiving import routes as archiving_routes
from memd.knowledge_bases.search import routes as query_routes
from memd.lifecycle import junk_routes
from memd.mcp.loader import McpLoader
from memd.mcp.route import McpRoute
from memd.memories import routes as memories
from memd.memories.batches import routes as batch_routes
from memd.memories.conflicts import routes as conflicts
from memd.memories.editing import routes as editing_routes
from memd.memories.history import routes as history
from memd.memories.keyed import routes as keyed
from memd.memories.listing import routes as listing
from memd.memories.namespaces import routes as namespaces
from memd.memories.origin import routes as origin_routes
from memd.memories.profile import routes as profile
from memd.messages import routes as messages
from memd.messages import turn_routes
from memd.processes.status import ReadStatus
from memd.prompt_context import routes as prompt_context
from memd.recall import routes as recall
from memd.reflection import routes as reflection
from memd.sessions import checkpoint_routes
from memd.sessions import routes as sessions
from memd.sessions.snapshots import routes as snapshots
from memd.standing import routes as standing
from memd.stats import routes as stats
from memd.tracing.middleware import TracingMiddleware

log = structlog.get_logger()
ROOMS = (
    memories.room,
    batch_routes.room,
    editing_routes.room,
    origin_routes.room,
    keyed.room,
    listing.room,
    namespaces.room,
    history.room,
    conflicts.room,
    profile.room,
    junk_routes.room,
    recall.room,
    prompt_context.room,
    standing.room,
    messages.room,
    turn_routes.room,
    sessions.room,
    snapshots.room,
    checkpoint_routes.room,
    knowledge_bases.room,
    archiving_routes.room,
    query_routes.room,
    graph.room,
    reflection.room,
    jobs.room,
    stats.room,
    accounts.room,
    end_users.room,
    keys.room,
    audit.room,
    erasure.room,
    compat.room,
    devices.room,
    health.room,
)


def endpoints() -> list[Endpoint]:
    """Every endpoint that speaks the wire types."""
    return [endpoint for room in ROOMS for endpoint in room.endpoints]


def open_endpoints() -> list[OpenEndpoint]:
    """Every endpoint that needs no key."""
    return [endpoint for room in ROOMS for endpoint in room.open_endpoints]


def build(
    services: Services,
    mcp: McpLoader | None = None,
    processes: ReadStatus | None = None,
    durations: RequestDurations | None = None,
) -> ASGIApp:
    """The whole HTTP application around running services.

    Without `mcp` it creates a loader. `processes` lists the processes of this memd, and `durations` counts the requests
    of all of them; None when this is the only one.
    """
    counted = durations or MemoryDurations()
    app = Starlette(
        routes=_routes(mcp or McpLoader(endpoints())),
        exception_handlers={
            404: _not_found,
            405: _method_not_allowed,
            ClientDisconnect: _left,
            **dict.fromkeys(UNAVAILABLE, _unavailable),
            Exception: _failed,
        },
    )
    app.router.redirect_slashes = False
    app.state.services = services
    app.state.processes = processes
    app.state.durations = counted
    settings = services.settings
    inner: ASGIApp = app
    if settings.cors_origins:
        inner = CORSMiddleware(app, allow_origins=settings.cors_origins, allow_methods=["*"], allow_headers=["*"])
    enveloped = EnvelopeMiddleware(HostMiddleware(inner, settings), services, frozenset(settings.trusted_proxies))
    outer = DurationMiddleware(enveloped, counted)
    return TracingMiddleware(outer) if settings.otel_endpoint else outer


def _routes(loader: McpLoader) -> list[Route]:
    """Every path that memd serves."""
    return [
        McpRoute(loader.endpoint),
        *(_route(endpoint.method, endpoint.path, serve(endpoint)) for endpoint in endpoints()),
        *(_route(endpoint.method, endpoint.path, serve_open(endpoint)) for endpoint in open_endpoints()),
        *(_route(method, path, page) for (method, path), page in device_pages.PAGES.items()),
        _route("GET", openapi_route.PATH, openapi_route.openapi_route([*endpoints(), *open_endpoints()])),
        *(Route(path, handler) for path, handler in health.OPEN_PATHS.items()),  # HEAD too: load balancers send it
    ]


def _route(method: str, path: str, handler: Callable[[Request], Awaitable[Response]]) -> Route:
    """A plain route, since our handlers read requests themselves, for this method alone: GET brings no HEAD along."""
    route = Route(path, handler, methods=[method])
    route.methods = {method}
    return route


async def _not_found(_request: Request, _error: Exception) -> Response:
    return error_reply(NotFound())


async def _left(request: Request, _error: Exception) -> Response:
    """The client has left before the whole body was sent, so this reply is never read."""
    log.info("request.client_disconnected", method=request.method, route=route_template(request.scope))
    return error_reply(BadRequest("The body is incomplete"))


async def _unavailable(request: Request, error: Exception) -> Response:
    """A timeout or a database failure outside of the handler, such as while the key was looked up."""
    log_unavailable(f"{request.method} {route_template(request.scope)}", error)
    return error_reply(ServerBusy())


async def _failed(request: Request, _error: Exception) -> Response:
    return internal_error(request.scope["memd.envelope"])


async def _method_not_allowed(request: Request, error: Exception) -> Response:
    """405 with every method that the path knows."""
    methods: set[str] = set()
    for route in request.app.routes:
        match, _scope = route.matches(request.scope)
        if match is not Match.NONE:
            methods |= getattr(route, "methods", None) or set()
    given: Mapping[str, str] = (error.headers or {}) if isinstance(error, HTTPException) else {}
    return error_reply(MethodNotAllowed(", ".join(sorted(methods)) or given.get("allow", "")))
