"""POST /mcp: the steps before a message is known (contract 1.3, 1–6; 14.2), then the SDK's transport."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

import anyio
import structlog
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp.types import PARSE_ERROR, JSONRPCError, JSONRPCResponse, jsonrpc_message_adapter
from mcp.types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from memd.access.body import SMALL_BYTES, NotJson, check_value, is_small, parse_json, read_bytes
from memd.access.envelope import Envelope
from memd.access.host_policy import HostPolicy
from memd.access.replies import JSON_TYPE, error_reply
from memd.access.steps import identify
from memd.context import Services
from memd.domain.types import KeyScope
from memd.errors import BadRequest, BodyTooLarge, Forbidden, MemdError, RateLimitExceeded
from memd.mcp.calls import Post
from memd.mcp.protocol import POST
from memd.mcp.replies import rpc_error
from memd.mcp.stateless_calls import answer
from memd.mcp.toolsets import toolset_choice

log = structlog.get_logger()
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
        try:
            await self._serve(Request(scope, receive), send)
        except NotJson as error:
            await rpc_error(400, PARSE_ERROR, f"Parse error: {error.fields['details']}")(scope, receive, send)
        except MemdError as error:
            await error_reply(error)(scope, receive, send)

    async def _serve(self, request: Request, send: Send) -> None:
        headers = request.headers
        if not self._hosts.allows(headers.get("host"), headers.get("origin")):
            log.warning("mcp.host_refused", host=headers.get("host"), origin=headers.get("origin"))
            raise Forbidden
        envelope: Envelope = request.scope["memd.envelope"]
        caller = await identify(self._services, envelope, headers)
        post = Post(caller, toolset_choice(request.scope["query_string"]))
        post.caller.permit(KeyScope.READ)
        try:
            await post.caller.take_place()
        except RateLimitExceeded as refusal:
            post.refusal = refusal
        message, raw = await self._message(request, post)
        await self._answer(request, message, raw, post, send)

    async def _message(self, request: Request, post: Post) -> tuple[Any, bytes]:
        """Step 6: the JSON that the SDK is to read, and its text; what is too large or no JSON costs 1."""
        settings = self._services.settings
        try:
            raw = await read_bytes(request, settings.http_max_import_bytes, settings.http_body_timeout_s)
            if len(raw) > settings.http_max_body_bytes and _BULK_TOOL not in raw:
                raise BodyTooLarge(settings.http_max_body_bytes)
            message = await parse_json(raw)
        except MemdError:
            await post.caller.debit(1)
            raise
        post.size = len(raw)
        arguments = _arguments(message)
        try:
            check_value(raw, arguments)
        except BadRequest as refusal:
            post.refusal = post.refusal or refusal
        rest = message if arguments is None else message | {"params": message["params"] | {"arguments": {}}}
        _check_rest(raw, rest)
        if is_small(raw):
            return message, raw
        # Large arguments do not pass through the SDK, which would read and check them once more on the event loop.
        post.arguments = arguments
        bare = json.dumps(rest).encode()
        if not is_small(bare):
            raise BodyTooLarge(SMALL_BYTES)
        return rest, bare

    async def _answer(self, request: Request, message: Any, raw: bytes, post: Post, send: Send) -> None:
        """Let the SDK answer; when the client leaves before that, the work is cancelled and its end waited for."""
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
    """The arguments of a tool call; None when there are none."""
    params: Any = cast("dict[str, Any]", message).get("params") if isinstance(message, dict) else None
    arguments: Any = cast("dict[str, Any]", params).get("arguments") if isinstance(params, dict) else None
    return cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else None


def _check_rest(raw: bytes, rest: Any) -> None:
    """The text rules for what is not a tool's arguments, whose refusal is the tool's answer: here there is no tool yet."""
    try:
        check_value(raw, rest)
    except BadRequest as error:
        raise NotJson(error.fields["details"]) from None


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
    """The body once more; after it nothing comes."""
    messages: list[Message] = [{"type": "http.request", "body": raw, "more_body": False}]

    async def receive() -> Message:
        if not messages:
            await anyio.sleep_forever()
        return messages.pop()

    return receive


def _stamped(send: Send, post: Post) -> Callable[[Message], Awaitable[None]]:
    """Puts the tool's answer into the SDK's reply, which is one piece, and into its headers what they are to say."""
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
    """Every body is read as JSON (contract 1.1.9), and who does not say what it accepts accepts JSON (14.2).

    White space around a value is no part of it, though not every server takes it off.
    """
    bare = [(name, value.strip()) for name, value in headers if name != b"content-type"]
    kept = [(name, value) for name, value in bare if name != b"accept" or value]
    if not any(name == b"accept" for name, _value in kept):
        kept.append((b"accept", b"application/json"))
    return [*kept, (b"content-type", b"application/json")]
