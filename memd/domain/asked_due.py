"""Questions about what is due: "What is due?", "What appointments do I have this week?", "Welche Fristen habe ich?".

Such a question names nothing that is remembered, so its words would match only by chance; it is answered by goals, and
things with a date, that fall due in its period. English and German, UTC.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from memd.domain.time_window import DAY_MS, EPOCH
from memd.domain.weekdays import GERMAN_WEEKDAYS, WEEKDAYS

MAX_WORDS: Final = 24
LAST_DAY: Final = date(9990, 1, 1)
"""Of the days on which a question may be asked: the years after it can be told."""
AHEAD_DAYS: Final = 31
"""How far a question without a period looks ahead."""
_WORD: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_FUNCTION: Final = """
    what which whats s is are do does did i we my our me us the a an any anything something everything there still yet now have has
    had got to need needs must should can could will be list show tell give all of on in for by at until before up and or else
    left open pending outstanding remaining next coming so please ought supposed user users you about things thing think are
    upcoming scheduled planned was were
    was welche welcher welches ist sind habe haben hat ich wir mir uns noch diese dieser dieses diesen muss müssen soll sollen
    sollte sollten zu an meine meinen unsere alles etwas bis zum der die das den für es gibt offen offene offenen nächste nächsten
    nächstes kommende kommenden als nächstes ansteht denn bitte zeig zeige nenne sag war waren geplant in anstehende
    anstehenden welchen
"""
_PERIODS: Final = """
    today tonight tomorrow this next coming week weekend month year day days few soon heute morgen woche wochenende monat jahr
    tage tagen bald im am in after übermorgen weeks months wochen monate monaten morning afternoon evening nachmittag abend
    früh vormittag yesterday gestern last previous past letzte letzten letztes vergangene vergangenen
"""
_LATE: Final = frozenset(["overdue", "past", "überfällig"])
_DUE: Final = frozenset(["due", "deadline", "deadlines", "fällig", "fristen", "frist", "abgabetermine"]) | _LATE
"""They ask for what has a date; the late ones, for what has a date that is over."""
_TASKS: Final = frozenset(
    [
        "todo",
        "todos",
        "to-do",
        "to-dos",
        "task",
        "tasks",
        "duties",
        "obligations",
        "errands",
        "chores",
        "goals",
        "aufgabe",
        "aufgaben",
        "pflichten",
        "ziele",
    ]
)
_APPOINTMENTS: Final = frozenset(
    [
        "appointment",
        "appointments",
        "meeting",
        "meetings",
        "events",
        "calendar",
        "schedule",
        "termine",
        "termin",
        "kalender",
    ]
)
_VERBS: Final = frozenset(
    [
        "do",
        "done",
        "finish",
        "complete",
        "submit",
        "deliver",
        "tun",
        "machen",
        "erledigen",
        "abgeben",
        "schaffen",
        "fertigstellen",
    ]
)
_OBLIGED: Final = re.compile(
    r"\b(?:(?:have|has|need|needs|got|ought|supposed|left|still) to|must|should|muss|müssen|soll(?:en|te|ten)?)\b"
    r"|\bhabe(?:n|) (?:ich|wir)\b.{0,40}\bzu\b",
    re.IGNORECASE,
)
_FINISHED: Final = re.compile(
    r"\b(?:did|(?:are|is|have) (?!to )(?:\w+ ){0,2}?done|(?:have|has) (?:i|we) (?:\w+ )?(?:done|do))\b", re.IGNORECASE
)
"""`Which tasks did we finish?` asks for what has been done."""
_UP_TO: Final = frozenset(["by", "before", "until", "bis"])
"""Before a day: what falls due on it and on those before."""
_AHEAD: Final = re.compile(
    r"\b(?:coming up|upcoming|anstehenden?|(?:is|are) (?:scheduled|planned)|ist geplant|on (?:my|our|the) (?:plate|agenda|list|to-do list)|st(?:eht|ehen)\b.{0,40}\ban\b|ansteht)",
    re.IGNORECASE,
)
_AHEAD_WORDS: Final = frozenset(["coming", "up", "plate", "agenda", "list", "steht", "stehen", "an", "ansteht"])
_WEEKDAYS: Final = {name: place for names in (WEEKDAYS, GERMAN_WEEKDAYS) for place, name in enumerate(names)}
_NUMBERS: Final = {
    word: number
    for words in ("two three four five six seven eight nine ten", "zwei drei vier fünf sechs sieben acht neun zehn")
    for number, word in enumerate(words.split(), 2)
}
_KNOWN: Final = (
    frozenset([*_FUNCTION.split(), *_PERIODS.split(), *_WEEKDAYS, *_NUMBERS, "couple"])
    | _DUE
    | _TASKS
    | _APPOINTMENTS
    | _VERBS
    | _AHEAD_WORDS
)
_NEXT: Final = frozenset(["next", "coming", "nächste", "nächsten", "kommende", "kommenden"])
_LAST: Final = frozenset(["last", "previous", "past", "letzte", "letzten", "letztes", "vergangene", "vergangenen"])
_PAST: Final = re.compile(r"\b(?:what|which)\b.{0,40}?\b(?:was|were)\b|\bwaren?\b", re.IGNORECASE)
"""`What was due this week?` asks for the days that are over, too."""
MAX_DIGITS: Final = 3


class AskedDue(NamedTuple):
    """The period (from, until; epoch ms, the end excluded) in which what a question asks for falls due.

    `named`: the question names this period. `undated`: goals without a date answer it, too.
    """

    from_ms: int
    until_ms: int
    named: bool
    undated: bool


def asked_due(question: str, now: int) -> AskedDue | None:
    """The period as seen at `now` (epoch ms); None when a question asks for something else, or names a subject."""
    words = [word.lower() for word in _WORD.findall(question)]
    if not words or len(words) > MAX_WORDS or not _KNOWN.issuperset(word for word in words if not word.isdecimal()):
        return None
    has_date = not (_DUE | _APPOINTMENTS).isdisjoint(words)
    if not (has_date or _asks_what_to_do(question, words)):
        return None
    today = min(EPOCH.date() + timedelta(days=now // DAY_MS), LAST_DAY)
    is_past = _PAST.search(question) is not None
    days = _days(words, today, is_past=is_past)
    if days is None and (is_past or not _LATE.isdisjoint(words)):
        return AskedDue(0, (today - EPOCH.date()).days * DAY_MS, named=True, undated=False)
    first, count = days or (today, AHEAD_DAYS)
    if not _UP_TO.isdisjoint(words):
        first, count = today, (first - today).days + count
    from_ms = (first - EPOCH.date()).days * DAY_MS
    return AskedDue(from_ms, from_ms + count * DAY_MS, days is not None, not has_date)


def _asks_what_to_do(question: str, words: Sequence[str]) -> bool:
    """Whether a question asks for tasks that are not done."""
    is_obliged = _OBLIGED.search(question) is not None
    if is_obliged and not _VERBS.isdisjoint(words):
        return True
    is_task = not _TASKS.isdisjoint(words) or _AHEAD.search(question) is not None
    return is_task and (is_obliged or _FINISHED.search(question) is None)


class _Asked(NamedTuple):
    """What a question says of its period: the day on which it is asked, which of them, and how many.

    `which` is -1 for the last one, 0 for this one and 1 for the next. `is_whole`: days that are over belong to it.
    """

    today: date
    which: int
    count: int
    is_whole: bool

    def of(self, first: date, following: date) -> tuple[date, int]:
        """The first day and the number of days of a period from `first` until `following`, or of what is left of it."""
        begin = max(first, self.today) if self.which == 0 and not self.is_whole else first
        return begin, (following - begin).days


def _days(words: Sequence[str], today: date, *, is_past: bool) -> tuple[date, int] | None:
    """The first day that a question names and the number of days; of the current week, month and year only the rest."""
    named = set(words)
    weekday = next((_WEEKDAYS[word] for word in words if word in _WEEKDAYS), None)
    if weekday is not None:
        return _weekday(today, weekday, is_past=is_past or not named.isdisjoint(_LAST))
    which = 1 if not named.isdisjoint(_NEXT) else -1 if not named.isdisjoint(_LAST) else 0
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
    saturday = asked.today + timedelta(days=5 - asked.today.weekday() + 7 * min(asked.which, 0))
    return asked.of(saturday, saturday + timedelta(days=2))


def _month(asked: _Asked) -> tuple[date, int]:
    return asked.of(_first_of_month(asked.today, asked.which), _first_of_month(asked.today, asked.which + 1))


def _year(asked: _Asked) -> tuple[date, int]:
    year = asked.today.year + asked.which
    return asked.of(date(year, 1, 1), date(year + 1, 1, 1))


def _first_of_month(today: date, later: int) -> date:
    months = today.year * 12 + today.month - 1 + later
    return date(months // 12, months % 12 + 1, 1)


def _day(days_later: int) -> Callable[[_Asked], tuple[date, int]]:
    return lambda asked: (asked.today + timedelta(days=days_later), 1)


def _some(days: int, default: int) -> Callable[[_Asked], tuple[date, int]]:
    """So many periods of `days` days, from today on or, of the last ones, up to yesterday."""

    def read(asked: _Asked) -> tuple[date, int]:
        length = days * (asked.count or default)
        return (asked.today - timedelta(days=length), length) if asked.which < 0 else (asked.today, length)

    return read


_UNITS: Final = (
    (("day", "after", "tomorrow"), _day(2)),
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
    (("year",), _year),
    (("jahr",), _year),
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
