"""How well a memory answers a question about what is due: whether it falls due in the period (contract 11.2)."""

import re
from typing import Final

from memd.domain.dates.months import GERMAN_MONTHS, MONTH
from memd.domain.dates.time_window import DAY_MS
from memd.domain.dates.weekdays import BEFORE_DATE, GERMAN_WEEKDAYS, WEEKDAY, WEEKDAYS
from memd.domain.distilling.tenses import is_past
from memd.domain.german.days import coming_day
from memd.domain.german.tenses import is_german_past
from memd.domain.periods.validity import STATEMENT_LENGTH, Period, coming_days, stated_period
from memd.domain.questions.due import AskedDue
from memd.domain.text.spoken import spoken

DAY_WORDS: Final = " ".join(
    [
        *GERMAN_MONTHS,
        *GERMAN_MONTHS.values(),
        *WEEKDAYS,
        *GERMAN_WEEKDAYS,
        "jan feb mar apr jun jul aug sep sept oct nov dec",
        "due deadline tomorrow fällig frist morgen übermorgen monatsende quartalsende jahresende",
    ]
)
"""A text that says when something is due has at least one of these words, unless its date is in numbers."""
DAY_PHRASES: Final = (
    *("next week", "nächste Woche", "kommende Woche"),
    *(f"end of the {unit}" for unit in ("week", "month", "quarter", "year")),
    *(f"Ende {unit}" for unit in ("der Woche", "des Monats", "des Quartals", "des Jahres")),
    *(f"Ende des nächsten {unit}" for unit in ("Monats", "Quartals", "Jahres")),
)
"""The same for phrases."""
_MOVED: Final = re.compile(
    r"\b(?:moved|extended|postponed|rescheduled|shifted|delayed|pushed|brought)\b[^.!?]{0,60}?\bto\s+(?:the\s+)?"
    rf"(?:\d|next\b|tomorrow\b|{MONTH}\b|{WEEKDAY}\b)",
    re.IGNORECASE,
)
"""Verbs in the past tense with a date in the future."""
_STILL_DUE: Final = re.compile(r"\b(?:(?:is|are) (?:\w+ )?due|must|(?:has|have|needs?) to)\b", re.IGNORECASE)
"""Overrides a past tense: `the approved form must be sent by Friday`, `it is due on 3 May, as agreed`."""
_ANY_WEEKDAY: Final = "|".join([*WEEKDAYS, *GERMAN_WEEKDAYS])
_WEEKLY: Final = re.compile(
    rf"\b(?:from|von)\s+(?:{_ANY_WEEKDAY})\s+(?:to|until|till|through|bis)\s+(?:{_ANY_WEEKDAY})\b", re.IGNORECASE
)
"""Working days and opening hours are no dates."""
_DATED: Final = re.compile(rf"(?:^|[:.]\s+)(?P<date>{BEFORE_DATE}(?=\d|{MONTH}\b)[^:;!?]{{4,40}})", re.IGNORECASE)
_TO: Final = re.compile(r"\b(?:from|von|vom)\b.{1,40}\b(?:to|until|till|through|bis)\b", re.IGNORECASE)
_ISO: Final = re.compile(r"\b(?:19|20)\d\d-\d\d-\d\d\b")
_WEEK_MS: Final = 7 * DAY_MS
_WITHOUT_DATE: Final = 0.9
"""A goal without a date, if the question names no period."""
_LATER: Final = 0.3
"""A goal with a later date than the question asks for, or without a date if the question names a period."""
_FARTHEST: Final = 0.1
"""The deduction for the last day of a period, compared with the first."""


def due_share(asked: AskedDue, text: str, *, is_goal: bool, created_at: int, valid_until: int | None) -> float | None:
    """0..1; all times are local. `is_goal`: something to do; else the text only says when something is.

    1 on the first day of the period, 0.9 on the last one. A text in the past tense, a date that is over, and a date
    after a period that the question names count for nothing; a goal without a date or with a later one counts less.
    None for a text without a date that is no goal, where undated goals are asked for: it may be one.
    """
    text, said_at = spoken(text, created_at)
    if not is_goal and (_WEEKLY.search(text) or _is_over(text)):
        return 0.0
    days = _due(text, said_at, valid_until if is_goal else None) or (_iso_day(text, said_at) if is_goal else None)
    if days is None:
        return _undated(asked, is_goal=is_goal)
    first, end = days
    if end <= asked.from_ms:
        return 0.0
    if first >= asked.until_ms:
        return 0.0 if asked.named or not is_goal else _LATER
    return 1 - _FARTHEST * max(0, first - asked.from_ms) / (asked.until_ms - asked.from_ms)


def names_day(text: str, created_at: int) -> bool:
    """Whether a text that was stored at `created_at` (local time) says when something is due."""
    return _due(*spoken(text, created_at), None) is not None


def _undated(asked: AskedDue, *, is_goal: bool) -> float | None:
    if not asked.undated:
        return 0.0
    return (_LATER if asked.named else _WITHOUT_DATE) if is_goal else None


def _due(text: str, said_at: int, valid_until: int | None) -> tuple[int, int] | None:
    """The period (local times, the end excluded) in which something is due; of a longer period, the last week."""
    if valid_until is not None:
        return valid_until - DAY_MS, valid_until
    period = _range(text, said_at) or coming_days(coming_day(text) or text, said_at) or _dated(text, said_at)
    if period is None or period.from_ms is None or period.until_ms is None:
        return None
    return max(period.from_ms, period.until_ms - _WEEK_MS), period.until_ms


def _range(text: str, said_at: int) -> Period | None:
    """The days from the first to the last one that a text names (`from 10 to 14 December 2026`), unless they were over."""
    if not _TO.search(text[:STATEMENT_LENGTH]):
        return None
    period = stated_period(text, said_at)
    is_whole = period.from_ms is not None and period.until_ms is not None and period.until_ms > said_at
    return period if is_whole else None


def _dated(text: str, said_at: int) -> Period | None:
    """The date with its day of the week that a text begins with or has after a colon: `Dentist: Fri, 4 December, 9:00`."""
    found = _DATED.search(text[:STATEMENT_LENGTH])
    return coming_days(f"on {found['date']}", said_at) if found else None


def _iso_day(text: str, said_at: int) -> tuple[int, int] | None:
    """The first ISO date of a goal (`Dentist 2026-12-04`), unless it was over when the goal was stored."""
    found = _ISO.search(text[:STATEMENT_LENGTH])
    period = coming_days(f"on {found[0]}", said_at) if found else None
    if period is None or period.from_ms is None or period.until_ms is None or period.until_ms <= said_at:
        return None
    return period.from_ms, period.until_ms


def _is_over(text: str) -> bool:
    """Whether a text begins in the past tense; the same length of it is read as for its day."""
    opening = text[:STATEMENT_LENGTH]
    if is_german_past(opening):
        return True
    return is_past(opening) and not _MOVED.search(opening) and not _STILL_DUE.search(opening)
