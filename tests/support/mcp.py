"""Speaking MCP to the service: bare messages in the manner of each protocol era, and the official client."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx
import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.support.service import BASE, TestUser

HANDSHAKE: Final = "2025-11-25"
MODERN: Final = "2026-07-28"
_KEYS: Final = "io.modelcontextprotocol/"


async def post(
    http: httpx.AsyncClient, method: str, params: dict[str, Any] | None = None, *, path: str = "/mcp"
) -> httpx.Response:
    """One bare JSON-RPC request, without any header or handshake of MCP."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": method}
    return await http.post(path, json=message | ({"params": params} if params is not None else {}))


async def post_modern(http: httpx.AsyncClient, method: str, params: dict[str, Any] | None = None) -> httpx.Response:
    """One request of 2026-07-28 with its envelope and headers."""
    sent: dict[str, Any] = {
        **(params or {}),
        "_meta": {f"{_KEYS}protocolVersion": MODERN, f"{_KEYS}clientCapabilities": {}},
    }
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
    if "name" in sent:
        headers["Mcp-Name"] = sent["name"]
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": sent}
    return await http.post("/mcp", json=message, headers=headers)


async def call(http: httpx.AsyncClient, tool: str, **arguments: Any) -> dict[str, Any]:
    """The result of a tool call."""
    reply = await post(http, "tools/call", {"name": tool, "arguments": arguments})
    assert reply.status_code == 200, reply.text
    return reply.json()["result"]


async def structured(user: TestUser, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured content of the answer to a tool call."""
    return (await call(user.http, tool, **arguments))["structuredContent"]


@asynccontextmanager
async def official_client(app: ASGIApp, key: str, mode: Any = "auto") -> AsyncGenerator[Client]:
    """The official Python client, connected to an application in this process."""
    transport = httpx2.ASGITransport(app)
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(transport=transport, base_url=BASE, headers=headers) as http,
        Client(streamable_http_client(f"{BASE}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


class WithKey:
    """An application in front of which a key is added, for clients that cannot send one."""

    def __init__(self, app: ASGIApp, key: str) -> None:
        self._app = app
        self._header = (b"authorization", f"Bearer {key}".encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one event stream."""
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], self._header]}
        await self._app(scope, receive, send)


class Overheard:
    """An application whose plain JSON answers are kept in `answers`, in the order in which they were sent."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.answers: list[Any] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one event stream."""

        async def listening(message: Message) -> None:
            if message["type"] == "http.response.body" and message.get("body"):
                self.answers.append(json.loads(message["body"]))
            await send(message)

        await self._app(scope, receive, listening)

    def structured(self) -> list[Any]:
        """The answers of the tools."""
        results = [answer.get("result", {}) for answer in self.answers]
        return [result["structuredContent"] for result in results if "structuredContent" in result]
