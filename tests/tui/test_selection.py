"""Several memories at once, and the archive: select, archive, restore, tag, move, delete, and the way back."""

import pytest
from textual.widgets import Button, Input, TextArea

from memctl.client.errors import ApiError
from memctl.wire.memories import CaptureRequest, ForgetRequest
from memctl.wire.updates import UpdateRequest
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal
from tui import memory_pages
from tui.widgets.row_table import RowTable


async def three(user: TestUser) -> list[str]:
    """Three memories, the newest last."""
    requests = [CaptureRequest(title=f"Note {at}", content=f"Content {at}", tags=["old"]) for at in range(3)]
    return [(await user.client.memories.capture(request)).id for request in requests]


async def archived(user: TestUser, ids: list[str]) -> list[bool]:
    return [(await user.client.memories.show(memory_id)).archived for memory_id in ids]


async def test_selected_memories_are_archived_after_a_question_whose_default_is_no(
    user: TestUser, terminal: OpenTerminal
) -> None:
    ids = await three(user)
    async with terminal("memories", "space", "space", "a") as tui:
        await tui.shows("Archive 2 memories?")
        focused = tui.app.focused
        assert isinstance(focused, Button)
        assert focused.id == "no"
        await tui.press("enter")
        assert await archived(user, ids) == [False, False, False]
        await tui.press("a")
        await tui.shows("Archive 2 memories?")
        await tui.press("y")
        await tui.shows("archived 2 memories – u undoes", "page 1: 1 memory of 1")
        assert await archived(user, ids) == [False, True, True]
        await tui.press("u")
        await tui.shows("page 1: 3 memories of 3")
    assert await archived(user, ids) == [False, False, False]


async def test_the_archive_shows_what_was_archived_and_gives_it_back(user: TestUser, terminal: OpenTerminal) -> None:
    ids = await three(user)
    async with terminal("memories", "v") as tui:
        await tui.shows("Archive", "The archive is empty")
        await tui.press("v", "asterisk", "a")
        await tui.shows("Archive 3 memories?")
        await tui.press("y")
        await tui.shows("No memories yet")
        await tui.press("v")
        await tui.shows("Note 0", "Note 2")
        await tui.press("R")
        await tui.shows("restored Note", "page 1: 2 memories of 2")
    assert sorted(await archived(user, ids)) == [False, True, True]


async def test_tags_and_channels_change_together_and_back(user: TestUser, terminal: OpenTerminal) -> None:
    ids = await three(user)
    async with terminal("memories", "asterisk", "t") as tui:
        await tui.shows("Tags of 3 memories")
        tui.app.screen.query_one(Input).value = "new -old"
        await tui.press("enter")
        await tui.shows("tagged 3 memories – u undoes", "#new")
        assert [(await user.client.memories.show(each)).tags for each in ids] == [["new"]] * 3
        await tui.press("u")
        await tui.shows("#old")
        await tui.press("m")
        await tui.shows("Move 1 memory to which channel?")
        tui.app.screen.query_one(Input).value = "slack:eng"
        await tui.press("enter")
        await tui.shows("moved 1 memory to slack:eng")
        assert (await user.client.memories.show(ids[2])).channel == "slack:eng"
        await tui.press("u")
        await tui.shows("undone: moved 1 memory")
    assert (await user.client.memories.show(ids[2])).channel is None


async def test_undoing_tags_leaves_what_others_changed_since(user: TestUser, terminal: OpenTerminal) -> None:
    ids = await three(user)
    async with terminal("memories", "asterisk", "t") as tui:
        await tui.shows("Tags of 3 memories")
        tui.app.screen.query_one(Input).value = "new"
        await tui.press("enter")
        await tui.shows("tagged 3 memories – u undoes")
        await user.client.memories.update(UpdateRequest(memory_id=ids[0], content="Said by an agent"))
        await user.client.memories.forget(ForgetRequest(memory_id=ids[1], permanent=True))
        await tui.press("u")
        await tui.shows("2 memories changed since, not undone", "undone: tagged 3 memories")
    kept, back = [await user.client.memories.show(each) for each in (ids[0], ids[2])]
    assert (kept.content, kept.tags) == ("Said by an agent", ["old", "new"])
    assert back.tags == ["old"]


async def test_deleting_is_for_good(user: TestUser, terminal: OpenTerminal) -> None:
    ids = await three(user)
    async with terminal("memories", "space", "X") as tui:
        await tui.shows("Delete 1 memory permanently")
        await tui.press("y")
        await tui.shows("deleted 1 memory", "page 1: 2 memories of 2")
    with pytest.raises(ApiError):
        await user.client.memories.show(ids[2])


async def test_a_new_memory_is_written_stored_and_undone(user: TestUser, terminal: OpenTerminal) -> None:
    async with terminal("memories", "n") as tui:
        await tui.shows("New memory")
        tui.app.screen.query_one("#title", Input).value = "Freeze"
        tui.app.screen.query_one("#content", TextArea).text = "No deploys on Fridays"
        tui.app.screen.query_one("#tags", Input).value = "#ops"
        tui.app.screen.query_one("#channel", Input).value = "slack:eng"
        await tui.press("ctrl+s")
        await tui.shows("stored Freeze – u undoes", "page 1: 1 memory of 1", "#ops")
        await tui.press("u")
        await tui.shows("No memories yet")


async def test_the_command_line_completes_and_runs(terminal: OpenTerminal) -> None:
    async with terminal("accounts", "colon", size=(80, 24)) as tui:
        await tui.type("conf")
        await tui.press("tab")
        assert tui.app.screen.query_one(Input).value == "conflicts"
        await tui.press("enter")
        await tui.shows("No open conflicts")
        await tui.press("colon")
        await tui.type("theme nord")
        await tui.press("enter")
        assert tui.app.theme == "nord"
    async with terminal("accounts") as tui:
        assert tui.app.theme == "nord"
        await tui.press("colon")
        await tui.type("nothing like it")
        await tui.shows("no such command")
        await tui.press("enter", "escape")
        assert len(tui.app.screen_stack) == 1


async def test_a_narrow_terminal_says_what_may_be_undone(user: TestUser, terminal: OpenTerminal) -> None:
    title = "数据库每天凌晨两点备份。恢复演练每季度一次。 The deploy pipeline waits for two approvals"
    await user.client.memories.capture(CaptureRequest(title=title, content="Content"))
    async with terminal("memories", "a", size=(80, 24)) as tui:
        await tui.shows("Archive “")
        await tui.press("y")
        await tui.shows("archived 数据库", "– u undoes")
        await tui.press("u")
        await tui.until(lambda text: "u undoes" not in text)


async def test_after_a_change_the_page_and_the_cursor_stay(
    user: TestUser, terminal: OpenTerminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_pages, "PAGE", 4)
    for at in range(11):
        await user.client.memories.capture(CaptureRequest(title=f"Note {at:02}", content=f"Content {at}"))
    async with terminal("memories", "right_square_bracket", "j", "j") as tui:
        await tui.shows("page 2: 4 memories of 11")
        table = tui.app.screen.query_one("#table", RowTable)
        assert table.rows[table.cursor_row].cells[3].text == "Note 04"
        await tui.press("space", "k", "a")
        await tui.shows("Archive 1 memory?")
        await tui.press("y")
        await tui.shows("page 2: 4 memories of 10")
        assert table.rows[table.cursor_row].cells[3].text == "Note 03"
        await tui.press("right_square_bracket")
        await tui.shows("page 3: 2 memories of 10")
        await tui.press("asterisk", "a")
        await tui.shows("Archive 2 memories?")
        await tui.press("y")
        await tui.shows("page 2: 4 memories of 8", "last page")
        await tui.press("left_square_bracket")
        await tui.shows("page 1: 4 memories of 8")
        assert [row.cells[3].text for row in table.rows] == ["Note 10", "Note 09", "Note 08", "Note 07"]
