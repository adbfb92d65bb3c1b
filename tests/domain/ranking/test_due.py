"""The day that a goal names, however it is written, and questions about who is free (contract 11.2, due)."""

from datetime import UTC, datetime

import pytest

from memctl.wire.instants import to_ms
from memd.domain.questions.due import AskedDue, asked_due
from memd.domain.ranking.due import due_share

pytestmark = pytest.mark.rule("11.2 due")


def at(day: int, month: int = 11) -> int:
    return to_ms(datetime(2026, month, day, tzinfo=UTC))


NOW = at(25) + 40_000_000
"""A Wednesday, in the course of the day."""
TODAY = AskedDue(at(25), at(26), named=True, undated=True)
THIS_WEEK = AskedDue(at(25), at(30), named=True, undated=True)
NEXT_WEEK = AskedDue(at(30), at(7, 12), named=True, undated=True)


def share(question: AskedDue, text: str) -> float:
    return due_share(question, text, is_goal=True, created_at=NOW, valid_until=None) or 0.0


@pytest.mark.parametrize(
    "text",
    [
        "Zahnarzttermin am Freitag, 2026-12-04 um 9 Uhr.",
        "Zahnarzt am Freitag (4. Dezember)",
        "Zahnarzt am Fr., 4.12.",
        "Rezept bis Freitag, 2026-12-04 abholen",
        "Termin am 2026-12-04",
        "Dentist on Friday (2026-12-04)",
        "Dentist on Fri, 4 Dec 2026",
        "Dentist: Friday, December 4th, 9:00",
        "Friday, 2026-12-04: dentist",
        "Dentist 2026-12-04",
    ],
)
def test_a_day_of_the_week_before_a_date_is_that_date(text: str) -> None:
    assert share(THIS_WEEK, text) == 0
    assert share(NEXT_WEEK, text) > 0.9


@pytest.mark.parametrize(
    "text", ["Zahnarzt nächsten Mittwoch", "Zahnarzt am kommenden Mittwoch", "Dentist on next Wednesday"]
)
def test_next_wednesday_said_on_a_wednesday_is_not_today(text: str) -> None:
    assert share(TODAY, text) == 0
    assert share(NEXT_WEEK, text) > 0.9


@pytest.mark.parametrize("text", ["Dentist on Friday, 4/12/2026", "The team meets on Friday the 11th"])
def test_an_unclear_date_is_not_the_coming_day_of_the_week(text: str) -> None:
    assert share(THIS_WEEK, text) == share(THIS_WEEK, "Call the dentist")


def test_an_iso_date_that_was_over_when_a_goal_was_stored_is_not_its_day() -> None:
    coming = AskedDue(at(25), at(26, 12), named=False, undated=True)
    assert share(coming, "The build has been red since 2026-11-20: fix it") == share(coming, "Fix the build")


@pytest.mark.parametrize(
    ("question", "first", "end"),
    [
        ("Am I free on December 7?", at(7, 12), at(8, 12)),
        ("Do I have anything on December 7?", at(7, 12), at(8, 12)),
        ("What's on next week?", at(30), at(7, 12)),
        ("What is happening tomorrow?", at(26), at(27)),
        ("Bin ich am 7. Dezember frei?", at(7, 12), at(8, 12)),
        ("Habe ich am Montag etwas vor?", at(30), at(1, 12)),
    ],
)
def test_whether_somebody_is_free_is_a_question_about_what_is_due(question: str, first: int, end: int) -> None:
    assert asked_due(question, NOW) == AskedDue(first, end, named=True, undated=False)


@pytest.mark.parametrize(
    "question", ["What's going on?", "Am I allergic?", "What is on the table on Monday?", "What happened on Monday?"]
)
def test_other_questions_ask_for_nothing_that_is_due(question: str) -> None:
    assert asked_due(question, NOW) is None


@pytest.mark.parametrize(
    "text",
    ["Ich bin vom 10. bis 14. Dezember 2026 in Wien.", "Trip to Vienna from 10 December 2026 to 14 December 2026."],
)
def test_every_day_of_a_range_is_a_day_of_it(text: str) -> None:
    shares = [share(AskedDue(at(day, 12), at(day + 1, 12), named=True, undated=False), text) for day in range(9, 16)]
    assert [value > 0 for value in shares] == [False, *[True] * 5, False]
