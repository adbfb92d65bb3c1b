"""Requests to the application made by hand, whose client can leave before the reply."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from starlette.types import ASGIApp, Message, Scope

from tests.support.mcp import MODERN
from tests.support.service import HOST

_META = "io.modelcontextprotocol/"


def scope_of(path: str, headers: Mapping[str, str]) -> Scope:
    """The ASGI scope of a POST."""
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "scheme": "http",
        "headers": [(name.encode(), value.encode()) for name, value in ({"host": HOST} | dict(headers)).items()],
        "client": ("192.0.2.7", 1),
        "server": (HOST, 80),
    }


class Visit:
    """One POST with a JSON body; `sent` is what its client was sent."""

    def __init__(self, app: ASGIApp, key: str, path: str, body: Any, headers: Mapping[str, str] | None = None) -> None:
        self.sent: list[Message] = []
        self._app = app
        self._scope = scope_of(path, {"authorization": f"Bearer {key}"} | dict(headers or {}))
        self._incoming: list[Message] = [{"type": "http.request", "body": json.dumps(body).encode()}]
        self._gone = asyncio.Event()

    async def answered(self) -> None:
        """Run the request until the application is done with it."""
        await self._app(self._scope, self._receive, self._send)

    def leave(self) -> None:
        """Close the connection of the client."""
        self._gone.set()

    async def _receive(self) -> Message:
        if self._incoming:
            return self._incoming.pop()
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.sent.append(message)


def tool_call(app: ASGIApp, key: str, version: str, tool: str, arguments: Mapping[str, Any]) -> Visit:
    """A tool call in the manner of a protocol version."""
    modern = version == MODERN
    headers = {"mcp-protocol-version": version} | ({"mcp-method": "tools/call", "mcp-name": tool} if modern else {})
    meta = {f"{_META}protocolVersion": version, f"{_META}clientCapabilities": {}} if modern else {}
    params = {"name": tool, "arguments": arguments, "_meta": meta}
    return Visit(app, key, "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, headers)
