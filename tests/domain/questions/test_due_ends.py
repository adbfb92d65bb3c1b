"""Questions about what is due by the end of a period, in a quarter or in a year (contract 11.2, due)."""

import pytest

from memd.domain.questions.due import AskedDue, asked_due
from tests.domain.questions.test_due import NOW, at

pytestmark = pytest.mark.rule("11.2 due")


@pytest.mark.parametrize(
    ("question", "first", "end", "named", "undated"),
    [
        ("What is due by the end of the month?", at(25), at(1, 12), True, False),
        ("What is due before the end of next month?", at(25), at(1, 1, 2027), True, False),
        ("What is due by the end of the week?", at(25), at(30), True, False),
        ("What is due until the end of the year?", at(25), at(1, 1, 2027), True, False),
        ("What is due by the end of December?", at(25), at(1, 1, 2027), True, False),
        ("What is due this quarter?", at(25), at(1, 1, 2027), True, False),
        ("What is due next quarter?", at(1, 1, 2027), at(1, 4, 2027), True, False),
        ("What is due in 2027?", at(1, 1, 2027), at(1, 1, 2028), True, False),
        ("What is due in 2026?", at(25), at(1, 1, 2027), True, False),
        ("What was due in 2026?", at(1, 1), at(1, 1, 2027), True, False),
        ("What was due in 2025?", at(1, 1, 2025), at(1, 1), True, False),
        ("Was ist bis Monatsende fällig?", at(25), at(1, 12), True, False),
        ("Was ist bis Ende des Jahres fällig?", at(25), at(1, 1, 2027), True, False),
        ("Was ist bis Ende des nächsten Quartals fällig?", at(25), at(1, 4, 2027), True, False),
    ],
)
def test_the_end_of_a_period(question: str, first: int, end: int, named: bool, undated: bool) -> None:
    assert asked_due(question, NOW) == AskedDue(first, end, named, undated)
