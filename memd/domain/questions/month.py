"""The month, its day, or the year that the words of a question name: "in January", "on 3 December", "am 11. Dezember"."""

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date
from typing import Final

from memd.domain.dates.months import GERMAN_MONTHS, month_number

_MONTHS: Final = {
    name: month_number(english) for german, english in GERMAN_MONTHS.items() for name in (german, english.lower())
}
MONTH_WORDS: Final = frozenset(_MONTHS)
_DAY: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_BEFORE_MAY: Final = frozenset(["in", "of", "by", "before", "until", "for", "this", "next", "last", "during"])
"""Words that make `may` without a day a month."""
_LEAP_CYCLE: Final = 8
"""Years within which every day of a month comes again."""


def is_day_number(word: str) -> bool:
    """Whether a word may be a day of a month: `3`, `3rd`."""
    return _DAY.fullmatch(word) is not None


def names_month(words: Sequence[str]) -> bool:
    """Whether the words name a month, or several, or a day that it does not have."""
    return bool(_month_indexes(words))


def named_month(words: Sequence[str], today: date, *, is_past: bool) -> tuple[date, int] | None:
    """The first day of the only month that the words name, or the day of it that they name, and the number of days.

    Without a year it is the next one, or what is left of the present one; the last one when the question looks back.
    """
    indexes = _month_indexes(words)
    if len(indexes) != 1:
        return None
    month, day = _MONTHS[words[indexes[0]]], _day_at(words, indexes[0])
    year = next((int(word) for word in words[indexes[0] + 1 :] if _YEAR.fullmatch(word)), None)
    if year is not None:
        return _days(year, month, day)
    step = -1 if is_past else 1
    years = range(today.year, today.year + step * _LEAP_CYCLE, step)
    known = (found for each in years if (found := _days(each, month, day)) is not None)
    found = next((found for found in known if _fits(found, today, is_past=is_past)), None)
    if found is None or is_past or found[0] >= today:
        return found
    return today, found[1] - (today - found[0]).days


def named_year(words: Sequence[str]) -> int | None:
    """The only year that the words name, where they name no month."""
    years = [int(word) for word in words if _YEAR.fullmatch(word)]
    return years[0] if len(years) == 1 and not _month_indexes(words) else None


def _month_indexes(words: Sequence[str]) -> list[int]:
    return [index for index, word in enumerate(words) if word in _MONTHS and not _is_modal(words, index)]


def _fits(found: tuple[date, int], today: date, *, is_past: bool) -> bool:
    first, count = found
    return first <= today if is_past else (first - today).days + count > 0


def _days(year: int, month: int, day: int | None) -> tuple[date, int] | None:
    length = monthrange(year, month)[1]
    if day is None:
        return date(year, month, 1), length
    return (date(year, month, day), 1) if 1 <= day <= length else None


def _day_at(words: Sequence[str], index: int) -> int | None:
    """The day that is named just before or after the month."""
    neighbours = [words[other] for other in (index - 1, index + 1) if 0 <= other < len(words)]
    return next((int(match[1]) for word in neighbours if (match := _DAY.fullmatch(word))), None)


def _is_modal(words: Sequence[str], index: int) -> bool:
    return words[index] == "may" and _day_at(words, index) is None and not _BEFORE_MAY.intersection(words[:index][-1:])
