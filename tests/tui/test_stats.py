"""Overview."""

import asyncio

from memctl.wire.enums import Category, Store
from memctl.wire.memories import CaptureRequest
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal
from tui.app import Memtui


async def test_it_counts_memories_by_store_and_category(user: TestUser, terminal: OpenTerminal) -> None:
    await user.client.memories.capture(
        CaptureRequest(title="Freeze", content="No deploys on Fridays", store=Store.SEMANTIC, category=Category.RULE)
    )
    async with terminal() as tui:
        text = await tui.shows("By store", "By category", "unmetered", "Growth: all 1 captures")
    lines = {line.split()[0]: line for line in text.splitlines() if line.split()[:1]}
    assert "1" in lines["memories"]
    assert "memd 0.8.20" in text


async def test_figures_that_were_asked_for_before_the_screen_was_there_are_shown_first(user: TestUser) -> None:
    early = asyncio.create_task(user.client.stats())
    await early
    await user.client.memories.capture(CaptureRequest(title="Later", content="Not in the early figures"))
    app = Memtui(user.client, early=early)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "0" in _memories(app)
        await pilot.press("r")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "1" in _memories(app)


def _memories(app: Memtui) -> list[str]:
    lines = [strip.text.split() for strip in app.screen._compositor.render_strips()]
    return next(words for words in lines if words[:1] == ["memories"])
