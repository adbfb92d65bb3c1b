"""When a statement is true: the period that its text names (contract 17.5), read relative to when it was written.

UTC. "since March", "until Friday", "from 2015 to 2018", "moved to Oslo in 2023". A month or weekday without a year lies
in the past after "since" and "from", in the future after "until". What only might be a period is left alone.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

from memd.domain.temporal import find_phrase
from memd.domain.time_window import DAY_MS, EPOCH, to_ms

STATEMENT_LENGTH: Final = 240
"""Characters of a text that is one statement; a period in a longer text need not hold for all of it."""
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
_YEAR: Final = re.compile(r"(?:the\s+end\s+of\s+)?((?:19|20)\d\d)\b(?![-/.:]?\d)", re.IGNORECASE)
_MONTH_YEAR: Final = re.compile(
    rf"(?:the\s+end\s+of\s+)?({_MONTH})\b\.?(?:,?\s+((?:19|20)\d\d)\b)?(?!\s+\d)", re.IGNORECASE
)
_WEEKDAY: Final = re.compile(rf"(?:next\s+|last\s+)?({'|'.join(_WEEKDAYS)})\b", re.IGNORECASE)
_TOMORROW: Final = re.compile(r"tomorrow\b", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"(?:on|in)\s+", re.IGNORECASE)
_SINCE: Final = re.compile(r"\b(?:ever\s+)?since\s+", re.IGNORECASE)
_UNTIL: Final = re.compile(r"\b(?:until|till)\s+", re.IGNORECASE)
_FROM: Final = re.compile(r"\bfrom\s+", re.IGNORECASE)
_TO: Final = re.compile(r"\s+(?:to|until|till|through)\s+", re.IGNORECASE)
_BEGUN: Final = re.compile(
    r"\b(?:moved|relocated|joined|started|began|switched|became|married|retired|left|bought|sold|opened|founded|launched|"
    r"migrated|promoted|hired)\b[^.!?;]{0,60}?\bin\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Period:
    """From `from_ms` until `until_ms` (epoch ms, the end excluded); None is an open side."""

    from_ms: int | None = None
    until_ms: int | None = None


class _Days(NamedTuple):
    """Whole days, both included, and the length of the words that name them."""

    first: date
    last: date
    length: int


def stated_period(text: str, written_at: int) -> Period:
    """The period for which a statement written at `written_at` (epoch ms) says it is true; open where it says nothing."""
    if len(text) > STATEMENT_LENGTH or text.rstrip().endswith("?"):
        return Period()
    today = EPOCH.date() + timedelta(days=written_at // DAY_MS)
    return _from_to(text, today) or _since_until(text, today)


def _from_to(text: str, today: date) -> Period | None:
    """`from … to …`, when both name days; the second is the first such day after the first."""
    for found in _FROM.finditer(text):
        begin = _days_at(text[found.end() :], today, future=False)
        between = begin and _TO.match(text, found.end() + begin.length)
        if begin is None or not between:
            continue
        end = _days_at(text[between.end() :], begin.first, future=True)
        if end is not None and end.last >= begin.first:
            return Period(_ms(begin.first), _ms(end.last + timedelta(days=1)))
    return None


def _since_until(text: str, today: date) -> Period:
    """`since …` or the beginning of something `in …`, and `until …`."""
    begin = _first(_SINCE, text, today, future=False) or _first(_BEGUN, text, today, future=False)
    end = _first(_UNTIL, text, today, future=True)
    from_ms = _ms(begin.first) if begin else None
    until_ms = _ms(end.last + timedelta(days=1)) if end else None
    if from_ms is not None and until_ms is not None and until_ms <= from_ms:
        return Period()
    return Period(from_ms, until_ms)


def _first(cue: re.Pattern[str], text: str, today: date, *, future: bool) -> _Days | None:
    """The days that follow the first cue that any follow."""
    for found in cue.finditer(text):
        days = _days_at(text[found.end() :], today, future=future)
        if days is not None:
            return days
    return None


def _days_at(text: str, today: date, *, future: bool) -> _Days | None:
    """The days that a text begins with; None when it begins with something else."""
    lead = _ARTICLE.match(text)
    skipped = lead.end() if lead else 0
    rest = text[skipped:]
    found = _year(rest) or _whole_phrase(rest, today) or _month(rest, today, future=future)
    found = found or _weekday(rest, today, future=future) or _tomorrow(rest, today)
    return found and found._replace(length=found.length + skipped)


def _year(text: str) -> _Days | None:
    found = _YEAR.match(text)
    return found and _Days(date(int(found[1]), 1, 1), date(int(found[1]), 12, 31), found.end())


def _whole_phrase(text: str, today: date) -> _Days | None:
    """A temporal phrase of contract 11.7 (a written date, `two weeks ago`, `last month`, …) at the beginning."""
    phrase = find_phrase(text[:60], _ms(today))
    if phrase is None or not text.startswith(phrase.text):
        return None
    first, last = (EPOCH.date() + timedelta(days=moment // DAY_MS) for moment in (phrase.from_ms, phrase.to_ms))
    return _Days(first, last, len(phrase.text))


def _month(text: str, today: date, *, future: bool) -> _Days | None:
    found = _MONTH_YEAR.match(text)
    if found is None:
        return None
    number = _MONTHS.index(found[1][:3].lower()) + 1
    year = int(found[2]) if found[2] else today.year + _shift(number, today.month, future=future)
    return _Days(date(year, number, 1), date(year, number, monthrange(year, number)[1]), found.end())


def _shift(number: int, present: int, *, future: bool) -> int:
    """The year of a month without one, relative to this year: the present month counts for both directions."""
    if future:
        return int(number < present)
    return -int(number > present)


def _weekday(text: str, today: date, *, future: bool) -> _Days | None:
    found = _WEEKDAY.match(text)
    if found is None:
        return None
    ahead = (_WEEKDAYS.index(found[1].lower()) - today.weekday()) % 7
    day = today + timedelta(days=ahead if future else ahead - 7)
    return _Days(day, day, found.end())


def _tomorrow(text: str, today: date) -> _Days | None:
    found = _TOMORROW.match(text)
    day = today + timedelta(days=1)
    return found and _Days(day, day, found.end())


def _ms(day: date) -> int:
    return to_ms(datetime(day.year, day.month, day.day, tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class Moment:
    """The times of a question (epoch ms): what was so at `valid_at`, by what was known at `known_at` (None for now).

    `travels`: the question names a time or includes ended memories, so that superseded memories count too; with
    `include_ended`, what had ended by `valid_at` is found as well.
    """

    valid_at: int
    known_at: int | None = None
    include_ended: bool = False
    travels: bool = False

    def has_ended(self, valid_until: int | None) -> bool:
        """Whether a period that ended then has passed at the time of the question."""
        return valid_until is not None and valid_until <= self.valid_at
