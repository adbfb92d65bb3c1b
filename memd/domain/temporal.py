"""Time phrases in a question, and the days they mean (contract 11.7). Everything is UTC; a window covers whole days.

The latest past day, month or date never includes the present one: on a Monday, "on Monday" is a week ago.
"""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from typing import Final

from memd.domain.time_window import DAY_MS, EPOCH, Window, to_ms

_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEK: Final = 7

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY: Final = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\b"
_YEAR: Final = r"[12]\d{3}\b"
_PHRASE: Final = re.compile(
    rf"""\b(?:
      (?P<iso>\d{{4}}-\d\d-\d\d)(?!\d)
    | (?P<today>today)\b
    | (?P<yesterday>yesterday)\b
    | (?P<days>\d{{1,5}}|{"|".join(_NUMBERS)})\s+days?\s+ago\b
    | (?P<weeks>\d{{1,4}}|{"|".join(_NUMBERS)})\s+weeks?\s+ago\b
    | (?P<last_week>last\s+week)\b
    | (?P<last_month>last\s+month)\b
    | (?:on|last)\s+(?P<weekday>{"|".join(_WEEKDAYS)})\b
    | (?P<day>{_DAY})\s+(?:of\s+)?(?P<day_month>{_MONTH})(?:,?\s+(?P<day_year>{_YEAR}))?
    | (?P<named_month>{_MONTH})\s+(?:the\s+)?(?P<month_day>{_DAY})(?:,?\s+(?P<month_year>{_YEAR}))?
    | (?:in|last)\s+(?P<month>{_MONTH})(?!\s+(?:the\s+)?{_DAY})(?:\s+(?P<year>{_YEAR}))?
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def find_window(text: str, now: int) -> Window | None:
    """The window of the first time phrase in `text` as seen at `now` (epoch ms), or None without any.

    A phrase that names no real day (30 February) is passed over.
    """
    today = EPOCH.date() + timedelta(days=now // DAY_MS)
    for phrase in _PHRASE.finditer(text):
        try:
            return _READERS[str(phrase.lastgroup)](phrase, today)
        except (ValueError, OverflowError):
            continue
    return None


def _days(first: date, count: int = 1) -> Window:
    start = to_ms(datetime(first.year, first.month, first.day, tzinfo=UTC))
    return Window(start, start + count * DAY_MS - 1)


def _month(year: int, month: int) -> Window:
    first = date(year, month, 1)
    following = date(year + month // 12, month % 12 + 1, 1)
    return _days(first, (following - first).days)


def _month_number(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


def _count(word: str) -> int:
    return int(word) if word.isdecimal() else _NUMBERS.index(word.lower()) + 1
