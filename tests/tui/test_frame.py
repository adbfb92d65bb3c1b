"""The frame that all tabs share: keys, help, palette, themes, sizes, errors, a server that is away."""

import asyncio
import re

import httpx
import pytest

from memctl import __version__
from memctl.client import MemdClient
from memctl.wire.memories import CaptureRequest
from memd.domain.types import Tier
from tests.support.service import BASE, MakeUser, TestUser
from tests.support.terminal import OpenTerminal
from tui.__main__ import parser
from tui.colors import DARK, LIGHT
from tui.screens.key_help import KeyHelp
from tui.tabs import TABS


@pytest.mark.parametrize("size", [(80, 24), pytest.param((200, 60), marks=pytest.mark.long)])
async def test_every_tab_opens_with_its_number_and_shows_its_frame(
    terminal: OpenTerminal, size: tuple[int, int]
) -> None:
    async with terminal(size=size) as tui:
        for at, entry in enumerate(TABS, 1):
            await tui.press(f"f{at}")
            assert tui.app.current_mode == entry.name
            lines = tui.text.splitlines()
            assert len(lines) == size[1]
            assert max(map(len, lines)) <= size[0]
            assert f"{at} {entry.title if size[0] > 160 else entry.short}" in lines[1]
            assert f"● {BASE}" in lines[0]


async def test_a_message_of_a_few_seconds_covers_neither_the_rows_nor_the_page_line(
    user: TestUser, terminal: OpenTerminal
) -> None:
    await user.client.memories.capture(CaptureRequest(title="Note", content="Text."))
    async with terminal("memories", size=(80, 24)) as tui:
        await tui.press("u")
        await tui.shows("nothing to undo", "page 1: 1 memory of 1 · last page")
        (at,) = (number for number, line in enumerate(tui.text.splitlines()) if "nothing to undo" in line)
        page = tui.app.screen.query_one("#where").region
        assert at == page.y - 1
        assert not [toast for toast in tui.app.screen.query("Toast") if toast.region.overlaps(page)]


async def test_the_hint_of_an_empty_list_is_whole_in_a_narrow_pane(terminal: OpenTerminal) -> None:
    async with terminal("snapshots", size=(80, 24)) as tui:
        await tui.shows("No snapshots yet", "No checkpoints yet", "state of memories")
        shown = " ".join(re.sub("[│╭╮╰╯─]", " ", tui.text).split())
        assert "Hooks save them at compaction; to add one: memctl snapshot save" in shown


async def test_a_tab_has_the_same_name_in_its_tab_in_the_palette_and_in_a_command(terminal: OpenTerminal) -> None:
    async with terminal("recall", "escape", size=(80, 24)) as tui:
        await tui.shows("1 Overview", "6 Keys", "? Help")
        await tui.press("colon")
        await tui.type("overview")
        await tui.press("enter")
        assert tui.app.current_mode == "stats"
        await tui.press("colon")
        await tui.type("keys")
        assert "? Help" not in await tui.shows(" keys ", "open this screen")
        await tui.press("enter")
        assert tui.app.current_mode == "accounts"


@pytest.mark.parametrize(("word", "tab"), [("keys", "keys"), ("accounts", "keys"), ("stats", "overview")])
def test_memtui_begins_with_the_tab_of_a_word_and_still_takes_earlier_words(word: str, tab: str) -> None:
    assert parser().parse_args([word]).tab == tab


def test_it_shows_its_version_as_memctl_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parser().parse_args(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"memtui, version {__version__}\n")


async def test_a_click_on_the_tab_line_opens_a_tab(terminal: OpenTerminal) -> None:
    async with terminal("accounts", size=(80, 24)) as tui:
        await tui.pilot.click("#tab-bar", offset=(tui.text.splitlines()[1].index("2 Mem"), 0))
        await tui.settle()
        assert tui.app.current_mode == "memories"


async def test_the_question_mark_lists_the_keys_of_the_tab(terminal: OpenTerminal) -> None:
    async with terminal("memories", "question_mark", size=(80, 24)) as tui:
        assert isinstance(tui.app.screen, KeyHelp)
        await tui.shows("Esc closes", "Here", "Archive", "Supersede", "Filter", "Delete permanently")
        await tui.press("end")
        await tui.shows("Navigation", "F1 to F9")
        await tui.press("g")
        await tui.shows("Here")
        await tui.press("G")
        await tui.shows("Navigation", "F1 to F9")
        await tui.press("escape")
        assert not isinstance(tui.app.screen, KeyHelp)


async def test_the_list_of_keys_says_what_the_words_of_the_key_line_mean(terminal: OpenTerminal) -> None:
    async with terminal("messages", "question_mark", size=(120, 40)) as tui:
        await tui.shows("Turn: what was asked, and the answer", "^p", "Actions: search all")
        assert "palette" not in tui.text


@pytest.mark.parametrize("tab", ["memories", "messages", "recall"])
async def test_a_field_names_the_keys_that_lead_out_of_it(terminal: OpenTerminal, tab: str) -> None:
    async with terminal(tab, size=(80, 24)) as tui:
        await tui.press("slash") if tab != "recall" else None
        text = await tui.shows("enter Accept", "esc Leave the field", "F1 to F9 Screens")
        assert "/ " not in text.splitlines()[-1]
        await tui.press("escape")
        text = await tui.shows("? Help")
        assert "Leave the field" not in text
        assert "/ " in text.splitlines()[-1]


async def test_the_palette_opens_tabs_and_runs_what_keys_do(terminal: OpenTerminal) -> None:
    async with terminal("accounts") as tui:
        await tui.pilot.press("ctrl+p")
        await tui.type("knowledge")
        await tui.shows("Open this screen; key 4")
        await tui.pilot.press("enter")
        async with asyncio.timeout(10):
            while tui.app.current_mode != "knowledge_bases":
                await tui.settle()


async def test_light_and_dark(terminal: OpenTerminal) -> None:
    async with terminal("accounts", light=True) as tui:
        assert tui.app.theme == LIGHT
        await tui.press("D")
        assert tui.app.theme == DARK


async def test_leaving_a_tab_cancels_what_is_under_way_and_coming_back_asks_again(
    user: TestUser, terminal: OpenTerminal
) -> None:
    await user.client.memories.capture(CaptureRequest(title="Freeze", content="No deploys"))
    gate = asyncio.Event()

    class Slow(httpx.AsyncBaseTransport):
        """The service, behind a gate for the list of memories."""

        cancelled = 0

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            if request.url.path == "/api/memories/list" and not gate.is_set():
                try:
                    await gate.wait()
                except asyncio.CancelledError:
                    self.cancelled += 1
                    raise
            return await user.http._transport.handle_async_request(request)

    slow = Slow()
    async with terminal("accounts", client=MemdClient(BASE, user.key, transport=slow)) as tui:
        await tui.pilot.press("2")
        await tui.pilot.pause()
        assert tui.app.current_mode == "memories"
        await tui.press("6")
        assert slow.cancelled == 1
        gate.set()
        await tui.press("2")
        await tui.shows("Freeze")


class Away(httpx.AsyncBaseTransport):
    """Nobody answers until `there`."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner
        self.there = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not self.there:
            raise httpx.ConnectError("All connection attempts failed")
        return await self._inner.handle_async_request(request)


async def test_without_a_server_every_tab_says_what_to_do_and_goes_on_when_it_is_there(
    user: TestUser, terminal: OpenTerminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.app.PROBE_SECONDS", 0.05)
    await user.client.memories.capture(CaptureRequest(title="Freeze", content="No deploys"))

    away = Away(user.http._transport)
    async with terminal(client=MemdClient(BASE, user.key, transport=away), size=(80, 24)) as tui:
        for at in range(1, len(TABS) + 1):
            await tui.pilot.press(f"f{at}")
            await tui.shows(f"memd does not answer at {BASE}", "is it running there")
        await tui.pilot.press("f2")
        away.there = True
        await tui.shows("memd answers again", "Freeze", f"● {BASE}")


async def test_a_server_that_stops_is_noticed_while_nobody_presses_a_key(
    user: TestUser, terminal: OpenTerminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.app.PROBE_SECONDS", 0.05)
    link = Away(user.http._transport)
    link.there = True
    async with terminal("memories", client=MemdClient(BASE, user.key, transport=link)) as tui:
        await tui.shows(f"● {BASE}")
        link.there = False
        await tui.shows(f"memd does not answer at {BASE}")


async def test_a_wrong_key_is_reported_with_the_way_out(user: TestUser, terminal: OpenTerminal) -> None:
    stranger = MemdClient(BASE, "0" * 64, transport=user.http._transport)
    async with terminal("accounts", client=stranger) as tui:
        await tui.shows("Unauthorized", "start with --api-key or see memctl doctor")


async def test_another_program_at_the_address_is_reported(terminal: OpenTerminal) -> None:
    stranger = httpx.MockTransport(lambda _request: httpx.Response(200, text="<html>hello</html>"))
    async with terminal("memories", client=MemdClient(BASE, None, transport=stranger)) as tui:
        await tui.shows("another program may use this address; run memctl doctor")


async def test_the_credits_that_are_left_are_shown(make_user: MakeUser, terminal: OpenTerminal) -> None:
    free = await make_user(tier=Tier.FREE)
    async with terminal("accounts", client=free.client) as tui:
        await tui.shows("of 100 credits")


async def test_the_credits_are_those_of_the_server_after_a_connection_that_was_lost(
    make_user: MakeUser, terminal: OpenTerminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.app.PROBE_SECONDS", 0.05)
    free = await make_user(tier=Tier.FREE)
    link = Away(free.http._transport)
    link.there = True
    async with terminal("memories", client=MemdClient(BASE, free.key, transport=link)) as tui:
        before = credits_left(await tui.shows("of 100 credits"))
        link.there = False
        await tui.press("f6")
        await tui.shows(f"memd does not answer at {BASE}")
        for number in range(8):
            await free.client.memories.capture(CaptureRequest(title="Elsewhere", content=f"Program {number} was used"))
        link.there = True
        await tui.until(lambda text: "of 100 credits" in text and credits_left(text) < before)


def credits_left(screen: str) -> int:
    found = re.search(r"(\d+) of 100 credits", screen)
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize("width", [60, 80, 112, *(pytest.param(width, marks=pytest.mark.long) for width in (100, 160))])
async def test_every_tab_has_its_tab_at_any_width(terminal: OpenTerminal, width: int) -> None:
    async with terminal("stats", size=(width, 30)) as tui:
        tabs = tui.text.splitlines()[1]
    assert [f" {at}" in tabs for at in range(1, 10)] == [True] * 9
    assert "Overview" in tabs
    assert ("Jobs" in tabs) == (width >= 80)
