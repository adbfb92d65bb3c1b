"""When a statement is true: the period that its text names (contract 17.5), read relative to when it was written.

"since March", "until Friday", "from 2015 to 2018", "moved to Oslo in 2023". A day, month or weekday without a year
is in the past after "since", in the future after "until": a memory does not end before it was learned, unless its text
names a year or says "until yesterday". A text names its period when it is one main clause with one period: of several
clauses ("employees have 30 days; five may be carried over until 31 March") the end of one is not the end of all. What
only might be a period is left alone.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from memd.domain.dates.time_window import DAY_MS, EPOCH
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.dates.zone import TimeZone
from memd.domain.german.periods import german_period
from memd.domain.periods.named_days import Days, days_at, next_week, year_later
from memd.domain.text.clauses import is_one_clause
from memd.domain.text.spoken import spoken

STATEMENT_LENGTH: Final = 240
"""Characters of a text that is one statement; a period in a longer text need not hold for all of it."""
_SINCE: Final = re.compile(r"\b(?:ever\s+)?since\s+", re.IGNORECASE)
_UNTIL: Final = re.compile(
    r"\b(?:until|till|(?:valid|available|effective|open|closed|booked|reserved|runs?|lasts?)\s+(?:through|thru))\s+",
    re.IGNORECASE,
)
_FROM: Final = re.compile(r"\bfrom\s+", re.IGNORECASE)
_TO: Final = re.compile(r"\s+(?:to|until|till|through)\s+", re.IGNORECASE)
_BEGINNING: Final = (
    r"\b(?:moved|relocated|joined|started|began|switched|became|married|retired|left|bought|sold|opened|founded|launched|"
    r"migrated|promoted|hired)\b"
)
_BEGUN: Final = re.compile(
    rf"{_BEGINNING}[^.!?;]{{0,60}}?\b(?:in(?:\s+the\s+week\s+of)?|on|around)\s+"
    rf"|^(?:in|on)\s+(?=[^.!?;]{{0,60}}?{_BEGINNING})",
    re.IGNORECASE,
)
"""`Ana moved to Rome in May`, `In May Ana moved to Rome`."""
_IN: Final = re.compile(r"\bin\s+", re.IGNORECASE)
_RECURRING: Final = re.compile(
    rf"\b(?:every|each|always|daily|weekly|monthly|yearly|annually|usually|normally|{WEEKDAY}s|weekdays|weekends)\b",
    re.IGNORECASE,
)
"""Recurring events: that one occurrence ends does not end them."""
_POSTPONED: Final = re.compile(
    r"\b(?:postpon|push|delay|defer|mov|reschedul|adjourn)(?:ed|e|es|ing)\b(?:\s+[\w'’-]+){0,6}?\s+(?:until|till)\b",
    re.IGNORECASE,
)
"""Words before the day on which something will take place, rather than end."""
_PAST: Final = re.compile(
    r"\b(?:was|were|had|did|used\s+to|went|ran|kept|held|led|paid|sold|spent|taught|wrote"
    r"|(?<!is\s)(?<!are\s)(?<!am\s)(?<!be\s)(?<!been\s)(?<!stays\s)(?<!remains\s)"
    r"(?!(?:closed|locked|blocked|paused|suspended|disabled|reserved|booked|rented|banned|need|feed|red|united)\b)[a-z]{2,}ed)\b",
    re.IGNORECASE,
)
"""Words before an end without a year that leave open how long ago it was."""
_COMING: Final = re.compile(
    r"\b(?:(?P<week>week\s+of)|by|before|until|till|on|due|for|in|is|at|to|than)\s+(?:the\s+)?"
    r"|\b(?=(?:today|(?:the\s+day\s+after\s+)?tomorrow|next\s+week)\b)",
    re.IGNORECASE,
)
_PASSING: Final = re.compile(r"(?:the\s+)?(?:today|yesterday|tomorrow|now|present|last|next|this)\b", re.IGNORECASE)
"""Range ends that are ignored: they would be read relative to the beginning, and `from 2019 to today` end in 2019."""
_NAMED_LENGTH: Final = 60


@dataclass(frozen=True, slots=True)
class Period:
    """From `from_ms` until `until_ms` (epoch ms, the end excluded); None is an open side."""

    from_ms: int | None = None
    until_ms: int | None = None


def period_in_zone(text: str, written_at: int, zone: TimeZone) -> Period:
    """The `stated_period` of a text that was written at an instant, from one instant until another."""
    stated = stated_period(text, zone.local(written_at))
    sides = (stated.from_ms, stated.until_ms)
    return Period(*(None if side is None else zone.instant(side) for side in sides))


def stated_period(text: str, written_at: int) -> Period:
    """The period for which a statement written at `written_at` says it is true (local times); open where it says nothing.

    Words after a heading are read as of its day: `User (27 November 2026): Bis Freitag bin ich im Urlaub.`
    """
    if len(text) > STATEMENT_LENGTH or text.rstrip().endswith("?"):
        return Period()
    words, said_at = spoken(text, written_at)
    today = EPOCH.date() + timedelta(days=said_at // DAY_MS)
    stated = _stated(words, today)
    german = german_period(words) if stated == Period() else None
    return _stated(german, today) if german else stated


def _stated(text: str, today: date) -> Period:
    ranges, rest = _ranges(text, today)
    starts = _named(_SINCE, rest, today, future=False) or _begun(rest, today)
    ends = _named(_UNTIL, rest, today, future=True)
    if not (ranges or starts or ends) or not is_one_clause(text):
        return Period()
    if ranges:
        return ranges[0] if len(ranges) == 1 and not (starts or ends) else Period()
    return _since_until(text, starts, ends)


def coming_days(text: str, written_at: int) -> Period | None:
    """The first days that a text written at `written_at` (local time) names as a day on, by or until which something is.

    A day without a year is the next one. None when it names none.
    """
    today = EPOCH.date() + timedelta(days=written_at // DAY_MS)
    for cue in _COMING.finditer(text[:STATEMENT_LENGTH]):
        named = text[cue.end() : cue.end() + _NAMED_LENGTH]
        days = next_week(named, today) or days_at(named, today, future=True)
        if days is not None:
            rest_of_week = timedelta(days=6) if cue["week"] else timedelta()
            days = days._replace(last=days.last + rest_of_week)
            return Period(days.from_ms, days.until_ms)
    return None


def _ranges(text: str, today: date) -> tuple[list[Period], str]:
    """Each `from … to …` that names days, and the text without them; the second is the first such day after the first."""
    found: list[Period] = []
    rest, read = "", 0
    for cue in _FROM.finditer(text):
        start = days_at(text[cue.end() :], today, future=False)
        between = None if start is None else _TO.match(text, cue.end() + start.length)
        if start is None or not between or _PASSING.match(text, between.end()):
            continue
        end = days_at(text[between.end() :], start.first, future=True)
        if end is not None and end.last >= start.first:
            found.append(_range(text, start, end, today))
            rest, read = rest + text[read : cue.start()], between.end() + end.length
    return found, rest + text[read:]


def _range(text: str, start: Days, end: Days, today: date) -> Period:
    """Without a year, the period under way, or the end of the next one: before it begins, it is worth knowing."""
    if not (start.dated or end.dated):
        if start.weekday or _RECURRING.search(text) or _PAST.search(text):
            return Period()
        if end.last < today:
            return Period(None, end._replace(last=year_later(end.last)).until_ms)
    return Period(start.from_ms, end.until_ms)


def _since_until(text: str, starts: list[Days], ends: list[Days]) -> Period:
    """`since …` or the beginning of something `in …`, and `until …`; nothing when several compete."""
    if len(starts) > 1 or len(ends) > 1 or _POSTPONED.search(text):
        return Period()
    start, end = starts[0] if starts else None, ends[0] if ends else None
    if end is not None and not end.dated and (_PAST.search(text) or _RECURRING.search(text)):
        end = None
    from_ms = start.from_ms if start else None
    until_ms = end.until_ms if end else None
    if from_ms is not None and until_ms is not None and until_ms <= from_ms:
        return Period()
    return Period(from_ms, until_ms)


def _begun(text: str, today: date) -> list[Days]:
    """The days in, on or around which something began; all days after `in` when there are others: none is the one."""
    found = [days for days in _named(_BEGUN, text, today, future=False) if days.first <= today]
    return _named(_IN, text, today, future=False) or found if found else []


def _named(cue: re.Pattern[str], text: str, today: date, *, future: bool) -> list[Days]:
    """The days that follow each cue that days follow."""
    found = (days_at(text[match.end() :], today, future=future) for match in cue.finditer(text))
    return [days for days in found if days is not None]


@dataclass(frozen=True, slots=True)
class Moment:
    """The times of a question (epoch ms): what was so at `valid_at`, by what was known at `known_at` (None for now).

    `is_historical`: the question names a time or includes ended memories, so that superseded memories count too; with
    `include_ended`, what had ended by `valid_at` is found as well.
    """

    valid_at: int
    known_at: int | None = None
    include_ended: bool = False
    is_historical: bool = False

    def has_ended(self, valid_until: int | None) -> bool:
        """Whether a period that ended then has passed at the time of the question."""
        return valid_until is not None and valid_until <= self.valid_at
