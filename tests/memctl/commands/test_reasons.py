"""`--reason` ends up where the help says: in `memctl history` (docs/time.md)."""

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser


@pytest.mark.parametrize(
    "change",
    [["forget", "ID"], ["edit", "ID", "--title", "Harbour"], ["supersede", "ID", "The quay", "The ferry has moved."]],
    ids=lambda change: change[0],
)
async def test_history_shows_the_reason(terminal: Terminal, user: TestUser, change: list[str]) -> None:
    stored = (await terminal(user, "capture", "Quay", "The ferry leaves from quay 4.")).stdout.strip()
    words = [stored if word == "ID" else word for word in change]
    assert (await terminal(user, *words, "--reason", "new timetable")).exit_code == 0
    assert "new timetable" in (await terminal(user, "history", stored)).stdout
    help_text = " ".join((await terminal(user, change[0], "--help")).stdout.split())
    assert "Reason, shown by `memctl history`." in help_text
