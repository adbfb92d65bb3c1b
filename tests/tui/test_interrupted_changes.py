"""Changes while memd goes away, or while the user goes elsewhere: none is left half done without a way back."""

import asyncio
from pathlib import Path

import httpx
import pytest
from textual.widgets import Input, TextArea

from memctl.client import MemdClient
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest
from memctl.wire.memories import CaptureRequest
from memctl.wire.memory_listing import MemoryListRequest
from memctl.wire.updates import UpdateRequest
from tests.support.service import BASE, TestUser
from tests.support.terminal import OpenTerminal


class Gate(httpx.AsyncBaseTransport):
    """The service; requests to `path` after the first `passing` ones wait for `opened`, or fail if it is `broken`."""

    def __init__(self, user: TestUser, path: str, passing: int, *, broken: bool = False) -> None:
        self._inner = user.http._transport
        self._path, self._passing, self.broken = path, passing, broken
        self.opened = asyncio.Event()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith(self._path):
            self._passing -= 1
            if self._passing < 0 and self.broken:
                raise httpx.ConnectError("All connection attempts failed")
            if self._passing < 0:
                await self.opened.wait()
        return await self._inner.handle_async_request(request)

    def client(self, user: TestUser) -> MemdClient:
        return MemdClient(BASE, user.key, transport=self)


async def notes(user: TestUser, number: int) -> list[str]:
    requests = [CaptureRequest(title=f"Note {at}", content=f"Content {at}") for at in range(number)]
    return [(await user.client.memories.capture(request)).id for request in requests]


async def tags(user: TestUser, ids: list[str]) -> list[list[str]]:
    return [(await user.client.memories.show(memory_id)).tags for memory_id in ids]


async def archived(user: TestUser, ids: list[str]) -> list[bool]:
    return [(await user.client.memories.show(memory_id)).archived for memory_id in ids]


async def test_leaving_the_screen_does_not_stop_a_change_of_several_memories(
    user: TestUser, terminal: OpenTerminal
) -> None:
    ids = await notes(user, 3)
    gate = Gate(user, "/update", 1)
    async with terminal("memories", "asterisk", "t", client=gate.client(user)) as tui:
        await tui.shows("Tags of 3 memories")
        tui.app.screen.query_one(Input).value = "new"
        await tui.pilot.press("enter")
        await tui.shows("1 of 3 …")
        await tui.pilot.press("escape", "escape", "n")
        await tui.shows("another change is still under way")
        await tui.press("f3")
        gate.opened.set()
        await tui.shows("tagged 3 memories", "u undoes")
        assert await tags(user, ids) == [["new"]] * 3
        await tui.press("u")
        await tui.shows("undone: tagged 3 memories")
    assert await tags(user, ids) == [[]] * 3


async def test_what_was_done_before_memd_went_away_is_said_and_can_be_undone(
    user: TestUser, terminal: OpenTerminal
) -> None:
    ids = await notes(user, 3)
    gate = Gate(user, "/forget", 2, broken=True)
    async with terminal("memories", "asterisk", "a", client=gate.client(user)) as tui:
        await tui.shows("Archive 3 memories?")
        await tui.pilot.press("y")
        await tui.shows("archived 2 memories, not all 3")
        assert await archived(user, ids) == [False, True, True]
        gate.broken = False
        gate.opened.set()
        await tui.press("u")
        await tui.shows("undone: archived 2 memories")
    assert await archived(user, ids) == [False, False, False]


async def test_a_deletion_that_fails_in_the_middle_says_how_many_are_deleted(
    user: TestUser, terminal: OpenTerminal
) -> None:
    ids = await notes(user, 3)
    gate = Gate(user, "/forget", 2, broken=True)
    async with terminal("memories", "asterisk", "X", client=gate.client(user)) as tui:
        await tui.shows("Delete 3 memories permanently")
        await tui.pilot.press("y")
        await tui.shows("deleted 2 memories, not all 3")
        await tui.press("u")
        await tui.shows("nothing to undo")
    (kept,) = [row async for row in user.client.memories.list_all(MemoryListRequest())]
    assert kept.id == ids[0]


async def test_a_change_that_cannot_be_undone_while_memd_is_away_can_be_undone_later(
    user: TestUser, terminal: OpenTerminal
) -> None:
    (memory_id,) = await notes(user, 1)
    gate = Gate(user, "/restore", 0, broken=True)
    async with terminal("memories", "a", client=gate.client(user)) as tui:
        await tui.shows("Archive “Note 0”?")
        await tui.press("y")
        await tui.shows("archived Note 0 – u undoes")
        await tui.pilot.press("u")
        await tui.shows("memd does not answer")
        gate.broken = False
        gate.opened.set()
        await tui.press("u")
        await tui.shows("undone: archived Note 0")
    assert await archived(user, [memory_id]) == [False]


async def test_a_change_that_is_lost_when_memtui_ends_is_said_in_the_shell(
    user: TestUser, terminal: OpenTerminal, capsys: pytest.CaptureFixture[str]
) -> None:
    await notes(user, 1)
    gate = Gate(user, "/supersede", 0, broken=True)
    async with terminal("memories", "s", client=gate.client(user)) as tui:
        await tui.shows("Supersede the memory by a new one")
        tui.app.screen.query_one("#content", TextArea).text = "Another content"
        await tui.press("ctrl+s")
        await tui.shows("Supersede “Note 0”?")
        await tui.press("y")
        await tui.shows("superseding Note 0 – u undoes")
        await tui.pilot.press("q")
    said = " ".join(capsys.readouterr().err.split())
    assert "Note 0 is not superseded; your text is kept: s on it continues" in said


async def test_a_change_that_is_under_way_when_memtui_ends_is_said_in_the_shell(
    user: TestUser, terminal: OpenTerminal, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = await notes(user, 3)
    gate = Gate(user, "/forget", 1)
    async with terminal("memories", "asterisk", "a", client=gate.client(user)) as tui:
        await tui.shows("Archive 3 memories?")
        await tui.pilot.press("y")
        await tui.shows("1 of 3 …")
        await tui.pilot.press("q")
    assert "a change was still under way; memd may have only a part of it" in capsys.readouterr().err
    assert sum(await archived(user, ids)) == 1


async def test_nothing_is_said_of_a_change_whose_dialog_is_still_open(
    user: TestUser, terminal: OpenTerminal, capsys: pytest.CaptureFixture[str]
) -> None:
    await notes(user, 1)
    async with terminal("memories", "a") as tui:
        await tui.shows("Archive “Note 0”?")
        await tui.pilot.press("ctrl+q")
    assert "under way" not in capsys.readouterr().err


async def test_an_import_that_is_stopped_says_how_far_it_came(
    user: TestUser, terminal: OpenTerminal, tmp_path: Path
) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for at in range(3):
        (folder / f"page{at}.md").write_text(f"# Page {at}\n\nText of page {at}.\n")
    await user.client.knowledge_bases.create(CreateKnowledgeBaseRequest(name="Handbook"))
    gate = Gate(user, "/import", 0)
    async with terminal("knowledge_bases", "i", client=gate.client(user)) as tui:
        tui.app.screen.query_one("#path", Input).value = str(folder)
        await tui.pilot.press("enter")
        await tui.shows("2 of 3 files")
        await tui.pilot.press("escape")
        await tui.shows("import stopped: 2 of 3 files", "import again to", "continue")


async def test_a_form_does_not_open_over_another_screen(user: TestUser, terminal: OpenTerminal) -> None:
    await notes(user, 1)
    gate = Gate(user, "/memory", 0)
    async with terminal("memories", client=gate.client(user)) as tui:
        await tui.pilot.press("e")
        await tui.press("f7")
        gate.opened.set()
        await tui.settle()
        await tui.shows("Schedule")
        assert len(tui.app.screen_stack) == 1


async def test_a_version_that_was_restored_is_taken_back(user: TestUser, terminal: OpenTerminal) -> None:
    (memory_id,) = await notes(user, 1)
    await user.client.memories.update(UpdateRequest(memory_id=memory_id, content="Later content"))
    async with terminal("memories", "enter", "l", "l", "G", "R") as tui:
        await tui.shows("Restore version 1?")
        await tui.press("y")
        await tui.shows("restored version 1 of Note 0 – u undoes")
        assert (await user.client.memories.show(memory_id)).content == "Content 0"
        await tui.press("u")
        await tui.shows("undone: restored version 1")
    assert (await user.client.memories.show(memory_id)).content == "Later content"
