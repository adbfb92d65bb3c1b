"""`memctl recall --include-ended` says which rows are no longer true."""

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.wire import capture


@pytest.mark.parametrize("options", [(), ("--explain",), ("--full",)])
async def test_a_row_that_has_ended_says_when(terminal: Terminal, user: TestUser, options: tuple[str, ...]) -> None:
    ended = await capture(user, title="Ana's office", content="Ana works in the Oslo office.", validUntil="2026-03-01")
    present = await capture(user, title="Ana's office", content="Ana works in the Bergen office.")
    done = await terminal(user, "recall", "where is Ana's office?", "--include-ended", *options)
    lines = {row: line for line in done.stdout.splitlines() for row in (ended, present) if line.endswith(f" {row}")}
    assert "ended 2026-03-01 · " in lines[ended]
    assert "ended" not in lines[present]
