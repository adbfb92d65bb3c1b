"""`timeout=`: an agent that must answer soon does not wait for the 35 seconds that a request may take."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from memctl.client import MemdClient, errors
from memctl.client.sync import SyncMemdClient
from memctl.wire.recall import RecallRequest

REQUEST = RecallRequest(query="when does the ferry leave?")
SOON = 0.05


class Endless(httpx.AsyncByteStream):
    """A body that goes on, a byte at a time."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(SOON / 10)


class Slow(httpx.AsyncBaseTransport):
    """A memd that never answers, or never comes to the end of its answer."""

    def __init__(self, *, begins: bool) -> None:
        self._begins = begins

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not self._begins:
            await asyncio.Event().wait()
        return httpx.Response(200, stream=Endless(), request=request)


@pytest.mark.parametrize("begins", [False, True])
async def test_a_request_ends_at_the_timeout_of_its_client(begins: bool) -> None:
    async with MemdClient("http://memd.test", "k", Slow(begins=begins), timeout=SOON) as client:
        with pytest.raises(errors.NoAnswer, match=r"did not answer within 0\.05 seconds"):
            await client.recall(REQUEST)
        with pytest.raises(errors.NoAnswer):
            await client.acting_for("ann").recall(REQUEST)


def test_the_synchronous_client_takes_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        SyncMemdClient("http://memd.test", "k", transport=Slow(begins=False), timeout=SOON) as client,
        pytest.raises(errors.NoAnswer),
    ):
        client.recall(REQUEST)
    monkeypatch.setenv("MEMCTL_URL", "http://memd.test")
    with SyncMemdClient.from_environment(timeout=SOON, retries=0) as client:
        assert client.url == "http://memd.test"
