"""Times as people type them: `yesterday`, `7d`, `last week`, `march`, `2025`, `in 3 days`; memd reads dates and times itself."""

import re
from calendar import month_name
from datetime import date, datetime, time, timedelta
from typing import Final

from memctl.wire.instants import read_bound

_ABSOLUTE = re.compile(r"\s*((-\d+|\+?(0|\d{8,}))\s*$|\d{4}\D)")
"""A number as a time, or what begins like an ISO date. A shorter number would be a moment in 1970."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_AGO = re.compile(r"(\d{1,5})([mhdw])")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_AHEAD = re.compile(r"\+(\d{1,5})([mhdw])|in (\d{1,5}) (minute|min|hour|day|week)s?")
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_PERIOD = re.compile(r"(this|last|next)[ -](week|month|year)")
_MONTHS: Final = {name.lower(): number for number, name in enumerate(month_name) if name}
_MONTH_NAME: Final = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS)
_MONTH = re.compile(rf"(?:(last)[ -])?({_MONTH_NAME})(?:[ -](\d{{4}}))?")
_MONTH_NUMBER = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
_DAYS: Final = {"today": 0, "yesterday": -1, "tomorrow": 1}


def may_be_time(text: str) -> bool:
    """Whether the text is a relative time, a period, an epoch number, or starts like an ISO date, or is one like 31.12.2026."""
    word = text.strip().lower()
    named = word in _DAYS or any(form.fullmatch(word) for form in (_AGO, _AHEAD, _PERIOD, _YEAR, _MONTH, _DOTTED))
    return bool(named or _ABSOLUTE.match(text))


def is_ahead(text: str) -> bool:
    """Whether the text is a relative time or a period in the future."""
    word = text.strip().lower()
    return word == "tomorrow" or word.startswith("next") or _AHEAD.fullmatch(word) is not None


def is_length(text: str) -> bool:
    """Whether the text is the length of a time, such as `7d`, which `bound` reads as that long ago."""
    return _AGO.fullmatch(text.strip().lower()) is not None


def bound(text: str, now: datetime, *, at_end: bool) -> str:
    """A bound of time: epoch milliseconds for a relative time or a period, the text itself otherwise.

    `now` has a time zone, or is local time, whose offset is then that of each day. A day, week, month or year means its
    first moment, or with `at_end` its last, also when it is days or weeks ahead. Weeks begin on Monday, and a month without a
    year is the last one that has begun. A date like 31.12.2026 becomes an ISO date.
    """
    word = text.strip().lower()
    if found := _AGO.fullmatch(word):
        moment = now.astimezone() - timedelta(**{_UNITS[found[2]]: int(found[1])})
    elif days := _days(word, now.date()):
        moment = datetime.combine(days[at_end], time.max if at_end else time.min, now.tzinfo)
    elif found := _AHEAD.fullmatch(word):
        moment = now.astimezone() + timedelta(**_length(found))
    elif found := _DOTTED.fullmatch(word):
        return f"{found[3]}-{found[2]:>02}-{found[1]:>02}"
    else:
        return text
    return str(int(moment.timestamp() * 1000))


def epoch_ms(text: str, *, at_end: bool) -> int:
    """A bound as `bound` returns it, in epoch milliseconds; a date is its first moment, or with `at_end` its last.

    UTC if it names no zone, as memd reads dates and times (contract 7.0); ValueError for what is not a time.
    """
    instant = read_bound(text, ends_day=at_end)
    if instant is None:
        raise ValueError(text)
    return instant


def _days(word: str, today: date) -> tuple[date, date] | None:
    """The first and last day of a named day or period."""
    if word in _DAYS:
        day = today + timedelta(days=_DAYS[word])
        return day, day
    if found := _AHEAD.fullmatch(word):
        length = _length(found)
        day = today + timedelta(**length)
        return (day, day) if length.keys() <= {"days", "weeks"} else None
    if found := _PERIOD.fullmatch(word):
        first = _begin(found[2], today)
        if found[1] == "last":
            first = _begin(found[2], first - timedelta(days=1))
        elif found[1] == "next":
            first = _end(found[2], first) + timedelta(days=1)
        return first, _end(found[2], first)
    if _YEAR.fullmatch(word):
        return date(int(word), 1, 1), date(int(word), 12, 31)
    first = _month(word, today)
    return (first, _end("month", first)) if first else None


def _month(word: str, today: date) -> date | None:
    """The first day of a named month, or of one such as 2026-12."""
    if found := _MONTH_NUMBER.fullmatch(word):
        return date(int(found[1]), int(found[2]), 1)
    if not (found := _MONTH.fullmatch(word)):
        return None
    number = next(number for name, number in _MONTHS.items() if name.startswith(found[2]))
    year = int(found[3]) if found[3] else today.year - (number > today.month)
    if found[1] and not found[3] and (year, number) == (today.year, today.month):
        year -= 1
    return date(year, number, 1)


def _length(found: re.Match[str]) -> dict[str, int]:
    """How far ahead `+7d` or `in 7 days` is."""
    return {_UNITS[(found[2] or found[4])[0]]: int(found[1] or found[3])}


def _begin(unit: str, day: date) -> date:
    if unit == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if unit == "month" else day.replace(month=1, day=1)


def _end(unit: str, first: date) -> date:
    if unit == "week":
        return first + timedelta(days=6)
    longer = first + timedelta(days=31 if unit == "month" else 366)
    return _begin(unit, longer) - timedelta(days=1)
