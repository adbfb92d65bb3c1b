"""Conflicts and snapshots: the lists, both sides, a decision, and what was kept."""

from memctl.wire.conflicts import ConflictsRequest, ConflictState
from memctl.wire.memories import CaptureRequest
from memctl.wire.sessions import CheckpointRequest
from memctl.wire.snapshots import SnapshotMessage, SnapshotRequest
from memd.context import Services
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal


async def contradict(user: TestUser, services: Services) -> None:
    for city in ("Oslo", "Rome"):
        request = CaptureRequest(title=f"Ana in {city}", content=f"Ana Adler lives in {city}.", store="semantic")
        await user.client.memories.capture(request)
        await done(services, user)


async def test_a_conflict_shows_both_sides_and_is_decided(
    user: TestUser, services: Services, terminal: OpenTerminal
) -> None:
    await contradict(user, services)
    async with terminal("conflicts") as tui:
        await tui.shows(
            "residence", "Oslo", "Rome", "Ana Adler lives in Oslo.", "Ana Adler lives in Rome.", "1 conflict open"
        )
        await tui.press("b")
        await tui.shows("Ana Adler, residence: keep both “Ana in Oslo” (Oslo) and “Ana in", "Rome” (Rome)?")
        await tui.press("y")
        await tui.shows("No open conflicts")
        await tui.press("v")
        await tui.shows("No conflicts in which the newer memory won")
        await tui.press("v")
        await tui.shows("1 conflict kept")
        await tui.press("v")
        await tui.shows("No conflicts that were dismissed")
    kept = await user.client.conflicts.list(ConflictsRequest(state=ConflictState.KEPT))
    assert len(kept.conflicts) == 1


async def test_a_memory_whose_title_is_its_content_is_shown_once(
    user: TestUser, services: Services, terminal: OpenTerminal
) -> None:
    for text in ("Ana lives in Oslo.", "Ana lives in Rome."):
        await user.client.memories.capture(CaptureRequest(title=text, content=text, store="semantic"))
        await done(services, user)
    async with terminal("conflicts") as tui:
        text = await tui.shows("1 conflict open", "Ana lives in Oslo.", "Ana lives in Rome.")
        assert text.count("Ana lives in Oslo.") == text.count("Ana lives in Rome.") == 1


async def test_snapshots_and_checkpoints_show_what_they_hold(user: TestUser, terminal: OpenTerminal) -> None:
    await user.client.memories.capture(CaptureRequest(title="Freeze", content="No deploys on Fridays"))
    messages = [SnapshotMessage(role="user", content="May I deploy?"), SnapshotMessage(content="Not on a Friday.")]
    await user.client.sessions.snapshot(SnapshotRequest(messages=messages, session_key="standup"))
    await user.client.sessions.create_checkpoint(CheckpointRequest(label="before the release"))
    async with terminal("snapshots") as tui:
        await tui.shows("standup", "before the release", "May I deploy?", "Not on a Friday.")
        await tui.press("w")
        await tui.shows("No deploys on Fridays", "memctl checkpoint restore")
        await tui.press("enter", "escape")
        assert tui.app.focused is not None
        assert tui.app.focused.id == "checkpoints"


async def test_without_snapshots_the_first_checkpoint_is_shown(user: TestUser, terminal: OpenTerminal) -> None:
    await user.client.memories.capture(CaptureRequest(title="Freeze", content="No deploys on Fridays"))
    await user.client.sessions.create_checkpoint(CheckpointRequest(label="before the release"))
    async with terminal("snapshots") as tui:
        await tui.shows("No snapshots yet", "before the release", "No deploys on Fridays")


async def test_a_list_of_snapshots_says_that_it_goes_on(user: TestUser, terminal: OpenTerminal) -> None:
    for number in range(51):
        message = SnapshotMessage(role="user", content=f"Message {number}")
        await user.client.sessions.snapshot(SnapshotRequest(messages=[message], session_key=f"session {number}"))
    async with terminal("snapshots") as tui:
        await tui.shows("50 loaded · more below")
        await tui.press("G", "j")
        await tui.until(lambda text: "more below" not in text)
        await tui.press("G")
        await tui.shows("session 0")


async def test_both_values_have_the_same_space_in_a_small_terminal(
    user: TestUser, services: Services, terminal: OpenTerminal
) -> None:
    for city in ("Strasbourg", "Copenhagen"):
        request = CaptureRequest(title=f"Ana in {city}", content=f"Ana Adler lives in {city}.", store="semantic")
        await user.client.memories.capture(request)
        await done(services, user)
    async with terminal("conflicts", size=(80, 24)) as tui:
        text = await tui.shows("1 conflict open")
        row = next(line for line in text.splitlines() if "residence" in line)
        assert "Strasbourg" in row
        assert "Copenhagen" in row


async def test_the_key_of_a_tab_closes_a_memory_that_was_opened_from_it(
    user: TestUser, services: Services, terminal: OpenTerminal
) -> None:
    await contradict(user, services)
    async with terminal("conflicts", size=(80, 24)) as tui:
        await tui.shows("1 conflict open")
        await tui.press("enter")
        await tui.shows("Recall text", "8 Conflicts")
        await tui.press("f8")
        await tui.shows("1 conflict open", "8 Conflicts")
        await tui.press("enter")
        await tui.shows("Recall text")
        await tui.press("2")
        await tui.shows("2 Memories", "page 1: 2 memories")
        await tui.press("8")
        await tui.shows("1 conflict open", "8 Conflicts")
        assert len(tui.app.screen_stack) == 1
