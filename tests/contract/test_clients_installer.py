"""Contract 16, row 42: how the installer gets its key, and that the reply has what it reads."""

import httpx
import pytest_asyncio
from starlette.types import ASGIApp

from tests.support.service import BASE, TestUser
from tests.support.wire import post


@pytest_asyncio.fixture(loop_scope="session")
async def installer(app: ASGIApp) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, client=("192.0.2.42", 1)), base_url=BASE)


async def test_row_42_start_and_status(installer: httpx.AsyncClient, user: TestUser) -> None:
    codes = (await installer.post("/api/device/start", json={"clientName": "installer"})).json()
    assert codes["verification_url"].endswith(codes["user_code"])
    poll = {"device_code": codes["device_code"]}
    assert (await installer.get("/api/device/status", params=poll)).json()["status"] == "pending"
    await post(user, "/api/device/approve", {"user_code": codes["user_code"]})
    answer = (await installer.get("/api/device/status", params=poll)).json()
    assert answer["status"] == "complete"
    reply = await installer.post("/api/mcp/auth", headers={"Authorization": f"Bearer {answer['apiKey']}"})
    assert reply.json()["ok"] is True


async def test_row_42_who_polls_too_fast_has_to_wait(installer: httpx.AsyncClient) -> None:
    codes = (await installer.post("/api/device/start")).json()
    polls = [await installer.get("/api/device/status", params={"device_code": codes["device_code"]}) for _ in range(12)]
    assert polls[-1].status_code == 429
    assert int(polls[-1].headers["Retry-After"]) >= 1
