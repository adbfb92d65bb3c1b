"""The page /device in a real Chromium, on a phone and on a desktop, against a served memd (contract 9.3).

Set MEMD_SCREENSHOTS to a folder to keep pictures of every step.
"""

import asyncio
import os
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.types import ASGIApp

from tests.support.browser import PROGRAM, Chromium, chromium
from tests.support.service import MakeUser

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not PROGRAM.exists(), reason="chromium is not installed (Debian: apt-get install chromium)"),
]
SCREENS = [("phone", 390, 844, True, False), ("desktop", 1280, 800, False, False), ("dark", 390, 844, True, True)]


@asynccontextmanager
async def served(app: ASGIApp) -> AsyncGenerator[str]:
    """The app on a free port of loopback."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", server_header=False))
    running = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await running


async def picture(browser: Chromium, screen: str, step: str) -> None:
    if folder := os.environ.get("MEMD_SCREENSHOTS"):
        await browser.picture(Path(folder) / f"device-{screen}-{step}.png")


async def fits(browser: Chromium) -> bool:
    """Nothing sticks out to the right, and every button can be hit by a thumb."""
    return await browser.value(
        "document.documentElement.scrollWidth <= innerWidth && "
        "[...document.querySelectorAll('button')].every(b => b.getBoundingClientRect().height >= 44)"
    )


@pytest.mark.parametrize(("screen", "width", "height", "phone", "dark"), SCREENS, ids=[row[0] for row in SCREENS])
async def test_a_person_approves_a_device_in_a_browser(
    app: ASGIApp, make_user: MakeUser, tmp_path: Path, screen: str, width: int, height: int, phone: bool, dark: bool
) -> None:
    user = await make_user()
    async with served(app) as url, httpx.AsyncClient(base_url=url) as device, chromium(tmp_path / "profile") as browser:
        codes = (await device.post("/api/device/start", json={"clientName": "Ann's laptop"})).json()
        await browser.screen(width, height, phone=phone, dark=dark)

        await browser.open(codes["verification_uri_complete"])
        assert "Connect a device" in await browser.text()
        assert await fits(browser)
        await picture(browser, screen, "1-sign-in")

        await browser.type("#api_key", "f" * 64)
        await browser.press("button[value=sign_in]")
        assert "not valid here" in await browser.text()
        await picture(browser, screen, "2-wrong-key")

        await browser.type("#api_key", user.key)
        await browser.press("button[value=sign_in]")
        text = await browser.text()
        assert codes["user_code"] in text
        assert "Ann's laptop" in text
        assert user.key not in await browser.value("location.href + document.documentElement.outerHTML")
        assert await fits(browser)
        await picture(browser, screen, "3-confirm")

        [cookie] = await browser.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/device")
        assert await browser.value("document.cookie") == ""

        await browser.press("button[value=approve]")
        assert "Approved" in await browser.text()
        await picture(browser, screen, "4-approved")
        answer = (await device.get("/api/device/status", params={"device_code": codes["device_code"]})).json()
        assert answer["status"] == "complete"

        await browser.open(f"{url}/device")
        await browser.type("#user_code", "aaaa-aaaa")
        await picture(browser, screen, "5-code")
        await browser.press("button[value=find]")
        assert "not known" in await browser.text()
        assert await fits(browser)
        await picture(browser, screen, "6-wrong-code")

        denied = (await device.post("/api/device/start")).json()
        await browser.value("document.querySelector('#user_code').value = ''")
        await browser.type("#user_code", denied["user_code"].lower())
        await browser.press("button[value=find]")
        await browser.press("button[value=deny]")
        assert "Denied" in await browser.text()
        await picture(browser, screen, "7-denied")
        answer = (await device.get("/api/device/status", params={"device_code": denied["device_code"]})).json()
        assert answer == {"status": "denied"}
