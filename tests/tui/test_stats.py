"""Overview."""

import asyncio
import re

from memctl.wire.enums import Category, Store
from memctl.wire.memories import CaptureRequest
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal
from tui.app import Memtui
from tui.widgets.card import Card


async def test_it_counts_memories_by_store_and_category(user: TestUser, terminal: OpenTerminal) -> None:
    await user.client.memories.capture(
        CaptureRequest(title="Freeze", content="No deploys on Fridays", store=Store.SEMANTIC, category=Category.RULE)
    )
    async with terminal(size=(120, 60)) as tui:
        text = await tui.shows("By store", "By category", "unmetered", "1 capture and 0 messages")
    assert re.search(r"│ 1 .*│ 0 ", text)
    assert "memd 0.8.20" in text


async def test_figures_that_were_asked_for_before_the_screen_was_there_are_shown_first(user: TestUser) -> None:
    early = asyncio.create_task(user.client.stats())
    await early
    await user.client.memories.capture(CaptureRequest(title="Later", content="Not in the early figures"))
    app = Memtui(user.client, early=early)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert _memories(app) == "0"
        await pilot.press("r")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert _memories(app) == "1"


def _memories(app: Memtui) -> str:
    """The number on the first card."""
    return str(app.screen.query_one(Card).content).splitlines()[0]
