"""MCP messages, passed on as they are."""

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any, cast

from memctl.client.errors import ProtocolError
from memctl.client.transport import AnyReply, Transport, read_reply
from memctl.json_values import fields

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_UNAVAILABLE = -32000
Message = Mapping[str, Any]


class Mcp:
    """The endpoint of contract 14 for one conversation: it remembers the protocol version that was agreed upon."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._version: str | None = None

    async def exchange(self, message: Message, tools: str | None = None) -> dict[str, Any] | None:
        """The answer to a JSON-RPC message; None to a notification.

        Raises `memctl.client.errors`: NotReachable when memd does not answer, Unauthorized when it refuses the key.
        `tools` is the toolset that the endpoint lists: `core`, or every tool when absent.
        """
        params = None if tools is None else {"tools": tools}
        sent = {"content": _content(message), "headers": self._headers(message), "params": params}
        answer = await self._transport.send("POST", "/mcp", **sent)
        if answer.status_code == 202:
            return None
        try:
            body: Any = answer.json()
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict) or "jsonrpc" not in body:
            read_reply(answer, AnyReply)
            raise ProtocolError(f"{answer.url} answered {answer.status_code} without a JSON-RPC message")
        reply = cast("dict[str, Any]", body)
        if message.get("method") == "initialize":
            version = fields(reply.get("result")).get("protocolVersion")
            self._version = version if isinstance(version, str) else None
        return reply

    def _headers(self, message: Message) -> dict[str, str]:
        """The HTTP headers of a message: the version; since 2026-07-28 the method and its object."""
        params = fields(message.get("params"))
        meta = fields(params.get("_meta"))
        method = str(message.get("method", ""))
        headers = {"Accept": "application/json, text/event-stream"}
        if modern := meta.get(VERSION_KEY):
            headers |= {"MCP-Protocol-Version": _header(str(modern)), "Mcp-Method": _header(method)}
            if named := params.get(_NAMED.get(method, "")):
                headers["Mcp-Name"] = _header(str(named))
        elif self._version and method != "initialize":
            headers["MCP-Protocol-Version"] = _header(self._version)
        return headers


def _content(message: Message) -> bytes:
    """The message in JSON. What JSON or UTF-8 does not know stays what it is, so that memd can refuse it."""
    try:
        return json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half of a character, which a text that was cut off ends with
        return json.dumps(message).encode()


def _header(value: str) -> str:
    """The value of a header; MCP has other text than printable ASCII in base64."""
    if value.isascii() and value.isprintable() and value == value.strip():
        return value
    return f"=?base64?{b64encode(value.encode('utf-8', 'surrogatepass')).decode()}?="


def failure(message: Message, text: str) -> dict[str, Any] | None:
    """A JSON-RPC error as the answer to a message; None to a notification."""
    if message.get("id") is None:
        return None
    return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": _UNAVAILABLE, "message": text}}
