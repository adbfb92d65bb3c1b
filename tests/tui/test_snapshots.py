"""The screens, pinned as text at four sizes, and three of them in colour.

`pytest tests/tui/test_snapshots.py --snapshot-update` pins anew. The suite looks at two of the sizes, `make test-long` at
all.
"""

import re
import time
from collections.abc import Iterator

import pytest
from pytest_textual_snapshot import SVGImageExtension
from rich.cells import cell_len
from syrupy.assertion import SnapshotAssertion

from memctl import __version__
from memctl.client import MemdClient
from memctl.wire.enums import Category, MessageRole, Store
from memctl.wire.imports import ChunkMetadata, ImportChunk, ImportRequest
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest
from memctl.wire.memories import CaptureRequest
from memctl.wire.memory_listing import MemoryListRequest
from memctl.wire.messages import TurnRequest
from memctl.wire.sessions import CheckpointRequest
from memctl.wire.snapshots import SnapshotMessage, SnapshotRequest
from memctl.wire.updates import UpdateRequest
from memd.context import Services
from tests.support import jobs
from tests.support.pinned_screens import SHORT_SIZES, SIZES, Screens, Sizes
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal, Terminal

EMBEDDED = re.compile(r"(embedded today +)\d")
"""The number of embeddings is written in batches: it may be behind."""
CHANGING = (
    (
        re.compile(r"\b(mem|msg|req|usr|key|kb|snap|ckpt|conf)_[0-9a-z]{26}"),
        lambda found: found[0][:5].ljust(len(found[0]), "0"),
    ),
    (re.compile(r"\b20\d\d-\d\d-\d\d\b"), lambda _found: "2026-05-28"),
    (re.compile(r"\b\d\d:\d\d\b"), lambda _found: "20:26"),
    (EMBEDDED, lambda found: f"{found[1]}5"),
)
"""The parts that differ from run to run: ids and times of memd."""
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


@pytest.fixture
def sizes(request: pytest.FixtureRequest) -> Sizes:
    """The sizes that are looked at; all of them where they are pinned."""
    is_long = request.config.getoption("--long") or request.config.getoption("--snapshot-update")
    return SIZES if is_long else SHORT_SIZES


@pytest.fixture
def written(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Screens)


async def at_sizes(tui: Terminal, sizes: Sizes, without: tuple[str, ...] = ()) -> str:
    """The screen as text at each size; the widgets `without` are left out."""
    pages: list[str] = []
    for width, height in sizes:
        if tui.app.size != (width, height):
            await tui.pilot.resize_terminal(width, height)
        for selector in without:
            tui.app.screen.query_one(selector).display = False
        await tui.settle()
        text = await tui.stable_text()
        assert all(cell_len(line) <= width for line in text.splitlines())
        pages.append(f"{width}x{height}\n{text}")
    text = "\n\n".join(pages).replace(__version__, "0.0.0")
    for pattern, replacement in CHANGING:
        text = pattern.sub(replacement, text)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def picture(tui: Terminal) -> str:
    """The screen as SVG, without the address of the font and what differs from run to run: ids and times of memd."""
    svg = re.sub(r"terminal-\d+", "terminal", tui.app.export_screenshot(title="memtui"))
    svg = re.sub(r",?\s*url\([^)]*\) format\([^)]*\)", "", svg)
    svg = svg.replace(__version__, "0.0.0")
    svg = re.sub(r"\b(mem|msg|req|usr|key|kb)_[0-9a-z]{1,26}", r"\1_00", svg)
    return re.sub(r"\b\d\d:\d\d\b", "20:26", re.sub(r"\b20\d\d-\d\d-\d\d\b", "2026-05-28", svg))


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


async def fill_base(user: TestUser) -> None:
    base = await user.client.knowledge_bases.create(CreateKnowledgeBaseRequest(name="Handbook", description="For all"))
    batch = [
        ImportChunk(content=f"Rule {at}: test before you ship.", metadata=ChunkMetadata(title=f"Rule {at}"))
        for at in range(3)
    ]
    await user.client.knowledge_bases.import_chunks(base.id, ImportRequest(chunks=batch))


@pytest.mark.long_form
async def test_memories(user: TestUser, terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes) -> None:
    await remember(user)
    async with terminal("memories", "j", "space", size=sizes[0], clock=lambda: NOW) as tui:
        assert await at_sizes(tui, sizes) == written


@pytest.mark.long_form
async def test_messages(user: TestUser, terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes) -> None:
    await talk(user)
    async with terminal("messages", size=sizes[0], clock=lambda: NOW) as tui:
        assert await at_sizes(tui, sizes) == written


@pytest.mark.long_form
async def test_one_memory(user: TestUser, terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes) -> None:
    await remember(user)
    async with terminal("memories", "enter", size=sizes[0], clock=lambda: NOW) as tui:
        await tui.shows("Deploys rest on Fridays")
        assert await at_sizes(tui, sizes) == written


@pytest.mark.long_form
async def test_history_of_a_memory(
    user: TestUser, terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes
) -> None:
    await remember(user)
    newest = (await user.client.memories.list_page(MemoryListRequest(limit=1))).memories[0].id
    await user.client.memories.update(UpdateRequest(memory_id=newest, content="Nothing is deployed on a Monday."))
    async with terminal("memories", "enter", "right", "right", size=sizes[0], clock=lambda: NOW) as tui:
        await tui.shows("version 1 → version 2")
        assert await at_sizes(tui, sizes) == written


@pytest.mark.long_form
async def test_overview(
    user: TestUser, services: Services, terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes
) -> None:
    """How the last runs of the schedule went, and which day it is, differ from run to run: those parts are left out."""
    await remember(user)
    await jobs.done(services, user)
    async with terminal("stats", size=sizes[0], clock=lambda: NOW) as tui:
        await tui.shows("memd ")
        assert await at_sizes(tui, sizes, ("#work", "#activity")) == written


@pytest.mark.long_form
async def test_knowledge_bases(
    user: TestUser, terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes
) -> None:
    await fill_base(user)
    async with terminal("knowledge_bases", size=sizes[0], clock=lambda: NOW) as tui:
        assert await at_sizes(tui, sizes) == written


@pytest.mark.long_form
async def test_one_knowledge_base(
    user: TestUser, terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes
) -> None:
    await fill_base(user)
    async with terminal("knowledge_bases", "enter", size=sizes[0], clock=lambda: NOW) as tui:
        await tui.shows("page 1: 3 chunks")
        assert await at_sizes(tui, sizes) == written


@pytest.mark.long_form
async def test_recall_bench(terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes) -> None:
    async with terminal("recall", size=sizes[0], clock=lambda: NOW) as tui:
        assert await at_sizes(tui, sizes) == written


async def pin_last_use(services: Services, user: TestUser) -> None:
    """Key use in the future, so that no request changes it."""
    async with services.database.system() as session:
        await session.execute(
            "UPDATE api_key SET last_used_at = %(at)s WHERE user_id = %(user)s", {"at": 2 * NOW, "user": user.id}
        )


@pytest.mark.long_form
async def test_accounts(
    services: Services, user: TestUser, terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes
) -> None:
    await pin_last_use(services, user)
    async with terminal("accounts", size=sizes[0], clock=lambda: NOW) as tui:
        assert await at_sizes(tui, sizes) == written


@pytest.mark.long_form
async def test_jobs(services: Services, terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes) -> None:
    async with services.database.system() as session:
        await session.execute("DELETE FROM schedule_run")
    async with terminal("jobs", size=sizes[0], clock=lambda: NOW) as tui:
        assert await at_sizes(tui, sizes) == written


@pytest.mark.long_form
async def test_conflicts(terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes) -> None:
    async with terminal("conflicts", size=sizes[0], clock=lambda: NOW) as tui:
        assert await at_sizes(tui, sizes) == written


@pytest.mark.long_form
async def test_snapshots(user: TestUser, terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes) -> None:
    messages = [SnapshotMessage(role=MessageRole.USER, content="May I deploy?"), SnapshotMessage(content="Not today.")]
    await user.client.sessions.snapshot(SnapshotRequest(messages=messages, session_key="standup", channel="slack:eng"))
    await user.client.sessions.create_checkpoint(CheckpointRequest(label="before the release"))
    async with terminal("snapshots", size=sizes[0], clock=lambda: NOW) as tui:
        await tui.shows("Not today.")
        assert await at_sizes(tui, sizes) == written


@pytest.mark.long_form
async def test_the_command_line(terminal: OpenTerminal, written: SnapshotAssertion, sizes: Sizes) -> None:
    async with terminal("memories", "colon", size=sizes[0], clock=lambda: NOW) as tui:
        assert await at_sizes(tui, sizes) == written


async def test_memories_in_the_dark(user: TestUser, terminal: OpenTerminal, pinned: SnapshotAssertion) -> None:
    await remember(user)
    async with terminal("memories", "j", size=(120, 40), clock=lambda: NOW) as tui:
        assert picture(tui) == pinned


async def test_memories_in_the_light(user: TestUser, terminal: OpenTerminal, pinned: SnapshotAssertion) -> None:
    await remember(user)
    async with terminal("memories", size=(80, 24), clock=lambda: NOW, light=True) as tui:
        assert picture(tui) == pinned


async def test_keys_of_the_recall_bench(terminal: OpenTerminal, pinned: SnapshotAssertion) -> None:
    async with terminal("recall", "escape", "question_mark", size=(80, 24), clock=lambda: NOW) as tui:
        assert picture(tui) == pinned


async def test_nobody_answers(terminal: OpenTerminal, pinned: SnapshotAssertion) -> None:
    nobody = MemdClient("http://127.0.0.1:1", None)
    async with terminal("memories", size=(80, 24), client=nobody, clock=lambda: NOW) as tui:
        await tui.shows("memd does not answer")
        assert picture(tui) == pinned
