"""A memd that takes its time: a screen says that it waits, and claims nothing about what it has not read yet."""

import asyncio

import httpx

from memctl.client import MemdClient
from memctl.wire.snapshots import SnapshotMessage, SnapshotRequest
from tests.support.service import BASE, TestUser
from tests.support.terminal import OpenTerminal


class Slow(httpx.AsyncBaseTransport):
    """Answers to requests for a path that contains `path` only once `released` is set."""

    def __init__(self, inner: httpx.AsyncBaseTransport, path: str) -> None:
        self.released = asyncio.Event()
        self._inner, self._path = inner, path

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self._path in request.url.path:
            await self.released.wait()
        return await self._inner.handle_async_request(request)


async def test_a_list_is_not_called_empty_before_memd_has_answered(user: TestUser, terminal: OpenTerminal) -> None:
    message = SnapshotMessage(role="user", content="May I deploy?")
    await user.client.sessions.snapshot(SnapshotRequest(messages=[message], session_key="standup"))
    slow = Slow(user.http._transport, "snapshot")
    async with terminal("accounts", client=MemdClient(BASE, user.key, transport=slow), size=(80, 24)) as tui:
        await tui.pilot.press("9")
        text = await tui.shows("waiting 1 s for http://memd.test", "No checkpoints yet")
        assert "No snapshots yet" not in text
        slow.released.set()
        await tui.until(lambda text: "standup" in text and "waiting" not in text)


async def test_a_dialog_that_waits_for_the_user_does_not_wait_for_memd(user: TestUser, terminal: OpenTerminal) -> None:
    async with terminal("memories", "n", size=(80, 24)) as tui:
        await asyncio.sleep(1.1)
        assert "waiting" not in tui.text
        assert tui.app.waiting_seconds == 0
