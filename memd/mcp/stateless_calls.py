"""The stateless fast path: a tool call of the handshake era without a session of the SDK (contract 14.1).

The SDK opens a session for each POST of this era: streams, a server task, a loop that routes responses. A single call
with a single JSON result needs none of that, so it goes to `serve_one`, the part of the SDK that both eras share: it
validates the call, runs the tool and shapes the result for the protocol version. Everything else takes the SDK's
transport. This module goes when the SDK's own stateless mode costs less than a millisecond per call.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

import anyio
from mcp.server.connection import Connection
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_one
from mcp.server.streamable_http import check_accept_headers
from mcp.shared.dispatcher import CallOptions
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp.shared.jsonrpc_dispatcher import handler_exception_to_error_data
from mcp.shared.message import ServerMessageMetadata
from mcp.shared.transport_context import TransportContext
from mcp.types import DEFAULT_NEGOTIATED_VERSION, JSONRPCError, JSONRPCRequest, JSONRPCResponse, RequestId
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

_TRANSPORT: Final = TransportContext(kind="streamable-http", can_send_request=False)


def stateless_call(message: Any, request: Request) -> tuple[JSONRPCRequest, str] | None:
    """The message as a tool call that wants JSON, with its protocol version; None for everything else."""
    if not isinstance(message, dict) or cast("dict[str, Any]", message).get("method") != "tools/call":
        return None
    version = request.headers.get(MCP_PROTOCOL_VERSION_HEADER, DEFAULT_NEGOTIATED_VERSION)
    if version not in HANDSHAKE_PROTOCOL_VERSIONS or not check_accept_headers(request)[0]:
        return None
    try:
        return JSONRPCRequest.model_validate(message, by_name=False), version
    except ValidationError:
        return None


async def answer(server: Server[Any], message: Any, request: Request) -> Response | None:
    """The answer of the SDK's transport to such a call; None for everything else.

    An exception that the SDK has no error for is raised, and becomes a 500.
    """
    accepted = stateless_call(message, request)
    if accepted is None:
        return None
    call, version = accepted
    connection = Connection.from_envelope(version, None, None)
    channel = _Channel(call.id, ServerMessageMetadata(request_context=request), connection)
    try:
        result = await serve_one(server, channel, call.method, call.params, connection=connection, lifespan_state={})
        reply = JSONRPCResponse(jsonrpc="2.0", id=call.id, result=result)
    except Exception as error:
        known = handler_exception_to_error_data(error)
        if known is None:
            raise
        reply = JSONRPCError(jsonrpc="2.0", id=call.id, error=known)
    return Response(reply.model_dump_json(by_alias=True, exclude_unset=True), media_type="application/json")


@dataclass(slots=True)
class _Channel:
    """The channel to the client that the SDK expects while a call runs. Nothing can be sent through it."""

    request_id: RequestId
    message_metadata: ServerMessageMetadata
    connection: Connection
    transport: TransportContext = _TRANSPORT
    can_send_request: bool = False
    cancel_requested: anyio.Event = field(default_factory=anyio.Event)

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        return await self.connection.outbound.send_raw_request(method, params, opts)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        await self.connection.outbound.notify(method, params, opts)

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        await self.notify("notifications/progress", {"progress": progress, "total": total, "message": message})
