"""Overview."""

from memctl.wire.enums import Category, Store
from memctl.wire.memories import CaptureRequest
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal


async def test_it_counts_memories_by_store_and_category(user: TestUser, terminal: OpenTerminal) -> None:
    await user.client.memories.capture(
        CaptureRequest(title="Freeze", content="No deploys on Fridays", store=Store.SEMANTIC, category=Category.RULE)
    )
    async with terminal() as tui:
        text = await tui.shows("By store", "By category", "unmetered", "Growth: all 1 captures")
    lines = {line.split()[0]: line for line in text.splitlines() if line.split()[:1]}
    assert "1" in lines["memories"]
    assert "memd 0.8.20" in text
