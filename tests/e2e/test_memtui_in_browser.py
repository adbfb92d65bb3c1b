"""`memctl tui --web` in a real Chromium, and what it refuses.

Set MEMD_SCREENSHOTS to a folder to keep pictures.
"""

import asyncio
import os
import re
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
import websockets
from starlette.types import ASGIApp

from tests.support.browser import PROGRAM, Chromium, chromium
from tests.support.served import served
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture

pytestmark = pytest.mark.e2e
pytest.importorskip("textual_serve", reason="textual-serve came with a newer requirements.dev: run make dev")
needs_chromium = pytest.mark.skipif(
    not PROGRAM.exists(), reason="chromium is not installed (Debian: apt-get install chromium)"
)
PATIENCE_S = 60
RECORD = """
window.received = ""
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given)
    const decoder = new TextDecoder()
    this.addEventListener("message", async event => {
      if (typeof event.data === "string") return
      received += decoder.decode(await new Response(event.data).arrayBuffer(), {stream: true})
    })
  }
}
"""
"""Keeps what the page draws: its terminal is a canvas, which has no text to read."""


class Page(NamedTuple):
    """The page that `memctl tui --web` serves: its address without and with the token."""

    origin: str
    address: str


@asynccontextmanager
async def web_page(app: ASGIApp, user: TestUser, folder: Path) -> AsyncGenerator[Page]:
    """`memctl tui --web` as a process of its own, for the service under test."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_"))}
    folders = {"MEMCTL_STATE_DIR": str(folder / "state"), "MEMCTL_CONFIG": str(folder / "config.toml")}
    async with served(app) as url:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "memctl", "--url", url, "--api-key", user.key, "tui", "--web"),
            stdout=asyncio.subprocess.PIPE,
            env={**clean, **folders},
        )
        try:
            assert process.stdout is not None
            async with asyncio.timeout(PATIENCE_S):
                output = (await process.stdout.readline()).decode()
            found = re.fullmatch(r"memtui: ((http://127\.0\.0\.1:\d+)/\?token=\S{43})\n", output)
            assert found, output
            yield Page(found[2], found[1])
        finally:
            process.terminate()
            async with asyncio.timeout(PATIENCE_S):
                assert await process.wait() == 0


async def until(browser: Chromium, sees: Callable[[str], bool]) -> str:
    """Wait until the page has drawn something since it was last asked to forget; the text without colours."""
    text = ""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not sees(text):
                await asyncio.sleep(0.05)
                text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", await browser.value("received"))
    except TimeoutError:
        pytest.fail(f"the page never drew it:\n{text}")
    return text


async def key(browser: Chromium, text: str) -> None:
    await browser.value("document.querySelector('.xterm-helper-textarea').focus(); received = ''")
    await browser.command("Input.dispatchKeyEvent", type="keyDown", text=text, key=text)
    await browser.command("Input.dispatchKeyEvent", type="keyUp", key=text)


async def picture(browser: Chromium, step: str) -> None:
    if folder := os.environ.get("MEMD_SCREENSHOTS"):
        await browser.picture(Path(folder) / f"memtui-{step}.png")


@needs_chromium
async def test_a_browser_shows_the_overview_and_answers_keys(app: ASGIApp, make_user: MakeUser, tmp_path: Path) -> None:
    user = await make_user()
    await capture(user, title="Tea order", content="Ana orders green tea on Mondays.")
    async with web_page(app, user, tmp_path) as page, chromium(tmp_path / "profile") as browser:
        await browser.command("Page.addScriptToEvaluateOnNewDocument", source=RECORD)
        await browser.screen(1280, 800, phone=False)
        await browser.open(page.address)
        await until(browser, lambda text: "Overview" in text and "Mean strength" in text)
        await picture(browser, "1-overview")

        assert await browser.value("location.href") == f"{page.origin}/"
        [cookie] = await browser.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"], cookie["session"]) == (True, "Strict", True)
        assert await browser.value("document.cookie") == ""
        assert user.key not in await browser.value("document.documentElement.outerHTML + received")

        await key(browser, "2")
        await until(browser, lambda text: "Tea order" in text)
        await picture(browser, "2-memories")


async def test_the_token_opens_one_session_and_nothing_else_does(
    app: ASGIApp, make_user: MakeUser, tmp_path: Path
) -> None:
    async with web_page(app, await make_user(), tmp_path) as page:
        async with httpx.AsyncClient(base_url=page.origin) as stranger:
            for path in ("/", "/?token=", "/?token=x", "/static/js/textual.js", "/download/x", "/ws", "/absent"):
                assert (await stranger.get(path)).status_code == 403, path
            assert (await stranger.head(page.address)).status_code == 403
            assert (await stranger.get(page.address, headers={"Host": "evil.example"})).status_code == 403
        async with httpx.AsyncClient(base_url=page.origin) as person:
            first = await person.get(page.address)
            assert (first.status_code, first.headers["Location"]) == (303, "/")
            assert (await person.get("/")).status_code == 200
            own = page.origin.removeprefix("http://")
            for refused in (
                {"Host": "evil.example"},
                {"Host": own.replace("127.0.0.1", "localhost")},
                {"Origin": "http://evil.example"},
                {"Origin": "null"},
            ):
                assert (await person.get("/", headers=refused)).status_code == 403, refused
            assert (await person.get("/", headers={"Origin": page.origin})).status_code == 200
        async with httpx.AsyncClient(base_url=page.origin) as late:
            assert (await late.get(page.address)).status_code == 403


async def test_the_websocket_wants_the_cookie_and_its_own_origin(
    app: ASGIApp, make_user: MakeUser, tmp_path: Path
) -> None:
    async with web_page(app, await make_user(), tmp_path) as page:
        async with httpx.AsyncClient() as person:
            signed_in = await person.get(page.address)
        cookie = signed_in.headers["Set-Cookie"].partition(";")[0]
        socket = page.origin.replace("http", "ws") + "/ws"
        for origin, headers in (
            (None, {"Cookie": cookie}),
            ("http://evil.example", {"Cookie": cookie}),
            (page.origin, {}),
            (page.origin, {"Cookie": "memtui=x"}),
        ):
            with pytest.raises(websockets.InvalidStatus) as refused:
                async with websockets.connect(socket, origin=origin, additional_headers=headers, proxy=None):
                    pass
            assert refused.value.response.status_code == 403
        async with (
            asyncio.timeout(PATIENCE_S),
            websockets.connect(socket, origin=page.origin, additional_headers={"Cookie": cookie}, proxy=None) as own,
        ):
            assert await own.recv()
