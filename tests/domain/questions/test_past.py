"""The past month or year that a question names (contract 6.2, askedPast)."""

from datetime import UTC, datetime

import pytest

from memctl.wire.instants import to_ms
from memd.domain.questions.past import asked_past

NOW = to_ms(datetime(2026, 11, 26, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("who owned billing in August?", ("August 2026", "2026-08-31")),
        ("who owned billing at the end of feb 2024", ("February 2024", "2024-02-29")),
        ("Where did Ana live in last December?", ("December 2025", "2025-12-31")),
        ("what changed last month?", ("October 2026", "2026-10-31")),
        ("who led the team in 2024?", ("2024", "2024-12-31")),
        ("in 2024, who led the team", ("2024", "2024-12-31")),
        ("who led the team last year", ("2025", "2025-12-31")),
        ("Wo hat Ana im August gewohnt?", ("August 2026", "2026-08-31")),
        ("Wo hat Ana im Januar 2024 gewohnt?", ("January 2024", "2024-01-31")),
        ("Wer hat das Team im Jahr 2024 geleitet?", ("2024", "2024-12-31")),
        ("Wer hat letztes Jahr das Team geleitet?", ("2025", "2025-12-31")),
        ("Was war letzten Monat?", ("October 2026", "2026-10-31")),
        ("What did we have to do in August?", ("August 2026", "2026-08-31")),
    ],
)
def test_a_question_names_a_past_month_or_year(question: str, meant: tuple[str, str]) -> None:
    past = asked_past(question, NOW)
    assert past is not None
    assert (past.name, past.last.isoformat()) == meant


@pytest.mark.parametrize(
    "question",
    [
        "may I deploy today?",
        "Was ist im März fällig?",
        "Wer leitet das Team im Dezember?",
        "who owns billing in November?",
        "who owned billing in December?",
        "what is due in March?",
        "What do I have to do in March?",
        "Was muss ich im März erledigen?",
        "will Ana move in May?",
        "what happened in the last month?",
        "a text in 2000 words",
        "what is in March's report",
        "deadlines in 2027",
        "who leads in 2026?",
        "who owned billing in March, 2025?",
        "who owned billing in march of 2025?",
        "where did Ana live in May last year?",
        "who owned billing in May or June 2025?",
    ],
)
def test_other_questions_name_none(question: str) -> None:
    assert asked_past(question, NOW) is None


def test_a_year_is_over_with_its_last_millisecond() -> None:
    past = asked_past("who led the team in 2024?", NOW)
    assert past is not None
    assert past.valid_at + 1 == to_ms(datetime(2025, 1, 1, tzinfo=UTC))
