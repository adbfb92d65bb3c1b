"""Messages: channels and sessions, endless scroll both ways, search with bounds, turns."""

import pytest
from textual.widgets import Input, OptionList

from memctl.wire.messages import LogRequest, TurnRequest
from memd.context import Services
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal, Terminal
from tui import conversation_reader
from tui.presenters import timeline
from tui.widgets.row_table import RowTable

START = 1_780_000_000_000
MINUTE = 60_000


@pytest.fixture
def small_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline, "PAGE", 5)
    monkeypatch.setattr(timeline, "KEPT", 12)
    monkeypatch.setattr(conversation_reader, "PAGE", 5)


async def talk(user: TestUser, count: int, channel: str = "cli", session: str = "s1") -> None:
    """Log numbered messages, a minute apart."""
    for at in range(count):
        await user.client.messages.log(
            LogRequest(content=f"line {at:02}", channel=channel, session_key=session, timestamp=START + at * MINUTE)
        )


def lines(tui: Terminal) -> list[str]:
    return [row.cells[-1].text for row in table(tui).rows]


def table(tui: Terminal) -> RowTable:
    return tui.app.screen.query_one("#table", RowTable)


@pytest.mark.usefixtures("small_stretches")
async def test_it_scrolls_back_and_forth_without_end_and_holds_a_window_only(
    user: TestUser, terminal: OpenTerminal
) -> None:
    await talk(user, 30)
    everything = [f"line {at:02}" for at in range(30)]
    async with terminal("messages") as tui:
        assert lines(tui) == everything[-5:]
        assert table(tui).cursor_row == 4
        seen = set(lines(tui))
        while "line 00" not in seen:
            await tui.press("g", "k")
            seen |= set(lines(tui))
            assert len(lines(tui)) <= 12
        assert "none older" in tui.text
        assert "more below" in tui.text
        assert lines(tui) == everything[:12]
        while "line 29" not in lines(tui):
            await tui.press("G", "j")
            assert len(lines(tui)) <= 12
            assert lines(tui) == sorted(lines(tui))
        await tui.press("G", "j")
        assert "none newer" in tui.text
        await talk(user, 1, session="s2")
        await tui.press("n")
        assert lines(tui) == everything[-5:]


async def test_a_small_screen_has_room_for_the_texts(user: TestUser, terminal: OpenTerminal) -> None:
    content = "We ship on Thursdays"
    await user.client.messages.log(LogRequest(content=content, channel="cli", session_key="s1", timestamp=START))
    async with terminal("messages", size=(60, 20)) as tui:
        await tui.shows("none older or newer")
        assert tui.text.count("We ship on T") == 2  # in the table and in full below
        assert content in tui.text
        assert "search by" in tui.text


async def test_channels_and_sessions_are_conversations(user: TestUser, terminal: OpenTerminal) -> None:
    await talk(user, 3, "cli", "s1")
    await talk(user, 2, "slack:eng", "s2")
    async with terminal("messages", "p") as tui:
        side = tui.app.screen.query_one("#conversations", OptionList)
        prompts = [str(side.get_option_at_index(at).prompt) for at in range(side.option_count)]
        assert prompts == ["All messages", "cli", "  s1", "slack:eng", "  s2"]
        await tui.press("down", "enter")
        assert len(lines(tui)) == 3
        await tui.press("p", "down", "down", "down", "enter")
        assert len(lines(tui)) == 2
        await tui.shows("2 messages in 2 turns")


@pytest.mark.usefixtures("small_stretches")
async def test_sessions_older_than_the_messages_in_the_table_can_be_chosen(
    user: TestUser, terminal: OpenTerminal
) -> None:
    for at, name in enumerate(["first", "second", "third"]):
        await user.client.messages.log(
            LogRequest(content=f"opening {name}", channel="cli", session_key=name, timestamp=START - (9 - at) * MINUTE)
        )
    await talk(user, 8, "cli", "newest")
    async with terminal("messages", "p") as tui:
        side = tui.app.screen.query_one("#conversations", OptionList)
        await tui.until(lambda _text: side.option_count == 6)
        prompts = [str(side.get_option_at_index(at).prompt) for at in range(side.option_count)]
        assert prompts == ["All messages", "cli", "  newest", "  third", "  second", "  first"]
        await tui.press("end", "enter")
        assert lines(tui) == ["opening first"]


async def test_an_imported_session_has_the_title_of_its_conversation(user: TestUser, terminal: OpenTerminal) -> None:
    for at in range(2):
        fields = {"channel": "claude", "sessionKey": "8c1e", "timestamp": START + at}
        metadata = {"conversation": "Trip to [b]Lyon"}
        await user.client.messages.log(LogRequest.from_body({"content": f"line {at}", "metadata": metadata, **fields}))
    async with terminal("messages", "p") as tui:
        side = tui.app.screen.query_one("#conversations", OptionList)
        assert str(side.get_option_at_index(2).prompt) == "  Trip to [b]Lyon"


async def test_a_search_finds_pages_and_leads_into_the_conversation(user: TestUser, terminal: OpenTerminal) -> None:
    await talk(user, 20)
    await user.client.messages.log(LogRequest(content="the deploy failed", timestamp=START + 7 * MINUTE + 1))
    async with terminal("messages", "slash") as tui:
        await tui.type("deploy failed")
        await tui.press("enter")
        assert lines(tui)[0] == "the deploy failed"
        await tui.press("enter")
        shown = lines(tui)
        assert shown[table(tui).cursor_row] == "the deploy failed"
        assert shown[shown.index("the deploy failed") - 1] == "line 07"
        await tui.press("slash")
        await tui.type("line")
        tui.app.screen.query_one("#since", Input).value = str(START + 18 * MINUTE)
        await tui.press("enter")
        assert sorted(lines(tui)) == ["line 18", "line 19"]
        assert "as entered" in tui.text
        await tui.press("escape")
        assert len(lines(tui)) > 2


async def test_hits_that_hardly_fit_the_query_themselves_are_listed_on_request_and_marked(
    user: TestUser, terminal: OpenTerminal
) -> None:
    said = ("The deploy failed with a lock timeout.", "Was an index added?", "Which colour has the new logo?", "Teal.")
    for at, content in enumerate(said):
        session = "s1" if at < 2 else "s2"
        await user.client.messages.log(LogRequest(content=content, session_key=session, timestamp=START + at * MINUTE))
    async with terminal("messages", "slash") as tui:
        await tui.type("deploy failed")
        await tui.press("enter")
        await tui.shows("1 hit · 3 weak (w shows)")
        assert lines(tui) == [said[0]]
        await tui.press("w")
        assert lines(tui)[:2] == [said[0], f"(adjacent) {said[1]}"]
        assert sorted(lines(tui)[2:]) == sorted(f"(weak) {text}" for text in said[2:])
        await tui.shows("4 hits · 3 of them weak (w hides)")
        await tui.press("slash")
        await tui.type("logo")
        await tui.press("enter", "w")
        assert said[0] not in " ".join(lines(tui))
        await tui.press("escape")
        assert lines(tui) == [*said]


async def test_a_search_without_a_relevant_hit_says_so_and_lists_the_closest(
    user: TestUser, terminal: OpenTerminal
) -> None:
    for at, content in enumerate(("We ship on Thursdays", "Lunch is at noon", "The printer is on floor two")):
        await user.client.messages.log(LogRequest(content=content, timestamp=START + at * MINUTE))
    async with terminal("messages", "slash") as tui:
        await tui.type("quantum chromodynamics")
        await tui.press("enter")
        await tui.shows("nothing relevant, the closest 2 hits · 1 weak (w shows)")
        assert len(lines(tui)) == 2
        assert all(line.startswith("(weak) ") for line in lines(tui))


async def test_more_hits_are_those_of_the_query_that_was_entered(user: TestUser, terminal: OpenTerminal) -> None:
    await talk(user, 55)
    for at in range(5):
        await user.client.messages.log(LogRequest(content=f"the deploy failed {at}", timestamp=START - at * MINUTE))
    async with terminal("messages", "slash") as tui:
        await tui.type("deploy failed")
        await tui.press("enter", "w")
        await tui.shows("50 hits", "more below")
        await tui.press("slash")
        await tui.type("line 07")
        await tui.press("escape", "G", "j")
        await tui.shows("60 hits")
        assert len(set(lines(tui))) == 60


async def test_bounds_that_are_no_time_are_reported(user: TestUser, terminal: OpenTerminal) -> None:
    await talk(user, 1)
    async with terminal("messages", "slash") as tui:
        await tui.type("line")
        tui.app.screen.query_one("#since", Input).value = "yesteryear"
        await tui.press("enter")
        await tui.shows("yesteryear", "change it and try again")


async def test_bounds_without_a_query_lead_to_that_time(user: TestUser, terminal: OpenTerminal) -> None:
    await talk(user, 20)
    async with terminal("messages") as tui:
        assert lines(tui)[table(tui).cursor_row] == "line 19"
        for bound in ("since", "until"):
            await tui.press("slash")
            for name in ("since", "until"):
                tui.app.screen.query_one(f"#{name}", Input).value = ""
            tui.app.screen.query_one(f"#{bound}", Input).value = str(START + 7 * MINUTE)
            await tui.press("enter")
            assert lines(tui)[table(tui).cursor_row] == "line 07", bound
            await tui.press("n")
            assert lines(tui)[table(tui).cursor_row] == "line 19"


async def test_bounds_are_typed_as_in_memctl(user: TestUser, terminal: OpenTerminal) -> None:
    await user.client.messages.log(LogRequest(content="the deploy failed"))
    async with terminal("messages", "slash") as tui:
        await tui.type("deploy")
        tui.app.screen.query_one("#since", Input).value = "yesterday"
        await tui.press("enter")
        await tui.shows("1 hit", "as entered")


async def test_a_turn_is_shown_whole(user: TestUser, terminal: OpenTerminal) -> None:
    turn = TurnRequest(
        session_key="s1",
        channel="cli",
        turn_id="t1",
        user_message="when do we deploy?",
        assistant_message="on \x1b[31mTuesday [b]only[/b]",
        timestamp=START,
    )
    await user.client.messages.turn(turn)
    async with terminal("messages", "t") as tui:
        text = await tui.shows("turn t1", "when do we deploy?", "Tuesday [b]only[/b]")
        assert "\x1b" not in text
        await tui.press("escape")
        await tui.shows("2 messages, none older or newer")


async def test_an_empty_history_says_how_to_fill_it(terminal: OpenTerminal) -> None:
    async with terminal("messages", size=(80, 24)) as tui:
        assert "memctl log user TEXT" in tui.text


async def test_a_long_query_is_shown_from_its_beginning_after_the_search(terminal: OpenTerminal) -> None:
    async with terminal("messages", "slash", size=(80, 24)) as tui:
        await tui.type("connection pool of the payments service")
        await tui.press("enter")
        await tui.shows("connection pool of")


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (160, 45)])
async def test_the_newest_message_is_in_view_at_once_and_stays_so_in_a_smaller_terminal(
    user: TestUser, terminal: OpenTerminal, size: tuple[int, int]
) -> None:
    await talk(user, 60)
    async with terminal("messages", size=size) as tui:
        await tui.until(lambda text: text.count("line 59") == 2)  # in the list and in the pane below it
        above = tui.text.count("line")
        await tui.press("k")
        await tui.shows("line 59", "line 58")
        assert tui.text.count("line") == above
        await tui.press("G")
        await tui.pilot.resize_terminal(80, 22)
        await tui.until(lambda text: text.count("line 59") == 2)


async def test_a_time_that_no_calendar_has_is_shown(user: TestUser, terminal: OpenTerminal, services: Services) -> None:
    """An earlier release stored microseconds."""
    await talk(user, 2)
    async with services.database.write(user.id) as session:
        await session.execute(
            """UPDATE message SET "timestamp" = 1795765600000000 WHERE user_id = %(user)s AND content = 'line 01'""",
            {"user": user.id},
        )
    async with terminal("messages") as tui:
        assert lines(tui) == ["line 00", "line 01"]
        assert "1795765600000000" in tui.text
