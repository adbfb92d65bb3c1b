"""Questions that name a past time and nothing else to look for (contract 11.2, fact)."""

from datetime import UTC, datetime, timedelta

import pytest

from memctl.wire.instants import to_ms
from memd.domain.dates.zone import UTC_ZONE
from memd.domain.questions.time_only import asked_time
from memd.domain.types import Category

NOW = to_ms(datetime(2026, 11, 25, 11, tzinfo=UTC))
"""A Wednesday."""


def first_of(day: str) -> int:
    return to_ms(datetime.fromisoformat(day).replace(tzinfo=UTC))


@pytest.mark.parametrize(
    ("question", "first", "last", "category"),
    [
        ("What happened last month?", "2026-10-01", "2026-10-31", None),
        ("What happened yesterday?", "2026-11-24", "2026-11-24", None),
        ("what did I do last week", "2026-11-16", "2026-11-22", None),
        ("What did we decide in February 2025?", "2025-02-01", "2025-02-28", Category.DECISION),
        ("What decisions were made last week?", "2026-11-16", "2026-11-22", Category.DECISION),
        ("What did I learn in 2025?", "2025-01-01", "2025-12-31", Category.LESSON),
        ("What did we decide in November?", "2026-11-01", "2026-11-25", Category.DECISION),
        ("Was haben wir im November entschieden?", "2026-11-01", "2026-11-25", Category.DECISION),
        ("What did we decide last November?", "2025-11-01", "2025-11-30", Category.DECISION),
        ("What did we decide in October?", "2026-10-01", "2026-10-31", Category.DECISION),
        ("What happened on 3 March 2026?", "2026-03-03", "2026-03-03", None),
        ("Was ist letzten Monat passiert?", "2026-10-01", "2026-10-31", None),
        ("Was haben wir im Februar 2025 entschieden?", "2025-02-01", "2025-02-28", Category.DECISION),
    ],
)
def test_a_question_about_a_time(question: str, first: str, last: str, category: Category | None) -> None:
    questions = asked_time(question, NOW, UTC_ZONE)
    assert questions is not None
    assert questions.window.from_ms == first_of(first)
    assert questions.window.to_ms == first_of(last) + timedelta(days=1) // timedelta(milliseconds=1) - 1
    assert questions.category == category


@pytest.mark.parametrize(
    "question",
    [
        "What happened?",
        "What did we decide about the database last week?",
        "Which Beatles song is Yesterday?",
        "What happened to Ana last month?",
        "What will happen in March?",
        "yesterday",
        "Where did Ana live in 2024?",
        "What did the Smiths say yesterday?",
        "Was ist letzten Monat mit dem Server passiert?",
    ],
)
def test_a_question_about_something_else(question: str) -> None:
    assert asked_time(question, NOW, UTC_ZONE) is None
