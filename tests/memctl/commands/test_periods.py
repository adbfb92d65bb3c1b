"""Commands that store a memory say when it is true, and when recall leaves it out; a period can be moved and removed."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.wire import capture

READ = ", read from the text (--valid-from and --valid-until set it)"
PAST = "recall leaves it out: it ended on 2021-03-09 (--include-ended shows it)"
AHEAD = "recall leaves it out before 2095-12-18 (--valid-at 2095-12-18 shows it)"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--valid-until", "2021-03-09"), f"valid until the end of 2021-03-09\n{PAST}\n"),
        (("--valid-until", "09.03.2021"), f"valid until the end of 2021-03-09\n{PAST}\n"),
        (("--valid-from", "2095-12-18"), f"valid from 2095-12-18\n{AHEAD}\n"),
        (
            ("--valid-from", "2095-12-18", "--valid-until", "2096-01-06"),
            f"valid from 2095-12-18 until the end of 2096-01-06\n{AHEAD}\n",
        ),
        (("--valid-until", "2095-12-18"), "valid until the end of 2095-12-18\n"),
        ((), ""),
    ],
)
async def test_a_given_period_is_told(
    terminal: Terminal, user: TestUser, options: tuple[str, ...], expected: str
) -> None:
    done = await terminal(user, "capture", "Freeze", "Only hotfixes.", *options)
    assert (done.exit_code, done.stderr) == (0, expected)
    old = await capture(user, content="Old.")
    assert (await terminal(user, "supersede", old, "Freeze", "Only small hotfixes.", *options)).stderr == expected
    memory_id = done.stdout.strip()
    new = await terminal(user, "edit", memory_id, "--tag", "a", *options)
    assert (new.exit_code, new.stderr) == (0, expected)
    assert (await terminal(user, "capture", "A", "B", *options, "--json")).stderr == ""


async def test_a_period_that_is_read_from_the_text_is_told(terminal: Terminal, user: TestUser) -> None:
    text = "The pool was closed from 3 March 2021 to 9 March 2021."
    done = await terminal(user, "capture", "Pool", text)
    assert done.stderr == f"valid from 2021-03-03 until the end of 2021-03-09{READ}\n{PAST}\n"
    old, older = [await capture(user, content=f"The annex is {state}.") for state in ("open", "new")]
    done = await terminal(user, "supersede", older, "Annex", "The annex is closed until 4 December 2095.")
    assert done.stderr == f"valid until the end of 2095-12-04{READ}\n"
    done = await terminal(user, "edit", old, "--content", "The pool is closed until 4 December 2095.")
    assert done.stderr == "valid until the end of 2095-12-04\n"


async def test_a_side_of_a_period_is_removed(terminal: Terminal, user: TestUser) -> None:
    memory_id = await capture(user, content="Only hotfixes.", validFrom="2021-03-01", validUntil="2021-03-09")
    done = await terminal(user, "edit", memory_id, "--valid-until", "none")
    assert (done.exit_code, done.stderr) == (0, "valid from 2021-03-01\n")
    done = await terminal(user, "edit", memory_id, "--valid-from", "none")
    assert (done.exit_code, done.stderr) == (0, "valid at all times\n")
    shown = (await terminal(user, "show", memory_id)).stdout
    assert ("true from" in shown, "true until" in shown) == (False, False)
    await terminal(user, "undo", "--yes")
    assert "true from" in (await terminal(user, "show", memory_id)).stdout
    refused = await terminal(user, "capture", "A", "B", "--valid-until", "none")
    assert (refused.exit_code, "'none' is not a time" in refused.stderr) == (2, True)


async def test_forget_prints_ids_only_where_asked_to(terminal: Terminal, user: TestUser) -> None:
    ids = [await capture(user, content=f"Note {number}.") for number in range(2)]
    assert (await terminal(user, "forget", "-q", *ids)).stdout == "".join(f"{one}\n" for one in ids)


async def test_a_period_may_end_in_days_to_come(terminal: Terminal, user: TestUser) -> None:
    last = (datetime.now(UTC) + timedelta(days=7)).date()
    for typed in ("+7d", "in 7 days", "in 1 week"):
        done = await terminal(user, "capture", typed, f"Spot {typed} is ours.", "--valid-until", typed)
        assert done.stderr == f"valid until the end of {last}\n"
    refused = await terminal(user, "capture", "V", "Something valid", "--valid-until", "7d")
    assert (refused.exit_code, "type `+7d` for 7d from now" in refused.stderr) == (2, True)
