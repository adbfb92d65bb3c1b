"""Questions about what is due in a month or on a day of one (contract 11.2, due)."""

from datetime import UTC, datetime

import pytest

from memd.domain.questions.due import asked_due

pytestmark = pytest.mark.rule("11.2 due")
NOW = 1_795_747_000_000
"""On 27 November 2026."""


@pytest.mark.parametrize(
    ("question", "first", "end"),
    [
        ("What is due on 3 December?", "2026-12-03", "2026-12-04"),
        ("What is due on December 3rd?", "2026-12-03", "2026-12-04"),
        ("Was ist am 11. Dezember fällig?", "2026-12-11", "2026-12-12"),
        ("Welche Termine habe ich am 3. Dezember?", "2026-12-03", "2026-12-04"),
        ("What is due by 3 December?", "2026-11-27", "2026-12-04"),
        ("What is planned for January?", "2027-01-01", "2027-02-01"),
        ("Was ist im Januar fällig?", "2027-01-01", "2027-02-01"),
        ("What is due in November?", "2026-11-27", "2026-12-01"),
        ("What was due in October?", "2026-10-01", "2026-11-01"),
        ("What was due in November?", "2026-11-01", "2026-12-01"),
        ("What is due in May?", "2027-05-01", "2027-06-01"),
        ("What is due in March 2028?", "2028-03-01", "2028-04-01"),
        ("What is due on 29 February?", "2028-02-29", "2028-03-01"),
        ("What may be due?", "2026-11-27", "2026-12-28"),
    ],
)
def test_a_month_or_a_day_of_one(question: str, first: str, end: str) -> None:
    questions = asked_due(question, NOW)
    assert questions is not None
    days = [
        datetime.fromtimestamp(moment / 1000, UTC).date().isoformat()
        for moment in (questions.from_ms, questions.until_ms)
    ]
    assert days == [first, end]


@pytest.mark.parametrize("question", ["What is due in January and March?", "What is due on 31 April?"])
def test_two_months_and_a_day_that_is_none_are_not_read(question: str) -> None:
    assert asked_due(question, NOW) is None
