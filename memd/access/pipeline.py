"""The order of processing that every endpoint shares (contract 1.3, steps 3–8 and 15)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast
from uuid import UUID

import structlog
from psycopg_pool import PoolTimeout
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from memctl.wire.base import PatchModel
from memctl.wire.imports import MAX_CHUNKS
from memd.access.authenticate import authenticate
from memd.access.body import check_text, parse_object, read_bytes
from memd.access.endpoint import Call, Endpoint
from memd.access.envelope import Envelope
from memd.access.gate import RateView
from memd.access.principal import Principal
from memd.access.replies import error_reply, model_reply
from memd.context import Context, Services
from memd.errors import (
    BadRequest,
    Forbidden,
    ImportTooLarge,
    InvalidChunk,
    MemdError,
    RateLimitExceeded,
    ServerBusy,
    Unauthorized,
)
from memd.validation import details_of, invalid_chunk_of

log = structlog.get_logger()
_INLINE_CHUNKS = 64


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
    principal = await _identify(endpoint, request, services, envelope)
    envelope.rate = await services.gate.view(principal)
    if not principal.may(endpoint.scope):
        raise Forbidden
    await envelope.held.enter_async_context(services.gate.slot(principal))
    # An import bounds its own embedding; what is embedded by then or not is always written, so it never ends with 503.
    budget = None if endpoint.bulk else services.settings.http_request_timeout_s
    try:
        async with asyncio.timeout(budget):
            return await _admitted(endpoint, request, services, envelope, principal)
    except (TimeoutError, PoolTimeout):
        log.warning("request.timeout", endpoint=endpoint.name)
        raise ServerBusy from None


async def _identify(endpoint: Endpoint, request: Request, services: Services, envelope: Envelope) -> Principal:
    """Step 3; a caller without a valid key draws from the bucket of its address."""
    try:
        return await authenticate(services, request.headers.get("authorization"), jwt=endpoint.jwt)
    except Unauthorized:
        envelope.rate = await services.gate.debit_address(envelope.address)
        raise


async def _admitted(
    endpoint: Endpoint, request: Request, services: Services, envelope: Envelope, principal: Principal
) -> Response:
    """Steps 6–15."""
    settings = services.settings
    limit = settings.http_max_import_bytes if endpoint.bulk else settings.http_max_body_bytes
    raw: dict[str, Any] = {}
    if endpoint.method != "GET":
        try:
            raw = await parse_object(await read_bytes(request, limit))
        except MemdError:
            envelope.rate = await _debit(services, envelope, principal, 1)
            raise
    cost = await endpoint.price(raw, principal.allowance) if endpoint.price else endpoint.credits
    envelope.rate = await _debit(services, envelope, principal, cost)
    context = _context(services, principal, envelope.request_id)
    known = await endpoint.before(context, raw) if endpoint.before else None
    if known is not None:
        return model_reply(known, endpoint.status)
    call = await _validated(endpoint, request, raw, context, envelope.address)
    reply = await endpoint.handler(call)
    return reply if isinstance(reply, Response) else model_reply(reply, endpoint.status)


async def _debit(services: Services, envelope: Envelope, principal: Principal, cost: int) -> RateView:
    try:
        return await services.gate.debit(principal, cost)
    except RateLimitExceeded:
        envelope.rate = await services.gate.view(principal)
        raise


def _chunk_count(raw: dict[str, Any]) -> int:
    chunks = raw.get("chunks")
    return len(cast("list[Any]", chunks)) if isinstance(chunks, list) else 0


def _context(services: Services, principal: Principal, request_id: UUID) -> Context:
    return Context(services=services, principal=principal, request_id=request_id, now=services.clock())


async def _validated(
    endpoint: Endpoint, request: Request, raw: dict[str, Any], context: Context, address: str
) -> Call[Any]:
    """Step 8: the fields, of the body or of the URL; large batches are read off the event loop."""
    query = url_fields(request)
    facts = {"require_chunk_title": context.services.settings.kb_require_chunk_title}
    if endpoint.query is not None:
        parse_model(endpoint.query, query, {"source": "query"})
    if endpoint.method == "GET":
        body = parse_model(endpoint.body, query, {"source": "query"})
    elif _chunk_count(raw) > _INLINE_CHUNKS:
        if _chunk_count(raw) > MAX_CHUNKS:
            raise ImportTooLarge(_chunk_count(raw))
        body = await asyncio.to_thread(parse_model, endpoint.body, raw, facts)
    else:
        body = parse_model(endpoint.body, raw, facts)
    return Call(context=context, body=body, path=request.path_params, query=query, address=address)


def url_fields(request: Request) -> dict[str, str]:
    """The query part of the URL, by the text rules of contract 1.1.3."""
    query = dict(request.query_params)
    for name, text in query.items():
        check_text(name, text)
    return query


def parse_model(model: type[PatchModel], raw: dict[str, Any], facts: dict[str, Any]) -> PatchModel:
    """The fields as a wire model; `BadRequest` or `InvalidChunk` in the words of contract 1.5."""
    try:
        return model.from_body(raw, facts)
    except ValidationError as error:
        chunk = invalid_chunk_of(error)
        if chunk is not None:
            raise InvalidChunk(*chunk) from None
        raise BadRequest(details_of(error)) from None
