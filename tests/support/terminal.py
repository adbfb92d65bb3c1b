"""memtui on a headless terminal, talking to the service under test."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

import pytest
from textual.pilot import Pilot

from memctl.client import MemdClient
from tests.support.service import TestUser
from tui.app import Memtui, now_ms

DIALOG_GROUPS = {"change"}
PATIENCE = 10.0
LOOK_S = 0.005
"""How long Textual sleeps before it looks whether the app is idle, twice for each key: a quarter of its own figure."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """A running memtui: press keys, read the screen."""

    app: Memtui
    pilot: Pilot[None]

    async def press(self, *keys: str) -> None:
        """Press keys, and wait after each until nothing is under way."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def type(self, text: str) -> None:
        """Type into the field in focus."""
        await self.pilot.press(*("space" if letter == " " else letter for letter in text))

    async def settle(self) -> None:
        """Wait until no question is open; a change that waits in a dialog does not count."""
        async with asyncio.timeout(PATIENCE):
            await self.pilot.pause()
            while self._is_asking:
                while self._is_asking:  # noqa: ASYNC110 - nothing says when an answer has come
                    await asyncio.sleep(0.005)
                await self.pilot.pause()
            await self.pilot.pause()

    @property
    def _is_asking(self) -> bool:
        return any(worker.group not in DIALOG_GROUPS for worker in self.app.workers)

    @property
    def text(self) -> str:
        """Everything on the screen, line by line."""
        return "\n".join(strip.text.rstrip() for strip in self.app.screen._compositor.render_strips())

    async def until(self, sees: Callable[[str], bool]) -> str:
        """Wait until the screen shows something; its text."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not sees(self.text):  # noqa: ASYNC110 - a screen has no event for its text
                    await asyncio.sleep(0.01)
        except TimeoutError:
            pytest.fail(f"the screen never showed it:\n{self.text}")
        return self.text

    async def stable_text(self) -> str:
        """Wait until three renderings in a row are equal, e.g. after a resize; the text."""
        seen: list[str] = []
        async with asyncio.timeout(PATIENCE):
            while len(seen) < 3 or len(set(seen[-3:])) > 1:
                await asyncio.sleep(0.01)
                await self.pilot.pause()
                seen.append(self.text)
        return seen[-1]

    async def shows(self, *words: str) -> str:
        """Wait until the screen shows all of these; its text."""
        return await self.until(lambda text: all(word in text for word in words))


OpenTerminal = Callable[..., AbstractAsyncContextManager[Terminal]]


@pytest.fixture
def terminal(user: TestUser, monkeypatch: pytest.MonkeyPatch) -> OpenTerminal:
    """`async with terminal("memories", "j", size=(80, 24)) as tui`: memtui in a tab, after keys, settled."""
    monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", LOOK_S)

    @asynccontextmanager
    async def open_terminal(
        tab: str = "stats",
        *keys: str,
        size: tuple[int, int] = (120, 40),
        client: MemdClient | None = None,
        clock: Callable[[], int] = now_ms,
        hold_seconds: float = 60.0,
        light: bool = False,
    ) -> AsyncGenerator[Terminal]:
        app = Memtui(client or user.client, tab=tab, clock=clock, hold_seconds=hold_seconds, light=light)
        async with app.run_test(size=size, notifications=True) as pilot:
            tui = Terminal(app, pilot)
            await tui.settle()
            if keys:
                await tui.press(*keys)
            yield tui

    return open_terminal
