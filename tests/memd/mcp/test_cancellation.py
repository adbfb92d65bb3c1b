"""A client that leaves ends the work that was done for it (contract 14; a call runs inside its request)."""

import asyncio
import json
from dataclasses import replace

import pytest
from starlette.types import Message, Scope

from memd.app import build
from memd.context import Services
from memd.embed.batcher import Batcher, QueryVector
from tests.support.mcp import HANDSHAKE, MODERN
from tests.support.service import HOST, TestUser

CALL = {"name": "recall", "arguments": {"query": "something that is not in the cache"}}
_META = "io.modelcontextprotocol/"


class Stuck(Batcher):
    """Never comes back with a vector; tells when it was asked and when it was let go."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.let_go = asyncio.Event()

    def is_cached(self, query: str) -> bool:
        """Knows no query."""
        return not query

    async def embed_query(self, query: str) -> QueryVector:
        """Waits for longer than any test."""
        self.asked.set()
        try:
            await asyncio.sleep(60)
        finally:
            self.let_go.set()
        raise AssertionError(query)


def scope_of(key: str, version: str) -> Scope:
    headers = {"host": HOST, "authorization": f"Bearer {key}", "mcp-protocol-version": version}
    if version == MODERN:
        headers |= {"mcp-method": "tools/call", "mcp-name": "recall"}
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "query_string": b"",
        "scheme": "http",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("192.0.2.7", 1),
        "server": (HOST, 80),
    }


def body_of(version: str) -> bytes:
    meta = {f"{_META}protocolVersion": version, f"{_META}clientCapabilities": {}} if version == MODERN else {}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALL | {"_meta": meta}}).encode()


@pytest.mark.parametrize("version", [HANDSHAKE, MODERN])
async def test_the_work_ends_when_the_client_leaves(services: Services, user: TestUser, version: str) -> None:
    stuck = Stuck()
    app = build(replace(services, batcher=stuck))
    gone = asyncio.Event()
    sent: list[Message] = []
    incoming: list[Message] = [{"type": "http.request", "body": body_of(version), "more_body": False}]

    async def receive() -> Message:
        if incoming:
            return incoming.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    request = asyncio.create_task(app(scope_of(user.key, version), receive, send))
    await asyncio.wait_for(stuck.asked.wait(), 10)
    gone.set()
    await asyncio.wait_for(request, 10)
    assert stuck.let_go.is_set()
    assert sent == []
