"""The path of an HTTP request through the order of processing that every endpoint shares (contract 1.3)."""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from memd.access.endpoint import Endpoint
from memd.access.http.envelope import Envelope
from memd.access.http.replies import LargeReply, error_reply, model_reply
from memd.access.rate_limits.body_bytes import BODIES, REPLIES, Held
from memd.access.request.body import is_small, parse_object, read_bytes
from memd.access.request.json_size import MAX_FIELD_VALUES, MAX_VALUES
from memd.access.steps import Caller, Sent, budget, identify, in_time, perform, query_fields
from memd.context import Services
from memd.errors import MemdError


def serve(endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    """The HTTP handler of an endpoint."""

    async def run(request: Request) -> Response:
        try:
            return await _run(endpoint, request)
        except MemdError as error:
            return error_reply(error)

    run.__name__ = endpoint.handler.__name__
    run.__doc__ = endpoint.handler.__doc__
    return run


async def _run(endpoint: Endpoint, request: Request) -> Response:
    services: Services = request.app.state.services
    envelope: Envelope = request.scope["memd.envelope"]
    caller = await identify(services, envelope, request.headers, jwt=endpoint.jwt)
    caller.permit(endpoint.scope, endpoint.alternative_scope)
    await caller.acquire_slot()
    with BODIES.receiving() as held:
        async with in_time(endpoint.name, budget(endpoint, services)):
            sent = await _sent(endpoint, request, caller, held)
            reply = await perform(endpoint, await _acting(endpoint, caller, sent), sent)
    response = reply if isinstance(reply, Response) else model_reply(reply, endpoint.status)
    held_bytes = response.held_bytes if isinstance(response, LargeReply) else len(response.body)
    envelope.held.enter_context(REPLIES.receiving()).add(held_bytes)
    return response


async def _acting(endpoint: Endpoint, caller: Caller, sent: Sent) -> Caller:
    """The principal of the request: an end user named in its fields passes steps 4 and 5 as well.

    Fields of the URL name one on every method: a deletion without a body would be of the account's own rows.
    """
    acting = await (await caller.as_named_by(sent.query)).as_named_by(sent.raw)
    if acting is not caller:
        acting.permit(endpoint.scope, endpoint.alternative_scope)
        await acting.change_slot()
    return acting


async def _sent(endpoint: Endpoint, request: Request, caller: Caller, held: Held) -> Sent:
    """Step 6; a body or a URL that cannot be read costs 1. The body is counted in `held`."""
    settings = caller.services.settings
    limit = settings.http_max_import_bytes if endpoint.bulk else settings.http_max_body_bytes
    from_url = endpoint.method == "GET"
    raw: dict[str, Any] = {}
    body = b""
    try:
        query = query_fields(request.scope)
        if not from_url:
            body = await read_bytes(request, limit, settings.http_body_timeout_s, held)
            if not is_small(body):
                await caller.require_credit()
            raw = await parse_object(body, MAX_VALUES if endpoint.bulk else MAX_FIELD_VALUES)
    except MemdError:
        await caller.debit(1)
        raise
    return Sent(raw=raw, path=request.path_params, query=query, from_url=from_url, size=len(body))
