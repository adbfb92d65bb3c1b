"""Recall and time: rows that are no longer true say so, and a question about the past is told how to ask for it."""

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.wire import capture


@pytest.mark.parametrize("options", [(), ("--explain",), ("--full",)])
async def test_a_row_that_has_ended_says_when(terminal: Terminal, user: TestUser, options: tuple[str, ...]) -> None:
    ended = await capture(user, title="Ana's office", content="Ana works in the Oslo office.", validUntil="2026-03-01")
    present = await capture(user, title="Ana's office", content="Ana works in the Bergen office.")
    done = await terminal(user, "recall", "where is Ana's office?", "--include-ended", *options)
    lines = {row: line for line in done.stdout.splitlines() for row in (ended, present) if row in line.split()}
    assert "ended 2026-03-01" in lines[ended]
    assert "ended" not in lines[present]


@pytest.mark.parametrize(
    ("question", "options", "is_hinted"),
    [
        ("who led the harbour in 2020?", (), True),
        ("who led the harbour in 2020?", ("--valid-at", "2020-12-31"), False),
        ("who led the harbour in 2020?", ("--as-of", "2020-12-31"), False),
        ("who led the harbour in 2020?", ("--json",), False),
        ("who leads the harbour?", (), False),
    ],
)
async def test_a_question_about_a_past_year_is_told_how_to_ask_for_it(
    terminal: Terminal,
    user: TestUser,
    monkeypatch: pytest.MonkeyPatch,
    question: str,
    options: tuple[str, ...],
    is_hinted: bool,
) -> None:
    await capture(user, content="Ana leads the harbour.")
    hint = "Answered as of now. For 2020: --valid-at 2020-12-31\n"
    assert hint not in (await terminal(user, "recall", question, *options)).stdout
    monkeypatch.setattr("memctl.output.is_terminal", lambda: True)
    assert ((await terminal(user, "recall", question, *options)).stdout.endswith(hint)) is is_hinted
