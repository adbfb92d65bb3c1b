"""`memctl tui --web`: memtui in a browser of this machine, by textual-serve.

Whoever reaches the page acts with the API key of this process, so only the holder of the printed address gets in. Its
token works once: it is exchanged for a session cookie, and the redirect that follows removes it from the URL. Host and
Origin are checked against DNS rebinding and against pages of other sites that open the WebSocket. The API key goes to
memtui in the environment and never to the browser.
"""

import hmac
import secrets
import shlex
import socket
import sys
from collections.abc import Awaitable, Callable

import click
from aiohttp import web
from textual_serve.server import Server

from memctl.diagnostics import ExitCode, give_up

HOST = "127.0.0.1"
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline';"
    " connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
SHUTDOWN_S = 0.5
"""How long an open WebSocket may delay the end."""


def serve(port: int, *, light: bool) -> None:
    """Serve memtui on this port of loopback, 0 for a free one, until interrupted.

    Each tab that is opened runs a separate memtui, which finds memd by the environment of this process.
    """
    command = [sys.executable, "-P", "-m", "memctl", "tui", *(["--light"] if light else [])]
    try:
        listener = socket.create_server((HOST, port))
    except OSError as error:
        give_up(f"cannot listen on {HOST}:{port}: {error.strerror or error}", ExitCode.UNEXPECTED)
    with listener:
        _LocalServer(shlex.join(command), listener).serve()


class _LocalServer(Server):
    """The server of textual-serve for one person on this machine."""

    def __init__(self, command: str, listener: socket.socket) -> None:
        port: int = listener.getsockname()[1]
        super().__init__(command, host=HOST, port=port, title="memtui", public_url=f"http://{HOST}:{port}")
        self._listener = listener
        self._cookie = f"memtui_{port}"  # a browser sends the cookies of a host to all of its ports
        self._session = secrets.token_urlsafe(32)
        self._token = secrets.token_urlsafe(32)
        self._token_used = False

    def serve(self, debug: bool = False) -> None:
        """Answer requests until SIGINT or SIGTERM."""
        self.debug = debug
        web.run_app(self._make_app(), sock=self._listener, print=None, access_log=None, shutdown_timeout=SHUTDOWN_S)

    async def on_startup(self, app: web.Application) -> None:  # noqa: ARG002 - aiohttp passes it
        """Print the address with its token."""
        click.echo(f"memtui: {self.public_url}/?token={self._token}")
        click.echo("The address opens once, in a browser on this machine. Ctrl+C ends the server.", err=True)

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._admit)
        app.on_response_prepare.append(_add_headers)
        return app

    @web.middleware
    async def _admit(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        if not self._is_own_page(request):
            raise web.HTTPForbidden(text="Wrong Host or Origin.\n")
        if request.method == "GET" and request.path == "/" and self._redeem(request.query.get("token", "")):
            return self._signed_in()
        if not _is_same(request.cookies.get(self._cookie, ""), self._session):
            raise web.HTTPForbidden(text="Open the address that memctl printed; it works once. Otherwise start anew.\n")
        return await handler(request)

    def _is_own_page(self, request: web.Request) -> bool:
        """Whether Host and Origin are ours; a page may be asked for without Origin, the WebSocket may not."""
        origin = request.headers.get("Origin")
        is_own_origin = origin == self.public_url or (origin is None and request.path != "/ws")
        return is_own_origin and request.host == f"{HOST}:{self.port}"

    def _redeem(self, token: str) -> bool:
        """Whether this is the token, for the first time."""
        if self._token_used or not _is_same(token, self._token):
            return False
        self._token_used = True
        return True

    def _signed_in(self) -> web.Response:
        response = web.Response(status=303, headers={"Location": "/"})
        response.set_cookie(self._cookie, self._session, httponly=True, samesite="Strict", path="/")
        return response


def _is_same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), secret.encode())


async def _add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)
