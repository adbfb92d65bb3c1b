"""The path /mcp: POST is for the SDK, which is loaded when it is first needed (contract 14.2, 14.3)."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from memd.access.replies import JsonReply
from memd.context import Services
from memd.mcp.opening import Exchange

PATH: Final = "/mcp"
_REFUSED: Final = -32000
FindExchange: TypeAlias = Callable[[Services], Awaitable[Exchange]]


class McpRoute(Route):
    """POST goes to the endpoint, every other method is refused in the words of JSON-RPC (contract 14.3)."""

    def __init__(self, find_exchange: FindExchange) -> None:
        super().__init__(PATH, _Endpoint(find_exchange), methods=["POST"])

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request for the path."""
        if scope["method"] == "POST":
            await super().handle(scope, receive, send)
        else:
            refusal = rpc_error(405, _REFUSED, "Method not allowed: send JSON-RPC messages by POST", {"Allow": "POST"})
            await refusal(scope, receive, send)


class _Endpoint:
    def __init__(self, find_exchange: FindExchange) -> None:
        self._find_exchange = find_exchange
        self._exchange: Exchange | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one POST."""
        if self._exchange is None:
            self._exchange = await self._find_exchange(scope["app"].state.services)
        await self._exchange(scope, receive, send)


def rpc_error(status: int, code: int, message: str, headers: dict[str, str] | None = None) -> JsonReply:
    """An error of JSON-RPC that answers no message in particular."""
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    return JsonReply(body, status_code=status, headers=headers)
