"""A tool call of the handshake era that goes straight to the SDK's kernel is answered as its transport answers it."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx
import pytest
import pytest_asyncio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolRequestParams
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from memd.mcp.protocol import transport
from memd.mcp.stateless_calls import answer, stateless_call
from memd.settings import Settings
from tests.support.mcp import HANDSHAKE, MODERN

CALL: Final = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": {"a": "ü"}}}
PLAIN: Final = {"accept": "application/json"}


async def echo(context: ServerRequestContext[Any], params: CallToolRequestParams) -> dict[str, Any]:
    """Says what it got; the tools `fails` and `malformed` do what they are called, `speaks` talks meanwhile."""
    if params.name == "fails":
        raise MCPError(INVALID_PARAMS, "No such base", {"name": "x"})
    if params.name == "speaks":
        await context.session.send_progress_notification("token", 0.5)
    if params.name == "malformed":
        return {"content": "no list"}
    text = f"{params.name} {params.arguments} {context.protocol_version} {context.request_id}"
    return {"content": [{"type": "text", "text": text}], "isError": False, "resultType": "complete"}


def server() -> Server[Any]:
    made: Server[Any] = Server("echo", version="1")
    made.add_request_handler("tools/call", CallToolRequestParams, echo)
    return made


@asynccontextmanager
async def client(app: Any) -> AsyncGenerator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://memd.test") as http:
        yield http


@pytest_asyncio.fixture(loop_scope="session")
async def both() -> AsyncIterator[tuple[httpx.AsyncClient, httpx.AsyncClient]]:
    """A client of the straight way, which refuses what may not take it, and one of the SDK's transport."""

    async def straight(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        reply = await answer(manager.app, await request.json(), request)
        assert reply is not None
        await reply(scope, receive, send)

    async with transport(server(), Settings()) as manager, client(straight) as one, client(manager.asgi_app) as other:
        yield one, other


@pytest.mark.parametrize("version", [None, "2024-11-05", "2025-03-26", "2025-06-18", HANDSHAKE])
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"id": "a string"},
        {"id": 0},
        {"params": {"name": "fails"}},
        {"params": {"name": "malformed"}},
        {"params": {"name": "speaks", "_meta": {"progressToken": "token"}}},
        {"params": {"name": "echo", "arguments": None}},
        {"params": {"name": "echo", "arguments": [1]}},
        {"params": {"name": 7}},
        {"params": {"arguments": {}}},
        {"params": {}},
        {"params": {"name": "echo", "_meta": {"progressToken": True}}},
        {"unknown": 1},
    ],
)
async def test_the_straight_way_answers_as_the_transport(
    both: tuple[httpx.AsyncClient, httpx.AsyncClient], version: str | None, change: dict[str, Any]
) -> None:
    headers = PLAIN | ({"mcp-protocol-version": version} if version else {})
    one, other = [await http.post("/mcp", json=CALL | change, headers=headers) for http in both]
    assert (one.status_code, one.content, one.headers) == (other.status_code, other.content, other.headers)


def request_with(**headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "POST", "headers": raw})


@pytest.mark.parametrize(
    ("message", "headers"),
    [
        (CALL, PLAIN | {"mcp_protocol_version": MODERN}),
        (CALL, PLAIN | {"mcp_protocol_version": "2031-01-01"}),
        (CALL, {"accept": "text/html"}),
        (CALL | {"method": "tools/list"}, PLAIN),
        (CALL | {"method": "initialize"}, PLAIN),
        ({key: value for key, value in CALL.items() if key != "id"}, PLAIN),
        (CALL | {"id": None}, PLAIN),
        (CALL | {"id": True}, PLAIN),
        (CALL | {"jsonrpc": "1.0"}, PLAIN),
        (CALL | {"params": [1]}, PLAIN),
        ([CALL], PLAIN),
        ("tools/call", PLAIN),
    ],
)
def test_everything_else_is_left_to_the_sdk(message: Any, headers: dict[str, str]) -> None:
    assert stateless_call(CALL, request_with(**PLAIN)) is not None
    assert stateless_call(message, request_with(**headers)) is None
