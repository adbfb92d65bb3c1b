"""`memctl log`: when a message was said."""

from datetime import UTC, datetime

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser


@pytest.mark.parametrize("at", ["2026-03-01T09:30:00Z", "1772357400000"])
async def test_a_message_may_have_been_said_earlier(terminal: Terminal, user: TestUser, at: str) -> None:
    logged = await terminal(user, "log", "user", "The pump leaks", "--session", "pumps", "--at", at)
    assert logged.exit_code == 0, logged.stderr
    (row,) = (await user.http.post("/api/mcp/recent-messages", json={"allChannels": True})).json()["messages"]
    assert datetime.fromtimestamp(row["timestamp"] / 1000, UTC) == datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
