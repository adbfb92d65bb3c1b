"""The span of a request: method, route and status, never its path or its texts."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memd.access.http.route_template import route_template
from memd.tracing.spans import TRACEPARENT, Kind, Span, span

_FAILED = 500


class TracingMiddleware:
    """Makes a span for each request, a child of the span that the client names in `traceparent`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI event stream."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        method: str = scope["method"]
        parent = Headers(scope=scope).get(TRACEPARENT)
        with span(method, {"http.request.method": method}, kind=Kind.SERVER, parent=parent) as current:

            async def send_noting(message: Message) -> None:
                if message["type"] == "http.response.start":
                    _note_status(current, message["status"])
                await send(message)

            try:
                await self._app(scope, receive, send_noting)
            finally:
                _note_request(current, scope)


def _note_status(current: Span, status: int) -> None:
    current.note({"http.response.status_code": status})
    if status >= _FAILED:
        current.fail()


def _note_request(current: Span, scope: Scope) -> None:
    """The route, once one was found, and the id that the client sees."""
    current.note({"memd.request_id": scope["memd.envelope"].wire_id})
    route = route_template(scope)
    if route is not None:
        current.rename(f"{scope['method']} {route}")
        current.note({"http.route": route})
