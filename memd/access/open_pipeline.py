"""The path of a request that needs no key: the server-wide safeguard, the fields, the handler (contract 1.6.7)."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from starlette.requests import Request
from starlette.responses import Response

from memctl.wire.base import PatchModel
from memd.access.endpoint import OpenEndpoint, Visit
from memd.access.http.envelope import Envelope
from memd.access.http.replies import error_reply, model_reply
from memd.access.rate_limits.body_bytes import BODIES, Held
from memd.access.request.body import parse_object, read_bytes
from memd.access.steps import check_texts, in_time, parse_model, query_fields
from memd.context import Services
from memd.errors import MemdError

MAX_BYTES = 64 * 1024


def serve_open(endpoint: OpenEndpoint) -> Callable[[Request], Awaitable[Response]]:
    """The HTTP handler of an open endpoint."""

    async def run(request: Request) -> Response:
        try:
            async with admitted(request, endpoint.name):
                with BODIES.receiving() as held:
                    return model_reply(await endpoint.handler(await _visit(endpoint, request, held)), 200)
        except MemdError as error:
            return error_reply(error)

    run.__name__ = endpoint.handler.__name__
    run.__doc__ = endpoint.handler.__doc__
    return run


@asynccontextmanager
async def admitted(request: Request, name: str) -> AsyncGenerator[Services]:
    """A slot of the server until the last byte, and the usual time; `ServerBusy` when either runs out."""
    services: Services = request.app.state.services
    envelope: Envelope = request.scope["memd.envelope"]
    await envelope.held.enter_async_context(services.rate_limiter.open_slot(envelope.address))
    async with in_time(name, services.settings.http_request_timeout_s):
        yield services


async def _visit(endpoint: OpenEndpoint, request: Request, held: Held) -> Visit[PatchModel]:
    """What the handler gets; the body is counted in `held`."""
    services: Services = request.app.state.services
    if endpoint.method == "GET":
        query = query_fields(request.scope)
        check_texts(query)
        body = parse_model(endpoint.body, dict(query), {"source": "query"})
    else:
        raw = await read_bytes(request, MAX_BYTES, services.settings.http_body_timeout_s, held)
        body = parse_model(endpoint.body, await parse_object(raw), {})
    envelope: Envelope = request.scope["memd.envelope"]
    return Visit(
        services=services,
        body=body,
        address=envelope.address,
        origin=services.settings.base_url or str(request.base_url),
        now=services.clock(),
    )
