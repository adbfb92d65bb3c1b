"""Ages in every list are updated while it is shown, and the cursor stays."""

import pytest

from memctl.wire.accounts import CreateKeyRequest
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest
from memctl.wire.sessions import CheckpointRequest
from memctl.wire.snapshots import SnapshotMessage, SnapshotRequest
from memd.context import Services
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal
from tests.tui.test_conflicts import contradict
from tui.app import now_ms
from tui.widgets.row_table import RowTable


async def fill(user: TestUser, services: Services) -> None:
    """Something of each kind that has an age."""
    await contradict(user, services)
    await user.client.sessions.create_checkpoint(CheckpointRequest(label="before the release"))
    for session in ("standup", "retro"):
        messages = [SnapshotMessage(role="user", content="May I deploy?")]
        await user.client.sessions.snapshot(SnapshotRequest(messages=messages, session_key=session))
        await user.client.knowledge_bases.create(CreateKnowledgeBaseRequest(name=session))
        await user.client.accounts.create_key(CreateKeyRequest(label=session))


@pytest.mark.parametrize(
    ("tab", "ages"), [("memories", 2), ("conflicts", 1), ("snapshots", 3), ("knowledge_bases", 2), ("accounts", 1)]
)
async def test_ages_go_on_while_a_list_is_looked_at(
    user: TestUser, services: Services, terminal: OpenTerminal, monkeypatch: pytest.MonkeyPatch, tab: str, ages: int
) -> None:
    monkeypatch.setattr("tui.screens.framed.AGES_SECONDS", 0.05)
    await fill(user, services)
    passed = 2 * 60_000
    async with terminal(tab, "j", clock=lambda: now_ms() + passed) as tui:
        await tui.shows("2 min")
        table = tui.app.screen.query_one(RowTable)
        here = table.current_key
        passed = 7 * 60_000
        await tui.until(lambda text: text.count("7 min ") >= ages and "2 min" not in text)
        assert table.current_key == here
