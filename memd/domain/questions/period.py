"""The days that the words of a question name: "tomorrow", "the next two weeks", "letzten Monat". English and German."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from memd.domain.dates.weekdays import GERMAN_WEEKDAYS, WEEKDAYS
from memd.domain.questions.month import MONTH_WORDS, named_month, named_year

_PERIODS: Final = """
    today tonight tomorrow this next coming week weekend month year day days few soon heute morgen woche wochenende monat jahr
    tage tagen bald im am in after übermorgen weeks months wochen monate monaten morning afternoon evening nachmittag abend
    früh vormittag yesterday gestern vorgestern last previous past letzte letzten letztes vergangene vergangenen
    quarter quartal quartals monats jahres monatsende quartalsende jahresende
"""
_WEEKDAYS: Final = {name: place for names in (WEEKDAYS, GERMAN_WEEKDAYS) for place, name in enumerate(names)}
_NUMBERS: Final = {
    word: number
    for words in ("two three four five six seven eight nine ten", "zwei drei vier fünf sechs sieben acht neun zehn")
    for number, word in enumerate(words.split(), 2)
}
_NEXT: Final = frozenset(["next", "coming", "nächste", "nächsten", "nächster", "nächstes", "kommende", "kommenden"])
LAST_WORDS: Final = frozenset(["last", "previous", "past", "letzte", "letzten", "letztes", "vergangene", "vergangenen"])
MAX_DIGITS: Final = 3


PERIOD_WORDS: Final = frozenset([*_PERIODS.split(), *_WEEKDAYS, *_NUMBERS, *MONTH_WORDS, "couple", *_NEXT, *LAST_WORDS])
"""Every word that a period may be named with."""


class _Asked(NamedTuple):
    """The period of a question as its words give it: the day on which it is asked, which period, and how many.

    `which` is -1 for the last one, 0 for this one and 1 for the next. `is_whole`: days that are over belong to it.
    """

    today: date
    which: int
    count: int
    is_whole: bool

    def of(self, first: date, following: date) -> tuple[date, int]:
        """The first day and the number of days of a period from `first` until `following`, or of what is left of it."""
        start = max(first, self.today) if self.which == 0 and not self.is_whole else first
        return start, (following - start).days


def named_days(words: Sequence[str], today: date, *, is_past: bool, is_last: bool) -> tuple[date, int] | None:
    """The first day that a question names and the number of days; of the current week, month and year only the rest."""
    if month := named_month(words, today, is_past=is_past or is_last):
        return month
    if (year := named_year(words)) is not None:
        return _Asked(today, year - today.year, 0, is_past).of(date(year, 1, 1), date(year + 1, 1, 1))
    named = set(words)
    weekday = next((_WEEKDAYS[word] for word in words if word in _WEEKDAYS), None)
    if weekday is not None:
        return _weekday(today, weekday, is_past=is_past or is_last)
    which = 1 if not named.isdisjoint(_NEXT) else -1 if is_last else 0
    asked = _Asked(today, which, next((number for word in words if (number := _number(word))), 0), is_past)
    return next((read(asked) for units, read in _UNITS if named.issuperset(units)), None)


def _number(word: str) -> int:
    """The number that a word is, 0 when it is none or a large one."""
    return int(word) if word.isdecimal() and len(word) <= MAX_DIGITS else _NUMBERS.get(word, 0)


def _weekday(today: date, weekday: int, *, is_past: bool) -> tuple[date, int]:
    if is_past:
        return today - timedelta(days=(today.weekday() - weekday) % 7 or 7), 1
    return today + timedelta(days=(weekday - today.weekday()) % 7), 1


def _week(asked: _Asked) -> tuple[date, int]:
    monday = asked.today + timedelta(days=7 * asked.which - asked.today.weekday())
    return asked.of(monday, monday + timedelta(days=7))


def _weekend(asked: _Asked) -> tuple[date, int]:
    """The coming one, on its own days the present one, or the one before when the question looks back."""
    saturday = asked.today + timedelta(days=5 - asked.today.weekday())
    is_over = asked.which < 0 or (asked.is_whole and saturday > asked.today)
    is_after = asked.which > 0 and saturday <= asked.today
    saturday += timedelta(days=7 * (is_after - is_over))
    return asked.of(saturday, saturday + timedelta(days=2))


def _month(asked: _Asked) -> tuple[date, int]:
    return asked.of(_first_of_month(asked.today, asked.which), _first_of_month(asked.today, asked.which + 1))


def _quarter(asked: _Asked) -> tuple[date, int]:
    later = 3 * asked.which - (asked.today.month - 1) % 3
    return asked.of(_first_of_month(asked.today, later), _first_of_month(asked.today, later + 3))


def _year(asked: _Asked) -> tuple[date, int]:
    year = asked.today.year + asked.which
    return asked.of(date(year, 1, 1), date(year + 1, 1, 1))


def _first_of_month(today: date, later: int) -> date:
    months = today.year * 12 + today.month - 1 + later
    return date(months // 12, months % 12 + 1, 1)


def _day(days_later: int) -> Callable[[_Asked], tuple[date, int]]:
    return lambda asked: (asked.today + timedelta(days=days_later), 1)


def _some(days: int, default: int) -> Callable[[_Asked], tuple[date, int]]:
    """The asked number of periods of `days` days: from today on, or for past ones up to yesterday."""

    def read(asked: _Asked) -> tuple[date, int]:
        length = days * (asked.count or default)
        return (asked.today - timedelta(days=length), length) if asked.which < 0 else (asked.today, length)

    return read


_UNITS: Final = (
    (("day", "after", "tomorrow"), _day(2)),
    (("day", "before", "yesterday"), _day(-2)),
    (("vorgestern",), _day(-2)),
    (("übermorgen",), _day(2)),
    (("yesterday",), _day(-1)),
    (("gestern",), _day(-1)),
    (("heute",), _day(0)),  # before `morgen`: heute morgen is this morning
    (("tomorrow",), _day(1)),
    (("morgen",), _day(1)),
    (("today",), _day(0)),
    (("tonight",), _day(0)),
    (("this", "morning"), _day(0)),
    (("this", "afternoon"), _day(0)),
    (("this", "evening"), _day(0)),
    (("weekend",), _weekend),
    (("wochenende",), _weekend),
    (("week",), _week),
    (("woche",), _week),
    (("month",), _month),
    (("monat",), _month),
    (("monats",), _month),
    (("monatsende",), _month),
    (("quarter",), _quarter),
    (("quartal",), _quarter),
    (("quartals",), _quarter),
    (("quartalsende",), _quarter),
    (("year",), _year),
    (("jahr",), _year),
    (("jahres",), _year),
    (("jahresende",), _year),
    (("days",), _some(1, 7)),
    (("tage",), _some(1, 7)),
    (("tagen",), _some(1, 7)),
    (("weeks",), _some(7, 2)),
    (("wochen",), _some(7, 2)),
    (("months",), _some(30, 2)),
    (("monate",), _some(30, 2)),
    (("monaten",), _some(30, 2)),
)
"""The words that name a period, and how its days are found; the first that fits counts."""
