"""Requests that their caller cancels, at any moment, leave the client as able to send as before."""

import asyncio

import httpx
import pytest
from starlette.types import ASGIApp

from memctl.client import MemdClient
from memctl.client.sending import CONNECTIONS
from tests.support.served import served
from tests.support.service import TestUser

STEPS = 16
"""Turns of the event loop, within which a request is given a connection and connects."""


async def after_turns(task: "asyncio.Task[object]", turns: int) -> None:
    """Cancel the task after so many turns of the event loop."""
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})


@pytest.mark.timeout(60)
async def test_a_client_outlives_a_crowd_that_is_cancelled_at_once(app: ASGIApp, user: TestUser) -> None:
    async with served(app) as url, MemdClient(url, user.key, timeout=20) as client:
        for turns in range(STEPS):
            crowd = [asyncio.create_task(client.accounts.whoami()) for _ in range(2 * CONNECTIONS)]
            await asyncio.gather(*(after_turns(task, turns) for task in crowd))
        assert (await client.accounts.whoami()).user_id


async def test_no_more_requests_than_connections_are_under_way_at_once() -> None:
    class Stuck(httpx.AsyncBaseTransport):
        waiting = 0

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            self.waiting += 1
            await asyncio.Event().wait()
            raise AssertionError(request)

    stuck = Stuck()
    async with MemdClient("http://memd.test", "k", stuck) as client:
        crowd = [asyncio.create_task(client.accounts.whoami()) for _ in range(2 * CONNECTIONS)]
        for _ in range(10):
            await asyncio.sleep(0)
        assert stuck.waiting == CONNECTIONS
        for task in crowd:
            task.cancel()
        await asyncio.wait(crowd)


async def test_closing_a_client_does_not_wait_for_a_cancelled_request_to_connect() -> None:
    class Unreachable(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            await request.extensions["trace"]("connection.connect_tcp.started", {})
            await asyncio.Event().wait()
            raise AssertionError(request)

    async with asyncio.timeout(20), MemdClient("http://memd.test", "k", Unreachable()) as client:
        await after_turns(asyncio.create_task(client.accounts.whoami()), STEPS)
