"""The dialogs, the recall text and a turn, pinned as text at four sizes."""

import re

import pytest
from syrupy.assertion import SnapshotAssertion

from memd.context import Services
from tests.support.pinned_screens import Sizes
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal, Terminal
from tests.tui.test_snapshots import (
    NOW,
    at_sizes,
    fill_base,
    pin_last_use,
    remember,
    sizes,
    talk,
    utc,
    written,
)

__all__ = ["sizes", "utc", "written"]

pytestmark = pytest.mark.long_form


async def test_recall_text(user: TestUser, terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes) -> None:
    """The text that a recall would hand to an agent; ages and scores depend on the day and are left out."""
    await remember(user)
    async with terminal("recall", size=sizes[0], clock=lambda: NOW) as tui:
        await tui.press("escape", "slash")
        await tui.type("when do we deploy")
        await tui.press("enter")
        await tui.press("enter")
        await tui.shows("Recall text")
        await tui.press("right")
        assert without_figures(await at_sizes(tui, sizes)) == written


async def test_turn(user: TestUser, terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes) -> None:
    await talk(user)
    async with terminal("messages", "t", size=sizes[0], clock=lambda: NOW) as tui:
        await tui.shows("Answer")
        assert await at_sizes(tui, sizes) == written


@pytest.mark.parametrize(
    ("tab", "keys", "words"),
    [
        pytest.param("memories", ("n",), "New memory", id="new-memory"),
        pytest.param("memories", ("j", "e"), "Edit the memory", id="edit"),
        pytest.param("memories", ("n", "x", "escape"), "Discard your changes?", id="discard", marks=pytest.mark.long),
        pytest.param("memories", ("j", "s"), "Supersede the memory by a new one", id="supersede"),
        pytest.param("memories", ("space", "a"), "Archive", id="archive", marks=pytest.mark.long),
        pytest.param("memories", ("X",), "permanently, with all versions?", id="delete"),
        pytest.param("memories", ("t",), "-word removes it", id="tags"),
        pytest.param("memories", ("m",), "to which channel?", id="move"),
        pytest.param("memories", ("question_mark",), "Here", id="keys-of-memories"),
        pytest.param("accounts", ("n",), "A new key", id="new-key"),
        pytest.param("accounts", ("x",), "Revoke", id="revoke-key", marks=pytest.mark.long),
        pytest.param("accounts", ("d",), "Code shown on the device", id="approve-device"),
        pytest.param("knowledge_bases", ("n",), "A new knowledge base", id="new-knowledge-base"),
        pytest.param("knowledge_bases", ("i",), "Import into", id="import"),
    ],
)
async def test_dialog(
    services: Services,
    user: TestUser,
    terminal: OpenTerminal,
    written: SnapshotAssertion,
    sizes: Sizes,
    tab: str,
    keys: tuple[str, ...],
    words: str,
) -> None:
    await (fill_base(user) if tab == "knowledge_bases" else remember(user))
    await pin_last_use(services, user)
    async with terminal(tab, size=sizes[0], clock=lambda: NOW) as tui:
        await tui.press(*keys)
        await tui.shows(words)
        assert await dialog_at_sizes(tui, sizes) == written


async def dialog_at_sizes(tui: Terminal, sizes: Sizes) -> str:
    """The dialog alone: of what it covers in part, ids and ages depend on the day."""
    pages: list[str] = []
    for width, height in sizes:
        if tui.app.size != (width, height):
            await tui.pilot.resize_terminal(width, height)
        await tui.settle()
        dialog = max((child.region for child in tui.app.screen.children), key=lambda region: region.area)
        lines = tui.text.splitlines()[dialog.y : dialog.bottom]
        pages.append("\n".join([f"{width}x{height}", *(line[dialog.x : dialog.right].rstrip() for line in lines)]))
    return "\n\n".join(pages) + "\n"


def without_figures(text: str) -> str:
    """Numbers and bars in one form, sizes apart: how wide and how high they are depends on the day."""
    bars = re.sub(r"[█▇▆▅▄▃▂▁▏▎▍▌▋▊▉━╸╺]+", "█", text)
    return re.sub(
        r"^\d+x\d+$|\d+(?:\.\d+)?", lambda found: found[0] if "x" in found[0] else "0", bars, flags=re.MULTILINE
    )
