"""The composition root: the only place that wires settings, database, embedder, limits and rooms together."""

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp

from memd.access.background_tasks import BackgroundTasks
from memd.access.endpoint import Endpoint, OpenEndpoint
from memd.access.envelope import EnvelopeMiddleware, internal_error
from memd.access.host_policy import HostMiddleware
from memd.access.open_pipeline import serve_open
from memd.access.pipeline import serve
from memd.access.rate_limiter import RateLimiter
from memd.access.replies import error_reply
from memd.access.steps import UNAVAILABLE, log_unavailable
from memd.accounts import routes as accounts
from memd.accounts.keys import routes as keys
from memd.accounts.principal_cache import PrincipalCache
from memd.audit import routes as audit
from memd.audit.refusals import Refusals
from memd.compat import routes as compat
from memd.context import Services
from memd.db.document_frequencies import DocumentFrequencies
from memd.db.engine import Timeouts, open_pools
from memd.db.session import Database
from memd.devices import pages as device_pages
from memd.devices import routes as devices
from memd.devices.attempts import Attempts
from memd.embed.batcher import Batcher
from memd.embed.provider import Embedder
from memd.erasure import routes as erasure
from memd.errors import BadRequest, MethodNotAllowed, NotFound, ServerBusy
from memd.foundation import logins_of, make_cross_encoder
from memd.graph import routes as graph
from memd.health import routes as health
from memd.jobs import routes as jobs
from memd.jobs import store as queue
from memd.jobs.job_queue import JobQueue
from memd.jobs.worker import working
from memd.knowledge_bases import lifecycle_routes, query_routes
from memd.knowledge_bases import routes as knowledge_bases
from memd.mcp.loader import McpLoader
from memd.mcp.route import McpRoute
from memd.memories import batch_routes, editing_routes, origin_routes
from memd.memories import routes as memories
from memd.memories.group_commit import GroupCommit
from memd.messages import routes as messages
from memd.messages import turn_routes
from memd.policy.rules import load_rules
from memd.prompt_context import routes as prompt_context
from memd.recall import routes as recall
from memd.reflection import routes as reflection
from memd.sessions import checkpoint_routes
from memd.sessions import routes as sessions
from memd.settings import Settings
from memd.stats import routes as stats

if TYPE_CHECKING:
    import httpx

    from memd.access.jwt import JwtVerifier
    from memd.embed.reranker import Reranker
    from memd.llm.model import Model
    from memd.policy.moderation import Moderator

log = structlog.get_logger()
ROOMS = (
    memories.room,
    batch_routes.room,
    editing_routes.room,
    origin_routes.room,
    recall.room,
    prompt_context.room,
    messages.room,
    turn_routes.room,
    sessions.room,
    checkpoint_routes.room,
    knowledge_bases.room,
    lifecycle_routes.room,
    query_routes.room,
    graph.room,
    reflection.room,
    jobs.room,
    stats.room,
    accounts.room,
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


def now_ms() -> int:
    """The clock of the process, epoch milliseconds."""
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def running(settings: Settings, conninfo: str, embedder: Embedder, model: int) -> AsyncGenerator[Services]:
    """The services of a process, from the open pool to the last drained reply."""
    logins = logins_of(settings, conninfo)
    async with (
        open_pools(logins, timeouts=_timeouts(settings)) as pools,
        JobQueue(logins.system, settings.database_job_timeout_s) as job_queue,
    ):
        outside = _outside(settings)
        rate_limiter = RateLimiter(settings, now_ms)
        database = Database(pools, queue.adding)
        background_tasks = BackgroundTasks()
        services = Services(
            settings=settings,
            database=database,
            batcher=Batcher(embedder, threads=settings.embed_threads, timeout_s=settings.embed_timeout_s),
            reranker=_reranker(settings),
            model=model,
            policy=load_rules(settings.policy_dir),
            moderator=_moderator(settings, outside),
            llm=_llm(settings, outside, rate_limiter),
            rate_limiter=rate_limiter,
            principals=PrincipalCache(),
            jwt=_jwt(settings),
            attempts=Attempts(rate_limiter.ledgers),
            background_tasks=background_tasks,
            captures=GroupCommit(),
            refusals=Refusals(background_tasks, database, now_ms),
            document_frequencies=DocumentFrequencies(now_ms),
            clock=now_ms,
            lifetime=AsyncExitStack(),
        )
        try:
            async with nullcontext() if settings.workers_off else working(job_queue, services):
                yield services
        finally:
            await _close(services)
            if outside is not None:
                await outside.aclose()


def _timeouts(settings: Settings) -> Timeouts:
    return Timeouts(settings.database_statement_timeout_s, settings.database_job_timeout_s)


async def _close(services: Services) -> None:
    """Finish what was begun, then close what holds threads and connections."""
    await services.lifetime.aclose()
    await services.captures.drain()
    await services.background_tasks.drain()
    await services.batcher.close()
    if services.reranker is not None:
        await services.reranker.close()
    await services.rate_limiter.close()


def _reranker(settings: Settings) -> "Reranker | None":
    encoder = make_cross_encoder(settings)
    if encoder is None:
        return None
    from memd.embed.reranker import Reranker

    return Reranker(encoder, timeout_s=settings.embed_timeout_s)


def _jwt(settings: Settings) -> "JwtVerifier | None":
    if settings.jwt_secret is None and settings.jwt_jwks is None:
        return None
    from memd.access.jwt import JwtVerifier, check_settings

    check_settings(settings)
    return JwtVerifier(settings, now_ms)


def _outside(settings: Settings) -> "httpx.AsyncClient | None":
    """What speaks to services that the settings name; httpx takes 0.2 s with its certificates, so only for them."""
    if settings.moderation_url is None and settings.llm_url is None:
        return None
    import httpx

    return httpx.AsyncClient()


def _moderator(settings: Settings, client: "httpx.AsyncClient | None") -> "Moderator | None":
    if client is None or settings.moderation_url is None:
        return None
    from memd.policy.moderation import Moderator

    return Moderator(client, settings.moderation_url, api_key=settings.moderation_key)


def _llm(settings: Settings, client: "httpx.AsyncClient | None", rate_limiter: RateLimiter) -> "Model | None":
    if client is None or settings.llm_url is None:
        return None
    from memd.llm.chat import Chat
    from memd.llm.model import Model

    chat = Chat(client, settings.llm_url, model=settings.llm_model, key=settings.llm_key)
    return Model(chat, rate_limiter.ledgers, now_ms)


def build(services: Services, mcp: McpLoader | None = None) -> ASGIApp:
    """The whole HTTP application around running services; without `mcp` it has a loader of its own."""
    loader = mcp or McpLoader(endpoints())
    routes = [
        McpRoute(loader.endpoint),
        *(_route(endpoint.method, endpoint.path, serve(endpoint)) for endpoint in endpoints()),
        *(_route(endpoint.method, endpoint.path, serve_open(endpoint)) for endpoint in open_endpoints()),
        *(_route(method, path, page) for (method, path), page in device_pages.PAGES.items()),
        *(_route("GET", path, handler) for path, handler in health.OPEN_PATHS.items()),
    ]
    app = Starlette(
        routes=routes,
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
    settings = services.settings
    inner: ASGIApp = app
    if settings.cors_origins:
        inner = CORSMiddleware(app, allow_origins=settings.cors_origins, allow_methods=["*"], allow_headers=["*"])
    return EnvelopeMiddleware(HostMiddleware(inner, settings), services, frozenset(settings.trusted_proxies))


def _route(method: str, path: str, handler: Callable[[Request], Awaitable[Response]]) -> Route:
    """A plain route, since our handlers read requests themselves, for this method alone: GET brings no HEAD along."""
    route = Route(path, handler, methods=[method])
    route.methods = {method}
    return route


async def _not_found(_request: Request, _error: Exception) -> Response:
    return error_reply(NotFound())


async def _left(request: Request, _error: Exception) -> Response:
    """The client has left before the whole body was sent, so this reply is never read."""
    log.info("request.left", method=request.method, path=request.url.path)
    return error_reply(BadRequest("The body is not complete"))


async def _unavailable(request: Request, error: Exception) -> Response:
    """A timeout or a database failure outside of the handler, such as while the key was looked up."""
    log_unavailable(f"{request.method} {request.url.path}", error)
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
