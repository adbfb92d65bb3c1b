"""Memories: a table that holds one page, filters, preview, keys."""

import pytest
from textual.widgets import Input

from memctl.wire.memories import CaptureRequest
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal, Terminal
from tui.screens import memory_pages
from tui.screens.memories import MemoriesScreen
from tui.widgets.row_table import RowTable


async def capture(user: TestUser, count: int, prefix: str = "Note", **fields: object) -> list[str]:
    """Capture numbered memories; their ids."""
    requests = [
        CaptureRequest.model_validate({"title": f"{prefix} {at}", "content": f"Content of {prefix} {at}", **fields})
        for at in range(count)
    ]
    return [(await user.client.memories.capture(request)).id for request in requests]


def table(tui: Terminal) -> RowTable:
    return tui.app.screen.query_one("#table", RowTable)


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_pages, "PAGE", 10)
    monkeypatch.setattr(memory_pages, "SCAN_PAGE", 10)


async def test_the_newest_memory_comes_first_and_its_text_is_beside_it(user: TestUser, terminal: OpenTerminal) -> None:
    await capture(user, 3)
    async with terminal("memories") as tui:
        text = await tui.shows("Note 2", "Note 0", "Content of Note 2", "page 1: 3 memories", "the last page")
    assert text.index("Note 2") < text.index("Note 0")


@pytest.mark.usefixtures("small_pages")
async def test_pages_turn_with_brackets_and_at_the_edges(user: TestUser, terminal: OpenTerminal) -> None:
    ids = await capture(user, 25)
    newest_first = ids[::-1]
    async with terminal("memories") as tui:
        assert table(tui).keys == newest_first[:10]
        await tui.press("right_square_bracket")
        assert table(tui).keys == [*_held(tui)] == newest_first[10:20]
        await tui.press("G", "j")
        assert table(tui).keys == newest_first[20:]
        assert "the last page" in tui.text
        await tui.press("right_square_bracket")
        assert table(tui).keys == newest_first[20:]
        await tui.press("g", "k")
        assert table(tui).keys == newest_first[10:20]
        assert table(tui).current_key == newest_first[19]
        await tui.press("left_square_bracket")
        assert table(tui).keys == newest_first[:10]
        await tui.press("left_square_bracket")
        assert table(tui).keys == newest_first[:10]


@pytest.mark.usefixtures("small_pages")
async def test_filters_of_memtui_read_on_until_a_page_is_full(user: TestUser, terminal: OpenTerminal) -> None:
    await capture(user, 8, "Deploy", channel="slack:eng", tags=["ops"])
    await capture(user, 30, "Garden")
    async with terminal("memories", "slash") as tui:
        await tui.type("deploy 7")
        await tui.press("enter")
        assert [row[3].text for row in _rows(tui)] == ["Deploy 7"]
        assert "looked through 38" in tui.text
        await _fill(tui, "text", "zzz")
        assert "c clears the filters, / changes them" in tui.text
        await tui.press("c")
        assert len(table(tui).keys) == 10
        await _fill(tui, "tag", "ops")
        assert len(table(tui).keys) == 8
        await tui.press("c")
        await _fill(tui, "channel", "slack")
        assert {row[3].text.split()[0] for row in _rows(tui)} == {"Deploy"}


def _held(tui: Terminal) -> list[str]:
    """The memories that the screen holds at all."""
    screen = tui.app.screen
    assert isinstance(screen, MemoriesScreen)
    return [*screen._rows]


def _rows(tui: Terminal) -> list[tuple]:
    return [row.cells for row in table(tui).rows]


async def _fill(tui: Terminal, field: str, text: str) -> None:
    tui.app.screen.query_one(f"#{field}", Input).focus()
    await tui.type(text)
    await tui.press("enter")


async def test_store_and_category_are_chosen_from_lists(user: TestUser, terminal: OpenTerminal) -> None:
    await capture(user, 2, "Rule", store="semantic", category="rule")
    await capture(user, 2, "Talk")
    async with terminal("memories") as tui:
        tui.app.screen.query_one("#store").focus()
        await tui.press("enter", "s", "e", "m", "enter")
        assert {row[3].text.split()[0] for row in _rows(tui)} == {"Rule"}


async def test_an_empty_memory_says_how_to_fill_it(terminal: OpenTerminal) -> None:
    async with terminal("memories", size=(80, 24)) as tui:
        assert "No memories yet" in tui.text


MOVES = (
    ("j j j", 3),
    ("down k", 3),
    ("G", 29),
    ("up", 28),
    ("g", 0),
    ("end", 29),
    ("home", 0),
    ("ctrl+d ctrl+u", 0),
    ("pagedown pageup", 0),
    ("ctrl+f ctrl+b", 0),
)


async def test_vim_and_arrow_keys_move_the_cursor(user: TestUser, terminal: OpenTerminal) -> None:
    await capture(user, 30)
    async with terminal("memories", size=(80, 24)) as tui:
        for keys, row in MOVES:
            await tui.press(*keys.split())
            assert table(tui).cursor_row == row, keys
        await tui.press("ctrl+f")
        assert table(tui).cursor_row >= 10


async def test_a_click_opens_the_memory(user: TestUser, terminal: OpenTerminal) -> None:
    await capture(user, 3)
    async with terminal("memories", size=(80, 24)) as tui:
        await tui.pilot.click(RowTable, offset=(10, 3))
        await tui.pilot.click(RowTable, offset=(10, 3))
        await tui.settle()
        assert "Content of Note 1" in tui.text
        assert "Recall text" in tui.text


async def test_stored_text_is_never_markup(user: TestUser, terminal: OpenTerminal) -> None:
    text = "[red]x[/red] [@click=app.quit]y[/]"
    await user.client.memories.capture(CaptureRequest(title=text, content=f"{text} and more", tags=["[b]tag"]))
    async with terminal("memories") as tui:
        assert text in tui.text
        await tui.press("enter")
        await tui.shows(f"{text} and more", "#[b]tag")
