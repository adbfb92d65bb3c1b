"""Memories: a table that holds one page, filters, preview, keys."""

import pytest
from textual.widgets import Input

from memctl.wire.memories import CaptureRequest
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal, Terminal
from tui import memory_pages
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


async def test_the_newest_memory_comes_first_and_its_text_is_beside_it(user: TestUser, terminal: OpenTerminal) -> None:
    await capture(user, 3)
    async with terminal("memories") as tui:
        text = await tui.shows("Note 2", "Note 0", "Content of Note 2", "page 1: 3 memories of 3", "last page")
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
        assert "last page" in tui.text
        await tui.press("right_square_bracket")
        assert table(tui).keys == newest_first[20:]
        await tui.press("g", "k")
        assert table(tui).keys == newest_first[10:20]
        assert table(tui).current_key == newest_first[19]
        await tui.press("left_square_bracket")
        assert table(tui).keys == newest_first[:10]
        await tui.press("left_square_bracket")
        assert table(tui).keys == newest_first[:10]


async def test_the_list_follows_what_is_typed(user: TestUser, terminal: OpenTerminal) -> None:
    await capture(user, 8, "Deploy", channel="slack:eng", tags=["ops"])
    await capture(user, 3, "Garden")
    async with terminal("memories", "slash") as tui:
        await tui.type("depl")
        await tui.until(lambda text: "Garden" not in text and "page 1: 8 memories of 8" in text)
        assert isinstance(tui.app.focused, Input)
        await tui.press("enter")
        assert tui.app.focused is table(tui)
        await _fill(tui, "text", " zzz")
        await tui.shows("c clears the filters, / changes them")
        await tui.press("c")
        assert len(table(tui).keys) == 11
        await _fill(tui, "tag", "ops")
        assert len(table(tui).keys) == 8
        await tui.press("c")
        await _fill(tui, "channel", "slack")
        assert {row[3].text.split()[0] for row in _rows(tui)} == {"Deploy"}


async def test_a_word_of_two_ideographs_filters_as_it_is_typed(user: TestUser, terminal: OpenTerminal) -> None:
    for title in ("备份策略", "迁移计划"):
        await user.client.memories.capture(CaptureRequest(title=title, content=f"{title}。"))
    async with terminal("memories", "slash", "迁", "移") as tui:
        text = await tui.until(lambda text: "备份策略" not in text)
        assert "迁移计划" in text


@pytest.mark.usefixtures("small_pages")
async def test_the_total_counts_beyond_the_page(user: TestUser, terminal: OpenTerminal) -> None:
    await capture(user, 12)
    async with terminal("memories") as tui:
        await tui.shows("page 1: 10 memories of 12 · ] next page")


async def test_columns_sort_by_key_by_command_and_by_a_click(user: TestUser, terminal: OpenTerminal) -> None:
    for title, strength in (("b", 0.2), ("c", 0.9), ("a", 0.5)):
        await user.client.memories.capture(CaptureRequest(title=title, content=f"Content {title}", strength=strength))

    def titles(tui: Terminal) -> str:
        return "".join(str(row[3].text) for row in _rows(tui))

    async with terminal("memories", "colon") as tui:
        await tui.type("sort str")
        await tui.press("enter")
        await tui.shows("str↓")
        assert titles(tui) == "cab"
        await tui.press("O")
        assert titles(tui) == "bac"
        await tui.pilot.click(RowTable, offset=(40, 1))
        await tui.shows("title↑")
        await tui.until(lambda _: titles(tui) == "abc")
        for _ in range(6):
            await tui.press("o")
        assert titles(tui) == "abc"


async def test_new_rows_appear_while_the_list_is_live(
    user: TestUser, terminal: OpenTerminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.screens.memories.LIVE_SECONDS", 0.05)
    await capture(user, 1)
    async with terminal("memories", "L") as tui:
        await tui.shows("● live")
        await capture(user, 1, "Late")
        await tui.shows("✦now", "Late 0", "page 1: 2 memories of 2")
        await tui.press("L")
        await tui.until(lambda text: "● live" not in text)


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
