"""How well a memory answers a question about what is to be done: whether it falls due in the period (contract 11.2)."""

from typing import Final

from memd.domain.asked_duties import AskedDuties
from memd.domain.german_days import coming_day
from memd.domain.time_window import DAY_MS
from memd.domain.validity import coming_days

_WEEK_MS: Final = 7 * DAY_MS
_WITHOUT_DATE: Final = 0.9
"""A goal without a date, where the question names no period."""
_LATER: Final = 0.3
"""A goal of a later day than the question asks for, or without a date where it names a period."""
_FARTHEST: Final = 0.1
"""What the last day of a period counts less than the first."""


def due_share(asked: AskedDuties, text: str, *, is_goal: bool, created_at: int, valid_until: int | None) -> float:
    """0..1; times in epoch ms. `is_goal`: something to do; else the text only says when something is.

    1 on the first day of the period, 0.9 on the last one. A date that is over counts for nothing, nor does one after a
    period that the question names; a goal without a date or with a later one counts less.
    """
    days = _due(text, created_at, valid_until if is_goal else None)
    if days is None:
        return 0.0 if not (is_goal and asked.undated) else _WITHOUT_DATE if not asked.named else _LATER
    first, end = days
    if end <= asked.from_ms:
        return 0.0
    if first >= asked.until_ms:
        return 0.0 if asked.named or not is_goal else _LATER
    return 1 - _FARTHEST * max(0, first - asked.from_ms) / (asked.until_ms - asked.from_ms)


def _due(text: str, created_at: int, valid_until: int | None) -> tuple[int, int] | None:
    """From when until when (epoch ms, the end excluded) something is due; of a longer period the last week."""
    if valid_until is not None:
        return valid_until - DAY_MS, valid_until
    period = coming_days(coming_day(text) or text, created_at)
    if period is None or period.from_ms is None or period.until_ms is None:
        return None
    return max(period.from_ms, period.until_ms - _WEEK_MS), period.until_ms
