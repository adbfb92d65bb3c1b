"""One memory in full: text, recall text, scores, trace, graph."""

from memctl.wire.memories import CaptureRequest, ForgetRequest, SupersedeRequest
from memctl.wire.updates import UpdateRequest
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
        await tui.press("right", "right")
        await tui.shows("strength", "0.80", "confidence", "used", "Not recalled in this session")
        await tui.press("l")
        await tui.shows("Written directly through the API (source: external)")
        await tui.press("escape")
        await tui.shows("page 1: 1 memory of 1")


async def test_score_history_follows_superseded_versions(user: TestUser, terminal: OpenTerminal) -> None:
    first = await user.client.memories.capture(CaptureRequest(title="v1", content="Deploy on Mondays", strength=0.3))
    second = await user.client.memories.supersede(
        SupersedeRequest(old_memory_id=first.id, title="v2", content="Deploy on Tuesdays", strength=0.9)
    )
    async with terminal("memories", "enter", "right", "right", "right") as tui:
        text = await tui.shows("v1", "v2", "superseded", "active", "0.30", "0.90")
        assert second.new_memory_id in text
        await tui.press("tab", "down", "enter")
        await tui.shows("v1", "Deploy on Mondays", "archived")


async def test_the_history_compares_versions_and_restores_one(user: TestUser, terminal: OpenTerminal) -> None:
    memory_id = (await user.client.memories.capture(CaptureRequest(title="Freeze", content="Never on Fridays"))).id
    await user.client.memories.update(UpdateRequest(memory_id=memory_id, content="Never on Mondays"))
    await user.client.memories.update(UpdateRequest(memory_id=memory_id, strength=0.25))
    async with terminal("memories", "enter", "right", "right") as tui:
        await tui.shows("version 2 → version 3", "−0.8  +0.25")
        await tui.press("j")
        await tui.shows("version 1 → version 2", "− Never on Fridays", "+ Never on Mondays")
        await tui.press("j", "equals_sign", "k", "k")
        await tui.shows("version 1 → version 3", "− Never on Fridays", "−0.8  +0.25")
        await tui.press("G", "R")
        await tui.shows("Restore version 1?")
        await tui.press("y")
        await tui.shows("restored version 1 of", "u undoes", "restore")
    restored = await user.client.memories.show(memory_id)
    assert (restored.content, restored.strength) == ("Never on Fridays", 0.8)


async def test_the_first_version_is_not_compared_with_itself(user: TestUser, terminal: OpenTerminal) -> None:
    await user.client.memories.capture(CaptureRequest(title="Freeze", content="One."))
    async with terminal("memories", "enter", "l", "l") as tui:
        await tui.shows("Version 1 is the first one.")
        await tui.press("=")
        await tui.shows("Version 1 is marked: all others are compared with it.")


async def test_keys_in_the_history_stay_in_the_memory(user: TestUser, terminal: OpenTerminal) -> None:
    memory_id = (await user.client.memories.capture(CaptureRequest(title="Freeze", content="Never on Fridays"))).id
    await user.client.memories.update(UpdateRequest(memory_id=memory_id, content="Never on Mondays"))
    await user.client.memories.update(UpdateRequest(memory_id=memory_id, strength=0.25))
    async with terminal("memories", "enter", "l", "l") as tui:
        await tui.shows("version 2 → version 3", "−0.8  +0.25")
        await tui.press("G", "enter", "g")
        await tui.shows("version 1 → version 3", "− Never on Fridays", "−0.8  +0.25")
        await tui.press("l")
        await tui.shows("Freeze", "strength", "Not recalled in this session")


async def test_markdown_is_rendered_and_the_source_is_a_key_away(user: TestUser, terminal: OpenTerminal) -> None:
    await user.client.memories.capture(CaptureRequest(title="Rules", content="# One\n\n- first **bold**\n"))
    async with terminal("memories", "enter") as tui:
        await tui.shows(" • first bold")
        await tui.press("M")
        await tui.shows("- first **bold**")


async def test_an_archived_memory_is_restored_from_its_screen(user: TestUser, terminal: OpenTerminal) -> None:
    memory_id = (await user.client.memories.capture(CaptureRequest(title="Freeze", content="No deploys"))).id
    await user.client.memories.forget(ForgetRequest(memory_id=memory_id))
    async with terminal("memories", "v", "enter") as tui:
        await tui.shows("archived")
        await tui.press("R")
        await tui.until(lambda text: "restored Freeze" in text)
    assert not (await user.client.memories.show(memory_id)).archived
