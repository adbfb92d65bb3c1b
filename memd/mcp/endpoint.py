"""POST /mcp: the steps before the message is parsed (contract 1.3, 1–6; 14.2), then the SDK's transport."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

import anyio
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp.types import INVALID_REQUEST, PARSE_ERROR, JSONRPCError, JSONRPCResponse, jsonrpc_message_adapter
from mcp.types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from memd.access.http.envelope import Envelope
from memd.access.http.host_policy import HostPolicy
from memd.access.http.replies import JSON_TYPE, error_reply
from memd.access.rate_limits.body_bytes import BODIES, Held
from memd.access.request.body import SMALL_BYTES, NotJson, check_value, is_small, parse_json, read_bytes
from memd.access.request.json_size import MAX_FIELD_VALUES, MAX_VALUES
from memd.access.steps import identify, query_fields
from memd.context import Services
from memd.domain.types import KeyScope
from memd.errors import BadRequest, BodyTooLarge, Forbidden, MemdError, RateLimitExceeded
from memd.mcp.calls import Post
from memd.mcp.protocol import POST
from memd.mcp.replies import rpc_error
from memd.mcp.stateless_calls import answer
from memd.mcp.toolsets import toolset_choice

_RESPONSES: Final = (JSONRPCResponse, JSONRPCError)
_BULK_TOOL: Final = b'"import_knowledge"'


class McpEndpoint:
    """Answers POST requests through the SDK's transport."""

    def __init__(self, services: Services, manager: StreamableHTTPSessionManager) -> None:
        self._services = services
        self._manager = manager
        self._hosts = HostPolicy(services.settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one POST."""
        request = Request(scope, receive)
        host, origin = request.headers.get("host"), request.headers.get("origin")
        try:
            if not self._hosts.allows(host, origin):
                self._hosts.log_refusal("mcp.host_refused", host=host, origin=origin)
                raise Forbidden
            envelope: Envelope = scope["memd.envelope"]
            fields = query_fields(scope)
            caller = await (await identify(self._services, envelope, request.headers)).as_named_by(fields)
            post = Post(caller, toolset_choice(fields))
            caller.permit(KeyScope.READ)
            try:
                await caller.acquire_slot()
            except RateLimitExceeded as refusal:
                post.refusal = refusal
            with BODIES.receiving() as held:
                message, raw = await self._message(request, post, held)
                if _has_invalid_id(message):
                    await _refuse_id(scope, receive, send)
                    return
                await self._answer(request, message, raw, post, send)
        except NotJson as error:
            await rpc_error(400, PARSE_ERROR, f"Parse error: {error.fields['details']}")(scope, receive, send)
        except MemdError as error:
            await error_reply(error)(scope, receive, send)

    async def _message(self, request: Request, post: Post, held: Held) -> tuple[Any, bytes]:
        """Step 6: the message for the SDK, parsed and as bytes; `held` counts them. A body too large or not valid JSON costs 1.

        A tool's arguments that break the text rules are refused by the tool; without a tool, any such text is not JSON.
        """
        settings = self._services.settings
        try:
            raw = await read_bytes(request, settings.http_max_import_bytes, settings.http_body_timeout_s, held)
            if len(raw) > settings.http_max_body_bytes and _BULK_TOOL not in raw:
                raise BodyTooLarge(settings.http_max_body_bytes)
            if not is_small(raw):
                await post.caller.require_credit()
            message = await parse_json(raw, MAX_VALUES if _BULK_TOOL in raw else MAX_FIELD_VALUES)
        except MemdError:
            await post.caller.debit(1)
            raise
        post.size = len(raw)
        arguments = _arguments(message)
        try:
            await check_value(raw, arguments)
        except BadRequest as refusal:
            post.refusal = post.refusal or refusal
        rest = message if arguments is None else message | {"params": message["params"] | {"arguments": {}}}
        try:
            await check_value(raw, rest)
        except BadRequest as error:
            raise NotJson(error.fields["details"]) from None
        if is_small(raw):
            return message, raw
        # Large arguments bypass the SDK, which would parse and validate them again on the event loop.
        post.arguments = arguments
        bare = json.dumps(rest).encode()
        if not is_small(bare):
            raise BodyTooLarge(SMALL_BYTES)
        return rest, bare

    async def _answer(self, request: Request, message: Any, raw: bytes, post: Post, send: Send) -> None:
        """Let the SDK answer. When the client disconnects first, the work is cancelled and awaited."""
        scope: Scope = {**request.scope, POST: post, "headers": _tolerant(request.scope["headers"])}
        stamped, tolerated = _stamped(send, post), Request(scope)
        with anyio.CancelScope() as work:
            leaving = asyncio.create_task(_end_with_client(request.receive, work))
            try:
                reply = await answer(self._manager.app, message, tolerated)
                if reply is None and _answers_nothing(message, tolerated):
                    reply = Response(status_code=202)
                if reply is None:
                    await self._manager.handle_request(scope, _replay(raw), stamped)
                else:
                    await reply(scope, request.receive, stamped)
            finally:
                leaving.cancel()


async def _end_with_client(receive: Receive, work: anyio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    work.cancel()


def _arguments(message: Any) -> dict[str, Any] | None:
    """The arguments of a tool call; None if it has none."""
    params: Any = cast("dict[str, Any]", message).get("params") if isinstance(message, dict) else None
    arguments: Any = cast("dict[str, Any]", params).get("arguments") if isinstance(params, dict) else None
    return cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else None


def _has_invalid_id(message: Any) -> bool:
    """Whether a request has an id that MCP does not allow; a notification may have one that is null."""
    if not isinstance(message, dict) or "method" not in message or "id" not in message:
        return False
    fields = cast("dict[str, Any]", message)
    if fields["id"] is None and str(fields["method"]).startswith("notifications/"):
        return False
    return not isinstance(fields["id"], str | int) or isinstance(fields["id"], bool)


async def _refuse_id(scope: Scope, receive: Receive, send: Send) -> None:
    """The answer to such a request; the SDK would take it for a notification and give none."""
    reply = rpc_error(400, INVALID_REQUEST, "Invalid Request: id must be a string or an integer")
    await reply(scope, receive, send)


def _answers_nothing(message: Any, request: Request) -> bool:
    """Whether this is a response, which is accepted in every era (contract 14.2); the SDK refuses it in the newest."""
    modern = request.headers.get(MCP_PROTOCOL_VERSION_HEADER) in MODERN_PROTOCOL_VERSIONS
    if not modern or not isinstance(message, dict) or "method" in message:
        return False
    try:
        return isinstance(jsonrpc_message_adapter.validate_python(message, by_name=False), _RESPONSES)
    except ValidationError:
        return False


def _replay(raw: bytes) -> Receive:
    """A `receive` that returns the body again and then waits forever."""
    messages: list[Message] = [{"type": "http.request", "body": raw, "more_body": False}]

    async def receive() -> Message:
        if not messages:
            await anyio.sleep_forever()
        return messages.pop()

    return receive


def _stamped(send: Send, post: Post) -> Callable[[Message], Awaitable[None]]:
    """`send`, with the tool's answer put into the body of the SDK's reply (one part) and the headers to match."""
    begun: Message = {}

    async def stamped(message: Message) -> None:
        if message["type"] == "http.response.start":
            begun.update(message)
            return
        body: bytes = message.get("body", b"")
        headers = MutableHeaders(scope=begun)
        if post.answer is not None:
            body = post.answer.put_into(body)
            headers["content-length"] = str(len(body))
        if headers.get("content-type") == "application/json":
            headers["content-type"] = JSON_TYPE
        headers.update(post.headers)
        await send(begun)
        await send({**message, "body": body})

    return stamped


def _tolerant(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers with `Content-Type: application/json` (contract 1.1.9) and, without an Accept, one for JSON (14.2).

    White space around a value is removed, which not every server does.
    """
    bare = [(name, value.strip()) for name, value in headers if name != b"content-type"]
    kept = [(name, value) for name, value in bare if name != b"accept" or value]
    if not any(name == b"accept" for name, _value in kept):
        kept.append((b"accept", b"application/json"))
    return [*kept, (b"content-type", b"application/json")]
