"""One memory in full: text, recall text, scores, trace, graph."""

from memctl.wire.memories import CaptureRequest, SupersedeRequest
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal


async def test_its_tabs_show_text_recall_text_scores_trace_and_graph(user: TestUser, terminal: OpenTerminal) -> None:
    request = CaptureRequest(
        title="Freeze", content="Deploys are frozen on Fridays.", tags=["ops"], channel="slack:eng"
    )
    await user.client.memories.capture(request)
    async with terminal("memories", "enter") as tui:
        await tui.shows("Freeze", "episodic · conversation · slack:eng · #ops", "Deploys are frozen on Fridays.")
        await tui.press("right")
        await tui.shows("Recall text", "Deploys frozen")
        await tui.press("right")
        await tui.shows("strength", "0.80", "confidence", "used", "No recall of this session")
        await tui.press("l")
        await tui.shows("Written directly through the API (source: external)")
        await tui.press("escape")
        await tui.shows("page 1: 1 memory")


async def test_score_history_follows_superseded_versions(user: TestUser, terminal: OpenTerminal) -> None:
    first = await user.client.memories.capture(CaptureRequest(title="v1", content="Deploy on Mondays", strength=0.3))
    second = await user.client.memories.supersede(
        SupersedeRequest(old_memory_id=first.id, title="v2", content="Deploy on Tuesdays", strength=0.9)
    )
    async with terminal("memories", "enter", "right", "right") as tui:
        text = await tui.shows("v1", "v2", "superseded", "active", "0.30", "0.90")
        assert second.new_memory_id in text
        await tui.press("tab", "down", "enter")
        await tui.shows("v1", "Deploy on Mondays", "archived")
