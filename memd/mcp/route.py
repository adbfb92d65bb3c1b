"""The path /mcp: POST is for the endpoint, which is loaded when it is first needed (contract 14.2, 14.3)."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from memd.context import Services
from memd.mcp.replies import PATH, rpc_error

if TYPE_CHECKING:
    from memd.mcp.endpoint import McpEndpoint

_METHOD_NOT_ALLOWED: Final = -32000
FindEndpoint: TypeAlias = "Callable[[Services], Awaitable[McpEndpoint]]"


class McpRoute(Route):
    """POST goes to the endpoint, every other method gets a JSON-RPC error (contract 14.3)."""

    def __init__(self, find_endpoint: FindEndpoint) -> None:
        super().__init__(PATH, _Post(find_endpoint), methods=["POST"])

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request for the path."""
        if scope["method"] == "POST":
            await super().handle(scope, receive, send)
        else:
            message = "Method not allowed: send JSON-RPC messages by POST"
            await rpc_error(405, _METHOD_NOT_ALLOWED, message, {"Allow": "POST"})(scope, receive, send)


class _Post:
    def __init__(self, find_endpoint: FindEndpoint) -> None:
        self._find_endpoint = find_endpoint
        self._endpoint: McpEndpoint | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one POST."""
        if self._endpoint is None:
            self._endpoint = await self._find_endpoint(scope["app"].state.services)
        await self._endpoint(scope, receive, send)
