"""The days that a text begins with: `2019`, `3 May`, `the end of June 2025`, `next Friday`, `two weeks ago`, `tomorrow`."""

import re
from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

from memctl.wire.instants import to_ms
from memd.domain.dates.months import MONTH, month_number
from memd.domain.dates.time_window import DAY_MS, EPOCH
from memd.domain.dates.weekdays import BEFORE_DATE, WEEKDAY, WEEKDAYS
from memd.domain.periods.temporal_phrases import find_phrase

_YEAR: Final = re.compile(r"(?:the\s+end\s+of\s+)?((?:19|20)\d\d)\b(?![-/.:]?\d)", re.IGNORECASE)
_MONTH_YEAR: Final = re.compile(
    rf"(?:the\s+end\s+of\s+)?({MONTH})\b\.?(?:,?\s+((?:19|20)\d\d)\b)?(?!\s+\d)", re.IGNORECASE
)
_DAY_OF_YEAR: Final = re.compile(
    rf"(?:{BEFORE_DATE})?(?:the\s+)?(?:(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({MONTH})"
    rf"|({MONTH})\s+(\d{{1,2}})(?:st|nd|rd|th)?)\b\.?(?!,?\s+\d{{4}}|[:.]\d)",
    re.IGNORECASE,
)
_LEADING_WEEKDAY: Final = re.compile(rf"{BEFORE_DATE}(?=\d|{MONTH}\b)", re.IGNORECASE)
_WEEKDAY: Final = re.compile(rf"(?:next\s+|last\s+)?({WEEKDAY})\b(?!,?\s+(?:\(?\d{{1,2}}/\d|the\s+\d))", re.IGNORECASE)
"""Not before `4/12`, which is in April or in December, nor before `the 8th`, which may be weeks away."""
_TOMORROW: Final = re.compile(r"(?:the\s+)?(?P<after>day\s+after\s+)?tomorrow\b", re.IGNORECASE)
_NEXT_WEEK: Final = re.compile(r"next\s+week\b", re.IGNORECASE)
_END_OF: Final = re.compile(
    r"(?:the\s+)?end\s+of\s+(?P<which>the|this|next)\s+(?P<unit>week|month|quarter|year)\b", re.IGNORECASE
)
_MONTHS_OF: Final = {"month": 1, "quarter": 3, "year": 12}
_ARTICLE: Final = re.compile(r"(?:on|in)\s+", re.IGNORECASE)
_LATER_YEARS: Final = 9
"""Within this many years there is always a 29 February."""


class Days(NamedTuple):
    """Whole days, both included, and the length of the words that name them.

    `dated`: the words name the year or lie back (`last month`); `weekday`: they are a day of the week.
    """

    first: date
    last: date
    length: int
    dated: bool = False
    weekday: bool = False

    @property
    def from_ms(self) -> int:
        """When the first day begins (epoch ms)."""
        return _begin_of(self.first)

    @property
    def until_ms(self) -> int:
        """When the last day is over (epoch ms)."""
        return _begin_of(self.last + timedelta(days=1))


def days_at(text: str, today: date, *, future: bool) -> Days | None:
    """The days that a text begins with; None when it begins with something else."""
    lead = _ARTICLE.match(text)
    skipped = lead.end() if lead else 0
    rest = text[skipped:]
    found = _year(rest) or _day_of_year(rest, today, future=future) or _whole_phrase(rest, today)
    found = found or _month(rest, today, future=future)
    found = found or _weekday(rest, today, future=future) or _tomorrow(rest, today) or _end_of(rest, today)
    return found and found._replace(length=found.length + skipped)


def _year(text: str) -> Days | None:
    found = _YEAR.match(text)
    return found and Days(date(int(found[1]), 1, 1), date(int(found[1]), 12, 31), found.end(), dated=True)


def _day_of_year(text: str, today: date, *, future: bool) -> Days | None:
    """A day and a month without a year: the latest one up to today, or the next one from today on."""
    found = _DAY_OF_YEAR.match(text)
    if found is None:
        return None
    number, month = int(found[1] or found[4]), month_number(found[2] or found[3])
    for step in range(_LATER_YEARS):
        try:
            day = date(today.year + (step if future else -step), month, number)
        except ValueError:
            continue
        if (day >= today) if future else (day <= today):
            return Days(day, day, found.end())
    return None


def _whole_phrase(text: str, today: date) -> Days | None:
    """A temporal phrase of contract 11.7 (a written date, `two weeks ago`, `last month`, …) at the beginning."""
    lead = _LEADING_WEEKDAY.match(text)
    skipped = lead.end() if lead else 0
    text = text[skipped:]
    phrase = find_phrase(text[:60], _begin_of(today))
    if phrase is None or not text.startswith(phrase.text):
        return None
    first, last = (EPOCH.date() + timedelta(days=moment // DAY_MS) for moment in (phrase.from_ms, phrase.to_ms))
    return Days(first, last, len(phrase.text) + skipped, dated=True)


def _month(text: str, today: date, *, future: bool) -> Days | None:
    found = _MONTH_YEAR.match(text)
    if found is None:
        return None
    number = month_number(found[1])
    year = int(found[2]) if found[2] else today.year + _shift(number, today.month, future=future)
    first, last = date(year, number, 1), date(year, number, monthrange(year, number)[1])
    return Days(first, last, found.end(), dated=bool(found[2]))


def _shift(number: int, present: int, *, future: bool) -> int:
    """The year of a month without one, relative to this year: the present month counts for both directions."""
    if future:
        return int(number < present)
    return -int(number > present)


def _weekday(text: str, today: date, *, future: bool) -> Days | None:
    found = _WEEKDAY.match(text)
    if found is None:
        return None
    if found[0].lower().startswith("last"):
        future = False
    ahead = (WEEKDAYS.index(found[1].lower()) - today.weekday()) % 7
    if ahead == 0 and found[0].lower().startswith("next"):
        ahead = 7
    day = today + timedelta(days=ahead if future else ahead - 7)
    return Days(day, day, found.end(), weekday=True)


def _tomorrow(text: str, today: date) -> Days | None:
    found = _TOMORROW.match(text)
    day = today + timedelta(days=2 if found and found["after"] else 1)
    return found and Days(day, day, found.end())


def _end_of(text: str, today: date) -> Days | None:
    """The last day of a calendar month, quarter or year; of a week, from Friday on."""
    found = _END_OF.match(text)
    if found is None:
        return None
    later, unit = int(found["which"].lower() == "next"), found["unit"].lower()
    if unit == "week":
        sunday = today + timedelta(days=6 - today.weekday() + 7 * later)
        return Days(sunday - timedelta(days=2), sunday, found.end())
    length = _MONTHS_OF[unit]
    years, month = divmod((today.month - 1) // length * length + length * (1 + later) - 1, 12)
    day = date(today.year + years, month + 1, monthrange(today.year + years, month + 1)[1])
    return Days(day, day, found.end())


def next_week(text: str, today: date) -> Days | None:
    """The days of the next calendar week where a text begins with `next week`."""
    found = _NEXT_WEEK.match(text)
    monday = today + timedelta(days=7 - today.weekday())
    return found and Days(monday, monday + timedelta(days=6), found.end())


def year_later(day: date) -> date:
    """The same day of the next year; the last of February for the 29th."""
    year, month = day.year + 1, day.month
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def _begin_of(day: date) -> int:
    return to_ms(datetime(day.year, day.month, day.day, tzinfo=UTC))
