"""Questions about what is due: "What is due?", "What do I still have to do this week?", "Welche Fristen habe ich?".

Such a question names nothing that is remembered, so its words would match only by chance; it is answered by goals, and
things with a date, that fall due in its period. English and German, UTC.
"""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from memd.domain.time_window import DAY_MS, EPOCH
from memd.domain.weekdays import GERMAN_WEEKDAYS, WEEKDAYS

MAX_WORDS: Final = 24
AHEAD_DAYS: Final = 31
"""How far a question without a period looks ahead."""
_WORD: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_FUNCTION: Final = """
    what which whats s is are do does did i we my our me us the a an any anything something everything there still yet now have has
    had got to need needs must should can could will be list show tell give all of on in for by at until before up and or else
    left open pending outstanding remaining next coming so please ought supposed user users you about things thing think are
    was welche welcher welches ist sind habe haben hat ich wir mir uns noch diese dieser dieses diesen muss müssen soll sollen
    sollte sollten zu an meine meinen unsere alles etwas bis zum der die das den für es gibt offen offene offenen nächste nächsten
    nächstes kommende kommenden als nächstes ansteht denn bitte zeig zeige nenne sag
"""
_PERIODS: Final = """
    today tonight tomorrow this next coming week weekend month year day days few soon heute morgen woche wochenende monat jahr
    tage tagen bald im am in
"""
_LATE: Final = frozenset(["overdue", "überfällig"])
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
    r"\b(?:(?:have|has|need|needs|got|ought|supposed|left|still) to|must|should|muss|müssen|soll(?:en|te|ten)?)\b",
    re.IGNORECASE,
)
_FINISHED: Final = re.compile(
    r"\b(?:did|(?:are|is|have) (?!to )(?:\w+ ){0,2}?done|(?:have|has) (?:i|we) (?:\w+ )?(?:done|do))\b", re.IGNORECASE
)
"""`Which tasks did we finish?` asks for what has been done."""
_UP_TO: Final = frozenset(["by", "before", "until", "bis"])
"""Before a day: what falls due on it and on those before."""
_AHEAD: Final = re.compile(
    r"\b(?:coming up|on (?:my|our|the) (?:plate|agenda|list|to-do list)|st(?:eht|ehen)\b.{0,40}\ban\b|ansteht)",
    re.IGNORECASE,
)
_AHEAD_WORDS: Final = frozenset(["coming", "up", "plate", "agenda", "list", "steht", "stehen", "an", "ansteht"])
_WEEKDAYS: Final = {name: place for names in (WEEKDAYS, GERMAN_WEEKDAYS) for place, name in enumerate(names)}
_KNOWN: Final = frozenset([*_FUNCTION.split(), *_PERIODS.split(), *_WEEKDAYS]) | _DUE | _TASKS | _VERBS | _AHEAD_WORDS
_NEXT: Final = frozenset(["next", "coming", "nächste", "nächsten", "kommende", "kommenden"])
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
    if not words or len(words) > MAX_WORDS or not _KNOWN.issuperset(word for word in words if not word.isdigit()):
        return None
    is_due = not _DUE.isdisjoint(words)
    is_task = not _TASKS.isdisjoint(words) or _AHEAD.search(question) is not None
    is_to_do = _OBLIGED.search(question) is not None and not _VERBS.isdisjoint(words)
    is_done = _FINISHED.search(question) is not None and _OBLIGED.search(question) is None
    if not (is_due or is_to_do or (is_task and not is_done)):
        return None
    today = EPOCH.date() + timedelta(days=now // DAY_MS)
    days = _days(words, today)
    if days is None and not _LATE.isdisjoint(words):
        return AskedDue(0, (today - EPOCH.date()).days * DAY_MS, named=True, undated=False)
    first, count = days or (today, AHEAD_DAYS)
    if not _UP_TO.isdisjoint(words):
        first, count = today, (first - today).days + count
    from_ms = (first - EPOCH.date()).days * DAY_MS
    return AskedDue(from_ms, from_ms + count * DAY_MS, days is not None, not is_due)


def _days(words: Sequence[str], today: date) -> tuple[date, int] | None:
    """The first day that a question names and the number of days; only the rest of the current week, month and year."""
    named = set(words)
    weekday = next((_WEEKDAYS[word] for word in words if word in _WEEKDAYS), None)
    if weekday is not None:
        return today + timedelta(days=(weekday - today.weekday()) % 7), 1
    is_next = not named.isdisjoint(_NEXT)
    count = next((int(word) for word in words if word.isdigit() and len(word) <= MAX_DIGITS), 7)
    return next((read(today, is_next, count) for units, read in _UNITS if not named.isdisjoint(units)), None)


def _week(today: date, is_next: bool, _count: int) -> tuple[date, int]:
    left = 7 - today.weekday()
    return (today + timedelta(days=left), 7) if is_next else (today, left)


def _weekend(today: date, _is_next: bool, _count: int) -> tuple[date, int]:
    return today + timedelta(days=max(0, 5 - today.weekday())), min(2, 7 - today.weekday())


def _month(today: date, is_next: bool, _count: int) -> tuple[date, int]:
    following = (today.replace(day=1) + timedelta(days=AHEAD_DAYS + 1)).replace(day=1)
    if not is_next:
        return today, (following - today).days
    return following, ((following + timedelta(days=AHEAD_DAYS + 1)).replace(day=1) - following).days


def _year(today: date, is_next: bool, _count: int) -> tuple[date, int]:
    first, end = (date(today.year + later, 1, 1) for later in (1, 2))
    return (first, (end - first).days) if is_next else (today, (first - today).days)


def _tomorrow(today: date, _is_next: bool, _count: int) -> tuple[date, int]:
    return today + timedelta(days=1), 1


def _today(today: date, _is_next: bool, _count: int) -> tuple[date, int]:
    return today, 1


def _some_days(today: date, _is_next: bool, count: int) -> tuple[date, int]:
    return today, count


_UNITS: Final = (
    (("tomorrow", "morgen"), _tomorrow),
    (("today", "tonight", "heute"), _today),
    (("weekend", "wochenende"), _weekend),
    (("week", "woche"), _week),
    (("month", "monat"), _month),
    (("year", "jahr"), _year),
    (("days", "tage", "tagen"), _some_days),
)
