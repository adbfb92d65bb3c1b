"""`memctl mcp stdio` through a long life: memd not there yet, gone for a while, and a key that is rotated meanwhile."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from starlette.types import ASGIApp

from memctl.client import MemdClient
from memctl.client.errors import NoMemdFound
from memctl.diagnostics import CommandError, ExitCode
from memctl.mcp_bridge import Bridge
from memctl.settings import Connection
from tests.support.service import BASE, TestUser

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


class Line(httpx.AsyncBaseTransport):
    """The way to the service; notes the protocol version of each request, and is cut while `is_cut`."""

    def __init__(self, app: ASGIApp) -> None:
        self._inner = httpx.ASGITransport(app)
        self.versions: list[str | None] = []
        self.is_cut = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.versions.append(request.headers.get("MCP-Protocol-Version"))
        if self.is_cut:
            raise httpx.ConnectError("refused")
        return await self._inner.handle_async_request(request)


class Silent(httpx.AsyncBaseTransport):
    """A way to a memd that takes requests and answers none; notes when one came and when its connection ended."""

    def __init__(self) -> None:
        self.has_come, self.has_ended = asyncio.Event(), asyncio.Event()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        del request
        self.has_come.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.has_ended.set()
        raise AssertionError


def bridge(line: httpx.AsyncBaseTransport, find: Callable[[], Connection], **options: float) -> Bridge:
    return Bridge(find, lambda target: MemdClient(target.url, target.api_key, line, retries=0), None, **options)


def at(key: str) -> Connection:
    return Connection(BASE, key, "test", "test")


async def test_a_key_that_was_rotated_is_found_again(app: ASGIApp, user: TestUser) -> None:
    line, key = Line(app), user.key
    async with bridge(line, lambda: at(key)) as conversation:
        await conversation.answer(HELLO)
        (row,) = (await user.http.get("/api/keys")).json()["keys"]
        key = (await user.http.post(f"/api/keys/{row['id']}/rotate", json={})).json()["apiKey"]
        answer = await conversation.answer(call("stats"))
        assert answer is not None
        assert answer["result"]["structuredContent"]["memories"] == 0
        assert line.versions[-1] == "2025-11-25"


async def test_messages_at_the_same_time_all_find_the_new_key(app: ASGIApp, user: TestUser) -> None:
    line, key = Line(app), user.key
    async with bridge(line, lambda: at(key)) as conversation:
        await conversation.answer(HELLO)
        (row,) = (await user.http.get("/api/keys")).json()["keys"]
        key = (await user.http.post(f"/api/keys/{row['id']}/rotate", json={})).json()["apiKey"]
        answers = await asyncio.gather(*(conversation.answer(call("stats")) for _ in range(4)))
    assert all(answer is not None and "result" in answer for answer in answers)


async def test_the_same_memd_is_given_one_client(app: ASGIApp, user: TestUser) -> None:
    line, opened = Line(app), list[Connection]()

    def open_client(target: Connection) -> MemdClient:
        opened.append(target)
        return MemdClient(target.url, target.api_key, line, retries=0)

    async with Bridge(lambda: at(user.key), open_client, None) as conversation:
        await conversation.answer(HELLO)
        line.is_cut = True
        for _ in range(3):
            await conversation.answer(call("stats"))
    assert len(opened) == 1


async def test_a_configuration_that_breaks_meanwhile_is_an_error_answer() -> None:
    def find() -> Connection:
        raise CommandError("config.toml cannot be read", ExitCode.USAGE)

    async with Bridge(find, lambda target: MemdClient(target.url, None), None) as conversation:
        answer = await conversation.answer(HELLO)
    assert answer is not None
    assert "cannot be read" in answer["error"]["message"]


async def test_a_key_that_is_refused_is_tried_once(app: ASGIApp) -> None:
    line = Line(app)
    async with bridge(line, lambda: at("0" * 64)) as conversation:
        answer = await conversation.answer(call("stats"))
    assert answer is not None
    assert answer["error"]["message"] == "Unauthorized: the key is missing or not valid here; see `memctl doctor`"
    assert len(line.versions) == 1


async def test_a_memd_that_starts_later_is_waited_for(app: ASGIApp, user: TestUser) -> None:
    looks = iter([False, False, True])

    def find() -> Connection:
        if not next(looks):
            raise NoMemdFound(Path("/data"))
        return at(user.key)

    async with bridge(Line(app), find) as conversation:
        answer = await conversation.answer(HELLO)
    assert answer is not None
    assert answer["result"]["serverInfo"]["name"] == "memd"


async def test_without_a_memd_the_client_reads_how_to_start_it(app: ASGIApp) -> None:
    def find() -> Connection:
        raise NoMemdFound(Path("/data"))

    async with bridge(Line(app), find, wait_seconds=0) as conversation:
        answer = await conversation.answer(HELLO)
    assert answer is not None
    assert "start it with: memd serve" in answer["error"]["message"]


async def test_a_message_that_memd_may_have_taken_is_not_sent_again(app: ASGIApp, user: TestUser) -> None:
    line = Line(app)
    async with bridge(line, lambda: at(user.key)) as conversation:
        await conversation.answer(HELLO)
        line.is_cut = True
        lost = await conversation.answer(call("capture", title="T", content="The lake is frozen."))
        assert len(line.versions) == 2
        line.is_cut = False
        found = await conversation.answer(call("stats"))
    assert lost is not None
    assert found is not None
    assert "does not answer" in lost["error"]["message"]
    assert found["result"]["structuredContent"]["memories"] == 0


async def test_a_call_that_the_client_cancels_ends_at_memd_and_gets_no_answer() -> None:
    line = Silent()
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}
    async with bridge(line, lambda: at("0" * 64)) as conversation, asyncio.timeout(20):
        waiting = asyncio.create_task(conversation.answer(call("recall", query="deploy")))
        await line.has_come.wait()
        for request in (3, None, [2]):  # of requests that are not there
            unknown = {**cancelled, "params": {"requestId": request}}
            assert await conversation.answer(unknown) is None
        assert not line.has_ended.is_set()
        assert await conversation.answer(cancelled) is None
        await line.has_ended.wait()
        await asyncio.wait([waiting])
        assert waiting.cancelled()
