"""The headers of every response, errors and unknown paths included (contract 1.4): pure ASGI around the whole app."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

import psycopg
import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memd.access.authentication.authenticate import look_up
from memd.access.http.replies import PIECE, error_reply
from memd.access.http.route_template import route_template
from memd.context import Services
from memd.domain.accounts.credits import RateView
from memd.domain.ids import encode, new_id
from memd.errors import InternalError, MemdError

log = structlog.get_logger()
VIEW_WAIT_S: Final = 1.0
"""Seconds that a response which needs no key waits for the numbers of a key that came with the request."""
_SERVER_ERROR = 500
REFUSAL: Final = "memd.refusal"
"""Name in the scope of the error that answers a request which the connection could not read."""


@dataclass(slots=True)
class Envelope:
    """The data behind the headers of one response, and the resources that it holds until its last byte is sent.

    `operation_id` is known once the caller is identified; None when the request is an operation of its own.
    """

    address: str
    request_id: UUID = field(default_factory=new_id)
    operation_id: UUID | None = None
    rate: RateView | None = None
    held: AsyncExitStack = field(default_factory=AsyncExitStack)

    @property
    def wire_id(self) -> str:
        """The request id as clients see it."""
        return encode("req", self.request_id)


class EnvelopeMiddleware:
    """Makes the request id, adds the headers, and turns any unhandled exception into the 500 of the contract."""

    def __init__(self, app: ASGIApp, services: Services, trusted_proxies: frozenset[str]) -> None:
        self._app = app
        self._services = services
        self._trusted = trusted_proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI event stream."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        envelope = Envelope(address=client_address(scope, self._trusted))
        scope["memd.envelope"] = envelope
        app = error_reply(scope[REFUSAL]) if REFUSAL in scope else self._app
        started = complete = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started, complete
            if message["type"] == "http.response.start":
                started = True
                await self._stamp(message, envelope, Headers(scope=scope))
            elif message["type"] == "http.response.body":
                complete = not message.get("more_body", False)
                await _send_pieces(message, send)
                return
            await send(message)

        with structlog.contextvars.bound_contextvars(requestId=envelope.wire_id):
            async with envelope.held:
                try:
                    await app(scope, receive, send_with_headers)
                except Exception:
                    log.exception("request.failed", method=scope["method"], route=route_template(scope))
                    if started and not complete:
                        raise
                    if not started:
                        await internal_error(envelope)(scope, receive, send_with_headers)

    async def _view_caller(self, header: str | None, address: str) -> RateView | None:
        """The numbers of the caller behind an `Authorization` header; None without a valid key or a database in time."""
        try:
            async with asyncio.timeout(VIEW_WAIT_S):
                caller = await look_up(self._services, header, address)
                return None if caller is None else await self._services.rate_limiter.view(caller)
        except (MemdError, psycopg.Error, TimeoutError):
            return None

    async def _stamp(self, message: Message, envelope: Envelope, request: Headers) -> None:
        rate = envelope.rate
        if rate is None and message["status"] < _SERVER_ERROR:
            rate = await self._view_caller(request.get("authorization"), envelope.address)
        rate = rate or await self._services.rate_limiter.view_address(envelope.address)
        headers = MutableHeaders(scope=message)
        headers["X-Request-Id"] = envelope.wire_id
        headers.update(rate.headers)
        headers.setdefault("Cache-Control", "no-store")


async def _send_pieces(message: Message, send: Send) -> None:
    """Send a body piece by piece, each once the client has taken the one before.

    The server buffers a whole body and returns at once: the slot of the caller, and the count of its
    replies, would be given back long before the last byte is sent.
    """
    body: bytes = message.get("body", b"")
    more: bool = message.get("more_body", False)
    for start in range(0, max(len(body), 1), PIECE):
        end = start + PIECE
        await send({**message, "body": body[start:end], "more_body": more or end < len(body)})


def internal_error(envelope: Envelope) -> Response:
    """The 500 of the contract: it discloses only the request id."""
    return error_reply(InternalError(envelope.wire_id))


def client_address(scope: Scope, trusted: frozenset[str]) -> str:
    """The socket peer, or the last forwarded address that no configured proxy added."""
    peer: str = (scope.get("client") or ("unknown", 0))[0]
    if peer not in trusted:
        return peer
    forwarded = [
        part.strip()
        for name, value in scope["headers"]
        if name == b"x-forwarded-for"
        for part in value.decode("latin-1").split(",")
    ]
    return next((address for address in reversed(forwarded) if address not in trusted), peer)
