"""Recall, lists and time: ended rows are marked, and a question about the past gets a hint at --valid-at."""

import json

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
    terminal: Terminal, user: TestUser, question: str, options: tuple[str, ...], is_hinted: bool
) -> None:
    await capture(user, content="Ana leads the harbour.")
    done = await terminal(user, "recall", question, *options)
    assert done.stderr.endswith("answered as of now; for 2020: --valid-at 2020-12-31\n") is is_hinted


async def test_a_list_has_what_ended_and_says_so(terminal: Terminal, user: TestUser) -> None:
    ended = await capture(user, title="Office", content="Ana works in the Oslo office.", validUntil="2026-03-01")
    present = await capture(user, title="New office", content="Ana works in the Bergen office.")
    done = await terminal(user, "list", "-q")
    assert (done.stdout.split(), done.stderr) == ([present, ended], "")
    assert (await terminal(user, "list", "--valid-now", "-q")).stdout.split() == [present]
    done = await terminal(user, "list")
    assert done.stderr == "1 of these has ended; --columns title,from,until,id shows when\n"
    done = await terminal(user, "list", "--columns", "title,from,until,id")
    assert f"Office\t\tthe end of 2026-03-01\t{ended}" in done.stdout
    assert done.stderr == ""
    rows = json.loads((await terminal(user, "list", "--json")).stdout)["memories"]
    assert [row.get("ended") for row in rows] == [None, True]
    assert (await terminal(user, "list", "--archived", "--valid-now")).exit_code == 2


async def test_an_ended_memory_is_named_when_nothing_else_is_relevant(terminal: Terminal, user: TestUser) -> None:
    question = "where is Ana's parking permit kept?"
    await capture(user, content="Ana's parking permit is kept in the glove box.", validUntil="2026-03-01")
    hint = "1 relevant memory ended; --include-ended shows it"
    assert hint in (await terminal(user, "recall", question)).stderr
    assert hint not in (await terminal(user, "recall", question, "--include-ended")).stderr
    assert hint not in (await terminal(user, "recall", "which wine goes with fish?")).stderr
    await capture(user, content="Ana's parking permit is kept in the desk.")
    assert hint not in (await terminal(user, "recall", question)).stderr


async def test_the_last_day_of_a_row_that_ended_at_midnight_is_named(terminal: Terminal, user: TestUser) -> None:
    text = "The pool in the north hall was closed from 3 March 2021 to 9 March 2021."
    await capture(user, content=text)
    done = await terminal(user, "recall", "when was the pool in the north hall closed?", "--include-ended")
    assert "ended 2021-03-09" in done.stdout


async def test_a_memory_that_has_not_begun_is_named_when_nothing_else_is_relevant(
    terminal: Terminal, user: TestUser
) -> None:
    question = "when is the change freeze of Kestrel?"
    text = "Change freeze of Kestrel: only hotfixes approved by Helen."
    freeze = await capture(user, content=text, validFrom="2095-12-18", validUntil="2096-01-06")
    hint = "1 relevant memory begins on 2095-12-18; --valid-at 2095-12-18 shows it\n"
    for options in ((), ("--include-ended",)):
        assert (await terminal(user, "recall", question, *options)).stderr.endswith(hint)
    done = await terminal(user, "recall", question, "--valid-at", "2095-12-18")
    assert (freeze in done.stdout, "begins" in done.stderr) == (True, False)
    assert "begins" not in (await terminal(user, "recall", "which wine goes with fish?")).stderr
    await capture(user, content="Change freeze of Kestrel next door: no hotfixes.", validFrom="2096-12-18")
    later = "2 relevant memories have not begun, the first begins on 2095-12-18; --valid-at 2095-12-18 shows it"
    assert later in (await terminal(user, "recall", question)).stderr
    await capture(user, content="The change freeze of Kestrel is under way.")
    assert "begin" not in (await terminal(user, "recall", question)).stderr


async def test_what_memd_did_not_know_yet_leads_to_valid_at(terminal: Terminal, user: TestUser) -> None:
    question = "where is Ana's parking permit kept?"
    await capture(user, content="Ana's parking permit is kept in the glove box.", validFrom="2020-01-01")
    hint = (
        "1 relevant memory stored later; --valid-at instead of --as-of shows what was true then, by what is known now"
    )
    done = await terminal(user, "recall", question, "--as-of", "2021-03-31")
    assert (done.stdout, done.stderr) == ("", f"nothing found\n{hint}\n")
    assert "glove box" in (await terminal(user, "recall", question, "--valid-at", "2021-03-31")).stdout
    for then in ("2019-03-31", "tomorrow"):
        assert hint not in (await terminal(user, "recall", question, "--as-of", then)).stderr
