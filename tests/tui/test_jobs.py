"""Jobs: queue, schedule, and starting a job by hand."""

import pytest

from memctl.wire.messages import TurnRequest
from memd.context import Services
from memd.domain.types import KeyScope
from tests.support import jobs
from tests.support.service import MakeUser, TestUser
from tests.support.terminal import OpenTerminal
from tui.presenters.cells import TableRow, cell
from tui.screens.jobs import JobsScreen
from tui.widgets.row_table import RowTable


async def test_an_administrator_starts_a_job(make_user: MakeUser, terminal: OpenTerminal) -> None:
    admin = await make_user(admin=True, scopes=(KeyScope.READ, KeyScope.WRITE, KeyScope.ADMIN))
    first = (await admin.client.jobs.list()).scheduled[0].name
    async with terminal("jobs", client=admin.client) as tui:
        await tui.shows("Schedule", first, "Queue:")
        await tui.press("x")
        await tui.shows(f"Run {first} now?")
        await tui.press("y")
        await tui.shows(f"{first} started")


async def test_other_keys_are_refused_with_a_reason(user: TestUser, terminal: OpenTerminal) -> None:
    assert not (await user.client.accounts.whoami()).admin
    async with terminal("jobs", "enter", size=(80, 24)) as tui:
        await tui.shows("now?")
        await tui.press("y")
        await tui.shows("Forbidden")


async def test_a_small_terminal_shows_every_column_of_the_schedule(terminal: OpenTerminal) -> None:
    columns = ("recall_text_backfill", "daily at 04:30 UTC", "13 min ago", "running", "shortly")
    async with terminal("jobs", size=(80, 24)) as tui:
        row = TableRow("job", tuple(map(cell, columns)))
        tui.app.screen.query_one("#schedule", RowTable).show([row] * 30)  # with a scroll bar
        await tui.shows(*columns, "Queue: empty")


async def test_a_job_for_later_waits_and_nothing_is_due(
    user: TestUser, services: Services, terminal: OpenTerminal
) -> None:
    """Memories are extracted from a turn some minutes after it."""
    turn = TurnRequest(
        session_key="s1", channel="cli", turn_id="t1", user_message="when?", assistant_message="on Tuesday"
    )
    await user.client.messages.turn(turn)
    await jobs.done(services, user)
    async with terminal("jobs", size=(80, 24)) as tui:
        await tui.shows("Queue: 1 waiting, none due yet", "Oldest waiting rows: nothing is due")


async def test_the_tab_is_loaded_again_while_it_is_looked_at(
    user: TestUser, services: Services, terminal: OpenTerminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.screens.jobs.JobsScreen.REFRESH_SECONDS", 0.1)
    async with terminal("jobs", size=(80, 24)) as tui:
        await tui.shows("Queue: empty")
        turn = TurnRequest(session_key="s1", channel="cli", turn_id="t1", user_message="when?", assistant_message="now")
        await user.client.messages.turn(turn)
        await jobs.done(services, user)
        await tui.shows("Queue: 1 waiting")


async def test_an_answer_after_the_widgets_are_gone_is_dropped(terminal: OpenTerminal) -> None:
    async with terminal("jobs", size=(80, 24)) as tui:
        await tui.shows("Queue: empty")
        screen = tui.app.screen
        assert isinstance(screen, JobsScreen)
        await screen.remove_children()

        async def show() -> None:
            screen.query_one("#kinds", RowTable)

        screen.ask(show)
        await tui.app.workers.wait_for_complete()
