"""Recall bench: ranked rows with their bars, dropped rows and why, two settings side by side."""

import pytest
from textual.widgets import Input

from memctl.commands.explanation import REASONS
from memctl.wire.memories import CaptureRequest
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal, Terminal
from tui.widgets.bench_pane import BenchPane
from tui.widgets.row_table import RowTable

NOTES = (
    ("Freeze", "Deploys are frozen on Fridays", "slack:eng"),
    ("Freeze again", "Deploys are frozen on Fridays!", "slack:eng"),
    ("Lunch", "Lunch is at noon", "slack:food"),
    ("Deploy window", "We deploy on Tuesdays at ten", None),
)


async def remember(user: TestUser) -> None:
    for title, content, channel in NOTES:
        await user.client.memories.capture(CaptureRequest(title=title, content=content, channel=channel))


async def ask(tui: Terminal, query: str) -> None:
    await tui.press("escape", "slash")
    await tui.type(query)
    await tui.press("enter")


async def test_rows_are_ranked_and_their_scores_explained(user: TestUser, terminal: OpenTerminal) -> None:
    await remember(user)
    async with terminal("recall", size=(80, 40)) as tui:
        assert "/ enters a query" in tui.text
        await ask(tui, "when are deploys frozen")
        text = await tui.shows("vector", "×0.35", "strength", "recency", "access", "keyword", "relevance", "rows")
        assert text.index("Freeze") < text.index("Lunch")
        await tui.press("enter")
        await tui.shows("Recall text")
        await tui.press("right", "right", "right")
        await tui.shows("when are deploys frozen")


async def test_a_query_that_was_not_entered_is_not_asked(user: TestUser, terminal: OpenTerminal) -> None:
    await remember(user)
    async with terminal("recall") as tui:
        await tui.type("lunch")
        await tui.press("escape", "r")
        await tui.shows("Try a recall")
        await ask(tui, "lunch")
        await tui.shows("Lunch is at noon")


async def test_a_choice_shows_its_words_in_full_on_a_small_terminal(terminal: OpenTerminal) -> None:
    async with terminal("recall", size=(80, 24)) as tui:
        await tui.press("escape", "tab", "tab", "enter")
        await tui.shows("decision", "conversation")


async def test_dropped_rows_tell_why(user: TestUser, terminal: OpenTerminal) -> None:
    await remember(user)
    async with terminal("recall") as tui:
        tui.app.screen.query_one("#limit", Input).value = "1"
        await ask(tui, "deploys frozen fridays")
        await tui.shows("dropped (d shows)")
        await tui.press("d")
        await tui.shows("why it was left out", "beyond the limit", "mem_")
        ranked = tui.app.screen.query_one("#ranked", RowTable).rows[0].cells[2].text
        scores = [row.cells[1].text for row in tui.app.screen.query_one("#dropped", RowTable).rows]
        assert all(0 < float(score) <= float(ranked) for score in scores), "the same scale as the ranked rows"
        await tui.press("enter")
        await tui.shows("Recall text")


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [("limit", "-", "limit: must be an integer"), ("evidence", "1e", "min_evidence: must be a number")],
)
async def test_an_unfinished_number_in_a_setting_is_refused_by_its_name(
    user: TestUser, terminal: OpenTerminal, field: str, typed: str, said: str
) -> None:
    await remember(user)
    async with terminal("recall") as tui:
        tui.app.screen.query_one(f"#{field}", Input).value = typed
        await ask(tui, "deploys")
        await tui.shows(f"{said} · change it and try again")
        tui.app.screen.query_one(f"#{field}", Input).value = ""
        await ask(tui, "frozen")
        await tui.shows("Freeze again", "4 rows")


async def test_every_reason_fits_a_small_terminal(user: TestUser, terminal: OpenTerminal) -> None:
    await remember(user)
    async with terminal("recall", size=(80, 24)) as tui:
        tui.app.screen.query_one("#limit", Input).value = "1"
        await ask(tui, "deploys frozen fridays")
        await tui.shows("dropped (d shows)")
        await tui.press("d")
        table = tui.app.screen.query_one("#dropped", RowTable)
        row = table.rows[0]
        for reason in REASONS.values():  # none is part of another
            table.replace(row._replace(cells=(*row.cells[:2], row.cells[2]._replace(text=reason), *row.cells[3:])))
            await tui.shows(reason, row.cells[4].text)


async def test_weak_and_ended_rows_are_marked_in_a_small_terminal(user: TestUser, terminal: OpenTerminal) -> None:
    text = "The change freeze of the Kestrel project for the whole of the platform team"
    for title, end in ((text, "2021-01-06"), ("Rent", None)):
        sent = CaptureRequest(title=title, content=f"{title} is paid for.", valid_until=end)
        await user.client.memories.capture(sent)
    async with terminal("recall", size=(80, 24)) as tui:
        await ask(tui, "when is the change freeze of Kestrel?")
        await tui.shows("(weak) Rent", "nothing relevant")
        assert "(ended)" not in tui.text
        await tui.press("escape", "e")
        await tui.shows(
            "Ranked, ended too", "(ended) The change freeze", "true until the end of 2021-01-06", "(weak) Rent"
        )
        await tui.press("e")
        await tui.until(lambda shown: "(ended)" not in shown and "(weak) Rent" in shown)


async def test_two_settings_stand_side_by_side(user: TestUser, terminal: OpenTerminal) -> None:
    await remember(user)
    async with terminal("recall") as tui:
        await ask(tui, "deploys")
        await tui.press("s")
        first, second = tui.app.screen.query(BenchPane)
        second.query_one("#channel", Input).value = "slack:food"
        await tui.press("slash", "enter")
        titles = [{row.cells[4].text for row in pane.query_one("#ranked", RowTable).rows} for pane in (first, second)]
        assert "Freeze" in titles[0]
        assert "(weak) Lunch" in titles[1]
        assert "Freeze" not in titles[1]
        await tui.shows("new")
        await tui.press("w")
        assert second.has_focus_within or first.has_focus_within
        await tui.press("s")
        assert len(tui.app.screen.query(BenchPane)) == 1


async def test_every_setting_can_be_read_in_a_small_terminal_and_esc_ends_the_comparison(
    user: TestUser, terminal: OpenTerminal
) -> None:
    settings = ("mode", "KB", "store", "channel", "agent", "limit", "min evidence")
    await remember(user)
    async with terminal("recall", size=(80, 24)) as tui:
        await tui.until(lambda text: all(text.splitlines()[3].count(word) == 1 for word in settings))
        await ask(tui, "deploys")
        await tui.press("s")
        await tui.until(lambda text: all("".join(text.splitlines()[3:5]).count(word) == 2 for word in settings))
        first, second = tui.app.screen.query(BenchPane)
        assert second.has_focus_within
        second.query_one("#channel", Input).focus()
        await tui.press("escape")
        assert len(tui.app.screen.query(BenchPane)) == 2
        await tui.press("escape")
        assert [*tui.app.screen.query(BenchPane)] == [first]
        assert first.table.has_focus
        await tui.until(lambda text: all(text.splitlines()[3].count(word) == 1 for word in settings))


async def test_a_limit_out_of_range_is_reported(user: TestUser, terminal: OpenTerminal) -> None:
    await remember(user)
    async with terminal("recall") as tui:
        tui.app.screen.query_one("#limit", Input).value = "0"
        await ask(tui, "deploys")
        await tui.shows("limit", "change it and try again")


async def test_weak_rows_are_dimmed_and_left_out_by_min_evidence(user: TestUser, terminal: OpenTerminal) -> None:
    await remember(user)
    async with terminal("recall") as tui:
        await ask(tui, "chromodynamics of lattice gluons")
        await tui.shows("nothing relevant · 4 rows")
        table = tui.app.screen.query_one("#ranked", RowTable)
        assert {row.cells[4].style for row in table.rows} == {"dim"}
        tui.app.screen.query_one("#evidence", Input).value = "0.35"
        await ask(tui, "")
        await tui.shows("nothing relevant · 0 rows", "4 below min evidence", "lower min evidence")


async def test_the_query_has_the_focus_at_once_and_digits_are_part_of_it(terminal: OpenTerminal) -> None:
    async with terminal("recall") as tui:
        await tui.type("42 rules")
        assert tui.app.screen.query_one("#query", Input).value == "42 rules"
        await tui.press("escape", "2")
        assert tui.app.current_mode == "memories"
