"""A real headless Chromium behind the DevTools protocol: open, fill, press, read, and take a picture."""

import asyncio
import base64
import json
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import websockets

PROGRAM = Path("/usr/bin/chromium")
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-port=0",
)
START_TRIES = 300


class Chromium:
    """One tab."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._numbers = iter(range(1, 1_000_000))

    async def command(self, method: str, **params: Any) -> dict[str, Any]:
        """Send one command of the DevTools protocol and wait for its answer."""
        number = next(self._numbers)
        await self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = await self._next()
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]

    async def _next(self) -> dict[str, Any]:
        return json.loads(await self._socket.recv())

    async def _loaded(self) -> None:
        while (await self._next()).get("method") != "Page.loadEventFired":
            pass

    async def screen(self, width: int, height: int, *, phone: bool, dark: bool = False) -> None:
        """Be a phone or a desktop of this size."""
        await self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.command("Emulation.setEmulatedMedia", features=[scheme])

    async def open(self, url: str) -> None:
        """Go to an address and wait until it is loaded."""
        await self.command("Page.navigate", url=url)
        await self._loaded()

    async def value(self, script: str) -> Any:
        """The value of a script."""
        answer = await self.command("Runtime.evaluate", expression=script, returnByValue=True)
        return answer["result"].get("value")

    async def type(self, selector: str, text: str) -> None:
        """Type into a field as a person does."""
        await self.value(f"document.querySelector({json.dumps(selector)}).focus()")
        await self.command("Input.insertText", text=text)

    async def press(self, selector: str) -> None:
        """Click a button with the mouse and wait for the page that follows."""
        box = await self.value(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)}); b.scrollIntoView();"
            " const r = b.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            await self.command("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)
        await self._loaded()

    async def text(self) -> str:
        """The text that a person sees."""
        return await self.value("document.body.innerText")

    async def cookies(self) -> list[dict[str, Any]]:
        """All cookies with their flags."""
        return (await self.command("Network.getAllCookies"))["cookies"]

    async def picture(self, path: Path) -> None:
        """Save what is on the screen as PNG."""
        answer = await self.command("Page.captureScreenshot", format="png")
        await asyncio.to_thread(path.write_bytes, base64.b64decode(answer["data"]))


def _port_of(profile: Path) -> str:
    """The port that the browser chose, once it has written it down; blank before."""
    try:
        return (profile / "DevToolsActivePort").read_text().split("\n")[0]
    except FileNotFoundError:
        return ""


@asynccontextmanager
async def chromium(profile: Path) -> AsyncGenerator[Chromium]:
    """A browser with a fresh profile in this folder, gone at the end of the block."""
    nowhere = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        str(PROGRAM), *OPTIONS, f"--user-data-dir={profile}", "about:blank", stdout=nowhere, stderr=nowhere
    )
    try:
        for _ in range(START_TRIES):
            if port := _port_of(profile):
                break
            await asyncio.sleep(0.1)
        else:
            raise RuntimeError("chromium did not start")
        async with httpx.AsyncClient() as http:
            tabs = (await http.get(f"http://127.0.0.1:{port}/json/list")).json()
        address = next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page")
        async with websockets.connect(address, max_size=None, proxy=None) as socket:
            browser = Chromium(socket)
            for domain in ("Page", "Runtime", "Network"):
                await browser.command(f"{domain}.enable")
            yield browser
    finally:
        process.terminate()
        await process.wait()
        shutil.rmtree(profile, ignore_errors=True)
