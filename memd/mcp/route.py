"""The path /mcp: POST goes to the endpoint, which is loaded when it is first needed (contract 14.2, 14.3)."""

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
        super().__init__(PATH, find_endpoint, methods=["POST"])
        self._find_endpoint = find_endpoint
        self._found: McpEndpoint | None = None

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request for the path."""
        if scope["method"] != "POST":
            message = "Method not allowed: send JSON-RPC messages by POST"
            await rpc_error(405, _METHOD_NOT_ALLOWED, message, {"Allow": "POST"})(scope, receive, send)
            return
        if self._found is None:
            self._found = await self._find_endpoint(scope["app"].state.services)
        await self._found(scope, receive, send)
