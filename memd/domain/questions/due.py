"""Questions about what is due: "What is due?", "What appointments do I have this week?", "Welche Fristen habe ich?".

Such a question names nothing that is remembered, so its words would match only by chance; it is answered by goals, and
things with a date, that fall due in its period. English and German.
"""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from memd.domain.dates.time_window import DAY_MS, EPOCH
from memd.domain.questions.month import is_day_number, names_month
from memd.domain.questions.period import LAST_WORDS, PERIOD_WORDS, named_days

MAX_WORDS: Final = 24
LAST_DAY: Final = date(9990, 1, 1)
"""A later day of a question counts as this one, so that the periods after it end before the year 10000."""
_AHEAD_DAYS: Final = 31
"""How far a question without a period looks ahead."""
_WORD: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_FUNCTION: Final = """
    what which whats s is are do does did i we my our me us the a an any anything something everything there still yet now have has
    had got to need needs must should can could will be list show tell give all of on in for by at until before up and or else
    left open pending outstanding remaining next coming so please ought supposed user users you about things thing think are
    upcoming scheduled planned was were end of miss missed
    welche welcher welches ist sind habe haben hat ich wir mir uns noch diese dieser dieses diesen muss müssen soll sollen
    sollte sollten zu an meine meinen unsere alles etwas bis zum der die das den für es gibt offen offene offenen nächste nächsten
    nächstes kommende kommenden als nächstes ansteht denn bitte zeig zeige nenne sag war waren hatte hatten sein
    geplant anstehende anstehenden welchen ende des verpasst
"""
_LATE: Final = frozenset(["overdue", "past", "überfällig"])
_DUE: Final = frozenset(["due", "deadline", "deadlines", "fällig", "fristen", "frist", "abgabetermine"]) | _LATE
"""They ask for what has a date; the late ones, for what has a date that is over."""
_TASKS_LIST: Final = """
    todo todos to-do to-dos task tasks duties obligations errands chores goals aufgabe aufgaben pflichten ziele
"""
_TASKS: Final = frozenset(_TASKS_LIST.split())
_APPOINTMENTS: Final = frozenset(["appointments", "meetings", "events", "termine"])
_APPOINTMENT: Final = frozenset(["appointment", "meeting", "event", "termin"])
_ONE_OF_THEM: Final = frozenset(["next", "any", "an", "have", "nächster", "nächsten", "einen", "habe", "haben"])
"""`Do I have an appointment today?` asks for one of some kind, `What is the meeting?` for what is known of one."""
_VERBS_LIST: Final = """
    do done finish complete submit deliver tun machen erledigen abgeben schaffen fertigstellen fertig
"""
_VERBS: Final = frozenset(_VERBS_LIST.split())
_OBLIGED: Final = re.compile(
    r"\b(?:(?:have|has|need|needs|got|ought|supposed|left|still) to|must|should|muss|müssen|soll(?:en|te|ten)?)\b"
    r"|\bhabe(?:n|) (?:ich|wir)\b.{0,40}\bzu\b",
    re.IGNORECASE,
)
_FINISHED: Final = re.compile(
    r"\b(?:did|(?:are|is|was|were|have) (?!to )(?:\w+ ){0,2}?(?:done|complete)|(?:have|has) (?:i|we) (?:\w+ )?(?:done|do))\b",
    re.IGNORECASE,
)
"""`Which tasks did we finish?` asks for what has been done."""
_UP_TO: Final = frozenset(["by", "before", "until", "bis"])
"""Before a day: what falls due on it and on those before."""
_AHEAD: Final = re.compile(
    r"\b(?:coming up|upcoming|anstehenden?|(?:is|are) (?:scheduled|planned)|(?:have|got) (?:\w+ )?planned|ist geplant|on (?:my|our|the) (?:plate|agenda|list|to-do list|calendar|schedule)|in meinem kalender|im kalender|st(?:eht|ehen)\b.{0,40}\ban\b|ansteht)",
    re.IGNORECASE,
)
_TAKEN: Final = re.compile(
    r"\b(?:am i|are we) (?:free|busy|available)\b|\bdo (?:i|we) have (?:anything|something|plans)\b.{0,12}\b(?:on|in|for|planned|this|next|tomorrow|today)\b"
    r"|\b(?:what['’]?s|what is|is (?:anything|something)) (?:happening|going on|on(?! (?:my|our|the)\b))\b"
    r"|\bbin ich\b.{0,40}\b(?:frei|verfügbar)\b|\bhabe(?:n)? (?:ich|wir)\b.{0,40}\bvor\b|\bwas ist\b.{0,40}\blos\b",
    re.IGNORECASE,
)
"""`Am I free on 7 December?`, `What's on next week?`, `Habe ich am Montag etwas vor?`: they ask for what is due in the period that they name."""
_TAKEN_LIST: Final = """
    am free busy available plans happening going bin frei verfügbar vor los etwas
"""
_TAKEN_WORDS: Final = frozenset(_TAKEN_LIST.split())
_CALENDAR: Final = frozenset(["calendar", "schedule", "kalender"])
_AHEAD_LIST: Final = """
    coming up plate agenda list steht stehen an ansteht meinem
"""
_AHEAD_WORDS: Final = _CALENDAR | frozenset(_AHEAD_LIST.split())
_KNOWN: Final = (
    frozenset(_FUNCTION.split())
    | PERIOD_WORDS
    | _DUE
    | _TASKS
    | _APPOINTMENTS
    | _APPOINTMENT
    | _ONE_OF_THEM
    | _VERBS
    | _AHEAD_WORDS
    | _TAKEN_WORDS
)
_PAST: Final = re.compile(
    r"\b(?:what|which)\b.{0,40}?\b(?:was|were)\b|\bwar(?:en)?\b|\bhatten?\b|\bdid\b|\b(?:have|has) (?:i|we) had\b|\bmissed\b|\bverpasst\b",
    re.IGNORECASE,
)
"""`What was due this week?` asks for the days that are over, too."""
_SOMETHING_ELSE: Final = re.compile(
    r"\babout\b|\b(?:last|previous)\b.*\bof\b|(?<!\bday )\bafter\b|\bafter (?!tomorrow\b)"
    r"|\b(?:for|at|before|during|in|of|to) (?:my |the |our |this |that )?(?:next |last )?(?:appointment|meeting|event)s?\b",
    re.IGNORECASE,
)
"""Topics of meetings and tasks for them, and periods that are not read: `after next week`, `the last day of`."""
_PAST_DUE: Final = re.compile(r"\bpast due\b", re.IGNORECASE)
_DAY_BEFORE: Final = re.compile(r"\bday before yesterday\b", re.IGNORECASE)


class AskedDue(NamedTuple):
    """The period (from, until; local times, the end excluded) in which what a question asks for falls due.

    `named`: the question names this period. `undated`: goals without a date answer it, too.
    """

    from_ms: int
    until_ms: int
    named: bool
    undated: bool


def due_soon(now: int) -> AskedDue:
    """The period of a question that names none, as seen at `now` (local time); what has no date is asked for, too."""
    today = now // DAY_MS * DAY_MS
    return AskedDue(today, today + _AHEAD_DAYS * DAY_MS, named=False, undated=True)


def asked_due(question: str, now: int) -> AskedDue | None:
    """The period as seen at `now` (local time); None when a question asks for something else, or names a subject."""
    words = [word.lower() for word in _WORD.findall(question)]
    if not 1 < len(words) <= MAX_WORDS or not all(map(_is_known, words)):
        return None
    has_date = _asks_for_dates(question, words)
    if not (has_date or _asks_what_to_do(question, words)) or _SOMETHING_ELSE.search(question):
        return None
    today = min(EPOCH.date() + timedelta(days=now // DAY_MS), LAST_DAY)
    period = _period(question, words, today)
    if period is None or period.count <= 0 or (_TAKEN.search(question) and not period.is_named):
        return None
    from_ms = (period.first - EPOCH.date()).days * DAY_MS
    return AskedDue(from_ms, from_ms + period.count * DAY_MS, period.is_named, not has_date)


def _is_known(word: str) -> bool:
    return word in _KNOWN or word.isdecimal() or is_day_number(word)


def _asks_for_dates(question: str, words: Sequence[str]) -> bool:
    """Whether a question asks for deadlines, appointments or what is on a calendar."""
    if not (_DUE | _APPOINTMENTS).isdisjoint(words) or _TAKEN.search(question):
        return True
    if not _CALENDAR.isdisjoint(words):
        return _AHEAD.search(question) is not None
    return not _APPOINTMENT.isdisjoint(words) and not _ONE_OF_THEM.isdisjoint(words)


def _asks_what_to_do(question: str, words: Sequence[str]) -> bool:
    """Whether a question asks for tasks that are not done."""
    is_obliged = _OBLIGED.search(question) is not None
    if is_obliged and not _VERBS.isdisjoint(words):
        return True
    is_task = not _TASKS.isdisjoint(words) or _AHEAD.search(question) is not None
    return is_task and (is_obliged or _FINISHED.search(question) is None)


class _Period(NamedTuple):
    """The days that a question asks for; `is_named`: it names them."""

    first: date
    count: int
    is_named: bool


def _period(question: str, words: Sequence[str], today: date) -> _Period | None:
    """The period of a question; None for one that looks back and names none (`my last meetings`), or names two months."""
    is_late = not _LATE.isdisjoint(words)
    is_past = _PAST.search(question) is not None
    last = frozenset() if _PAST_DUE.search(question) else LAST_WORDS.intersection(words)
    days = named_days(words, today, is_past=is_past or is_late, is_last=bool(last))
    if days is None:
        if names_month(words):
            return None
        if is_past or is_late:
            return _Period(EPOCH.date(), (today - EPOCH.date()).days, is_named=True)
        return None if last else _Period(today, _AHEAD_DAYS, is_named=False)
    first, count = days
    if not _UP_TO.isdisjoint(words) and _DAY_BEFORE.search(question) is None:
        start = min(today, EPOCH.date() if first < today else today)
        first, count = start, (first - start).days + count
    return _Period(first, count, is_named=True)
