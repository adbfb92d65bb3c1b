"""Reflection at the terminal: what was new, or why nothing was written (contract 6.11)."""

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.wire import capture


@pytest.mark.rule("6.11 second run", "6.11 case: fewer than three")
async def test_a_run_that_writes_nothing_says_why(terminal: Terminal, user: TestUser) -> None:
    few = await terminal(user, "reflect")
    assert few.stderr == "read 0 memories, nothing written: fewer than 3 memories of that time to reflect on\n"
    for number in range(3):
        await capture(user, content=f"The shop was down on day {number}.")
    assert "wrote 0 decisions, 0 lessons, 1 summary, 0 open ends" in (await terminal(user, "reflect")).stderr
    again = await terminal(user, "reflect")
    assert (again.stdout, again.stderr) == (
        "",
        "read 3 memories, nothing written: nothing is new since the last reflection\n",
    )
