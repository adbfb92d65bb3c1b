"""What the screens look like, pinned at two sizes; `pytest tests/tui/test_snapshots.py --snapshot-update` pins anew."""

import re
import time
from collections.abc import Iterator

import pytest
from pytest_textual_snapshot import SVGImageExtension
from syrupy.assertion import SnapshotAssertion

from memctl.client import MemdClient
from memctl.wire.enums import Category, Store
from memctl.wire.memories import CaptureRequest
from memctl.wire.messages import TurnRequest
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal, Terminal

NOW = 1_780_000_000_000
MINUTE = 60_000
MEMORIES = (
    (
        "Deploys rest on Fridays",
        "Nothing is deployed on a Friday.",
        Store.SEMANTIC,
        Category.RULE,
        "slack:eng",
        ["ops"],
    ),
    ("Ada likes short reports", "Ada reads one page at most.", Store.EPISODIC, Category.PERSON, "slack:eng", []),
    ("Bake at 230 degrees", "Sourdough: 20 minutes with steam.", Store.PROCEDURAL, Category.SKILL, None, ["kitchen"]),
    ("日本語のメモ", "A note in another script, and an emoji: 🍞", Store.EPISODIC, Category.EVENT, None, []),
    ("Order flour", "Order flour before the end of the month.", Store.PROSPECTIVE, Category.GOAL, "cli", ["kitchen"]),
)


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Times of day are those of Greenwich."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


class Picture(SVGImageExtension):
    """One SVG file for each snapshot."""

    file_extension = "svg"


@pytest.fixture
def pinned(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


def picture(tui: Terminal) -> str:
    """The screen as SVG, without the address of the font and without what differs from run to run: ids."""
    svg = re.sub(r"terminal-\d+", "terminal", tui.app.export_screenshot(title="memtui"))
    svg = re.sub(r",?\s*url\([^)]*\) format\([^)]*\)", "", svg)
    return re.sub(r"\b(mem|msg|req)_[0-9a-z]{26}", r"\1_00000000000000000000000000", svg)


async def remember(user: TestUser) -> None:
    for at, (title, content, store, category, channel, tags) in enumerate(MEMORIES):
        await user.client.memories.capture(
            CaptureRequest(
                title=title,
                content=content,
                store=store,
                category=category,
                channel=channel,
                tags=tags,
                created_at=NOW - at * 50 * MINUTE,
            )
        )


async def talk(user: TestUser) -> None:
    for at in range(4):
        await user.client.messages.turn(
            TurnRequest(
                session_key=f"session-{at // 2}",
                channel="slack:eng" if at < 2 else "cli",
                turn_id=f"turn-{at}",
                user_message=f"Question {at}: when do we deploy?",
                assistant_message=f"Answer {at}: on Tuesday at ten, and never on a Friday.",
                timestamp=NOW - (10 - at) * MINUTE,
            )
        )


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_memories(
    user: TestUser, terminal: OpenTerminal, pinned: SnapshotAssertion, size: tuple[int, int]
) -> None:
    await remember(user)
    async with terminal("memories", "j", size=size, clock=lambda: NOW) as tui:
        assert picture(tui) == pinned


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_messages(
    user: TestUser, terminal: OpenTerminal, pinned: SnapshotAssertion, size: tuple[int, int]
) -> None:
    await talk(user)
    async with terminal("messages", size=size, clock=lambda: NOW) as tui:
        assert picture(tui) == pinned


async def test_memories_in_the_light(user: TestUser, terminal: OpenTerminal, pinned: SnapshotAssertion) -> None:
    await remember(user)
    async with terminal("memories", size=(80, 24), clock=lambda: NOW, light=True) as tui:
        assert picture(tui) == pinned


async def test_keys_of_the_recall_bench(terminal: OpenTerminal, pinned: SnapshotAssertion) -> None:
    async with terminal("recall", "question_mark", size=(80, 24), clock=lambda: NOW) as tui:
        assert picture(tui) == pinned


async def test_nobody_answers(terminal: OpenTerminal, pinned: SnapshotAssertion) -> None:
    nobody = MemdClient("http://127.0.0.1:1", None)
    async with terminal("memories", size=(80, 24), client=nobody, clock=lambda: NOW) as tui:
        await tui.shows("memd does not answer")
        assert picture(tui) == pinned
