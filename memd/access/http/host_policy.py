"""Which Host headers memd accepts, and which Origin headers /mcp does; a browser cannot forge them (contract 14.4).

A page of another site must not reach a memd on the same machine, neither by a request across origins nor by a name that
it rebinds to a loopback address.
"""

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from memd.access.http.replies import error_reply
from memd.errors import BadRequest, Forbidden
from memd.logs import Repeats
from memd.settings import Settings

log = structlog.get_logger()
OPEN_PATHS: Final = frozenset({"/healthz", "/readyz"})
"""Probes call by address, and learn nothing."""
_ANY: Final = "*"
_LOGGED_MAX: Final = 255
"""Characters of a header that are logged: a host name has at most 253."""


class HostPolicy:
    """The hosts and origins that the settings allow."""

    def __init__(self, settings: Settings) -> None:
        self._origins = frozenset(origin.rstrip("/").lower() for origin in settings.cors_origins)
        named = [name.lower() for name in settings.allowed_hosts]
        own = _name(settings.base_url) if settings.base_url else None
        self._hosts = frozenset([*named, *([own] if own else [])])
        self._repeats = Repeats()
        self._any_host = _ANY in named or not (named or is_loopback(settings.host))

    def allows(self, host: str | None, origin: str | None) -> bool:
        """Whether a request with these headers is accepted; programs that are not browsers send no Origin."""
        if not self.allows_host(host):
            return False
        return not origin or _ANY in self._origins or origin.lower() in self._origins or self._is_own(origin, host)

    def allows_host(self, host: str | None) -> bool:
        """Whether memd answers under this name."""
        return self._any_host or self._is_known(_name(f"//{host}") if host else None)

    def log_refusal(self, event: str, **fields: str | None) -> None:
        """Log refused headers, once in half a minute: whoever can reach the port may send such requests without end."""
        if self._repeats.is_new(event):
            shown = {name: None if value is None else value[:_LOGGED_MAX] for name, value in fields.items()}
            log.warning(event, **shown)

    def _is_known(self, name: str | None) -> bool:
        return name is not None and (is_loopback(name) or name in self._hosts)

    def _is_own(self, origin: str, host: str | None) -> bool:
        """Whether the request comes from a page that memd served: same host, and not one open to DNS rebinding."""
        return bool(host and urlsplit(origin).netloc.lower() == host.lower() and self._is_known(_name(origin)))


class HostMiddleware:
    """Refuses requests for a host name that is not memd's, on every path, and those with several `Host` headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._policy = HostPolicy(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI event stream."""
        app = self._app
        hosts = Headers(scope=scope).getlist("host") if scope["type"] == "http" else []
        if len(hosts) > 1:
            app = error_reply(BadRequest("Header Host must be sent once"))
        elif scope["type"] == "http" and scope["path"] not in OPEN_PATHS:
            host = hosts[0] if hosts else None
            if not self._policy.allows_host(host):
                self._policy.log_refusal("host.refused", host=host, setting="MEMD_ALLOWED_HOSTS")
                app = error_reply(Forbidden())
        await app(scope, receive, send)


def is_loopback(name: str) -> bool:
    """Whether a host name or address stays on this machine."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def _name(address: str) -> str | None:
    """The host name of an address, in lower case, without port and brackets."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
