"""The forms take the period of a memory, and what is reported after a change says which one memd has stored."""

from textual.widgets import Input, TextArea

from memctl.wire.memories import CaptureRequest
from memctl.wire.memory_listing import MemoryListRequest
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal, Terminal
from tui.periods import period_notice, read_end, read_start, typed_end, typed_start
from tui.presenters.memories import NEW

DAY = 86_400_000
FIRST = 1_798_675_200_000  # 2026-12-31


def fill(tui: Terminal, **texts: str) -> None:
    for name, text in texts.items():
        if name == "content":
            tui.app.screen.query_one("#content", TextArea).text = text
        else:
            tui.app.screen.query_one(f"#{name}", Input).value = text


def test_a_period_is_typed_as_it_is_shown() -> None:
    for moment in (FIRST, FIRST + 60_000, FIRST + 1_000, FIRST + 1):
        assert read_start(typed_start(moment)) == typed_start(moment)
    assert (typed_start(FIRST), typed_start(FIRST + 60_000)) == ("2026-12-31", "2026-12-31T00:01")
    assert typed_end(FIRST) == typed_end(FIRST - 1) == "2026-12-30"
    assert (typed_start(None), typed_end(None), read_start(" "), read_end("")) == ("", "", None, None)
    assert int(read_end("tomorrow") or 0) - int(read_start("tomorrow") or 0) == DAY - 1


def test_what_recall_leaves_out_is_told() -> None:
    assert period_notice(None, None, FIRST) == ""
    assert period_notice(None, FIRST + DAY, FIRST) == "true until the end of 2026-12-31"
    assert (
        period_notice(None, FIRST, FIRST)
        == "true until the end of 2026-12-30; recall leaves it out: it ended on 2026-12-30"
    )
    assert period_notice(FIRST + DAY, None, FIRST) == "true from 2027-01-01; recall leaves it out before 2027-01-01"


async def test_a_new_memory_begins_as_a_capture_without_options(user: TestUser) -> None:
    stored = await user.client.memories.capture(CaptureRequest(title="A", content="B"))
    assert (stored.store, stored.category) == (NEW.store, NEW.category)


async def test_the_period_that_is_read_from_a_new_text_is_told(user: TestUser, terminal: OpenTerminal) -> None:
    async with terminal("memories", "n", size=(80, 24)) as tui:
        await tui.shows("New memory", "true from", "until")
        fill(tui, title="Annex", content="The gym annex is closed until 4 December 2095.")
        await tui.press("ctrl+s")
        await tui.shows("Annex: true until", "2095-12-04")


async def test_a_period_is_given_changed_and_removed(user: TestUser, terminal: OpenTerminal) -> None:
    async with terminal("memories", "n") as tui:
        fill(tui, title="Freeze", content="Only hotfixes.", begin="never", end="06.01.2096")
        await tui.press("ctrl+s")
        await tui.shows("'never' is not a time", "New memory")
        fill(tui, begin="2095-12-18")
        await tui.press("ctrl+s")
        await tui.shows("Freeze: true from 2095-12-18 until")
        await tui.press("e")
        await tui.shows("Edit the memory", "2095-12-18", "2096-01-06")
        fill(tui, begin="", end="2096-01-10")
        await tui.press("ctrl+s")
        await tui.shows("Save beginning, end of")
        await tui.press("y")
        await tui.shows("Freeze: true until the end of 2096-01-10")
        await tui.press("u")
        await tui.shows("undone: edited Freeze")
        (row,) = [memory async for memory in user.client.memories.list_all(MemoryListRequest())]
        assert (typed_start(row.valid_from), typed_end(row.valid_until)) == ("2095-12-18", "2096-01-06")


async def test_undoing_a_new_text_restores_the_period(user: TestUser, terminal: OpenTerminal) -> None:
    memory_id = (await user.client.memories.capture(CaptureRequest(title="Annex", content="The annex is open."))).id
    async with terminal("memories", "e") as tui:
        fill(tui, content="The annex is closed until 4 December 2095.")
        await tui.press("ctrl+s")
        await tui.shows("Save content of")
        await tui.press("y")
        await tui.shows("Annex: true until", "2095-12-04")
        await tui.press("u")
        await tui.shows("undone: edited Annex")
        memory = await user.client.memories.show(memory_id)
        assert (memory.content, memory.valid_until) == ("The annex is open.", None)
