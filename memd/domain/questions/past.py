"""The past month or year that a question names: `in August 2025`, `last year`, `im März`, `letztes Jahr`.

Answers are as of now unless the request names a time. A hint gives the caller the `validAt` for that month or year.
"""

import re
from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple

from memctl.wire.instants import to_ms
from memd.domain.dates.months import GERMAN_MONTHS, MONTH, MONTHS, month_number
from memd.domain.dates.time_window import DAY_MS, EPOCH
from memd.domain.questions.due import LAST_DAY

READ_CHARACTERS: Final = 500
"""Characters of a question in which a month or year is looked for."""

_ANY_MONTH: Final = rf"(?:{'|'.join(GERMAN_MONTHS)}|{MONTH})"
_IN: Final = r"(?:in|during|as of|end of|im|während|ende)"
_LAST: Final = r"(?:last|letzte[nrs]?|vergangene[nrs]?|vorige[nrs]?)"
_ASKED: Final = re.compile(
    rf"\b{_IN} (?P<before>{_LAST} )?(?P<month>{_ANY_MONTH})(?: (?P<of>(?:19|20)\d\d))?(?![\w'’-])"
    rf"|\b{_IN} (?P<year>(?:19|20)\d\d)(?=\W*$|[,;:.?!)])|\bim jahre? (?P<german_year>(?:19|20)\d\d)\b"
    rf"|\b(?<!the )(?P<last>{_LAST}) (?:(?P<unit>month|year|monat|jahr)|(?P<named>{_ANY_MONTH}))(?![\w'’-])"
)
_OTHER_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b|\blast year\b|\bletztes jahr\b")
_AHEAD: Final = re.compile(
    r"\b(?:will|shall|due|deadlines?|plan(?:s|ned)?|scheduled|upcoming|next|wird|werden|fällig|geplant|nächste[nrs]?)\b|\bgoing to\b"
    r"|^(?!.*\bdid\b).*\b(?:(?:have|has|need|needs) to|must|muss|müssen)\b"
)


class AskedPast(NamedTuple):
    """`August 2026` or `2025`, its first and last day, and the words of the question, in lower case, that name it."""

    name: str
    first: date
    last: date
    words: str = ""

    @property
    def from_ms(self) -> int:
        """The first millisecond of the first day (UTC, or local time)."""
        return to_ms(datetime.combine(self.first, time.min, UTC))

    @property
    def valid_at(self) -> int:
        """The last millisecond of the last day (UTC, or local time)."""
        return to_ms(datetime.combine(self.last, time.max, UTC))


def asked_past(question: str, now: int) -> AskedPast | None:
    """The past month or year that a question names, as seen at `now` (local time); None without one.

    A month without a year is one of this year, and none in a question about what lies ahead: "What is due in March?"
    """
    past = _asked(question, today := _day(now))
    return past if past and past.last < today else None


def asked_present_month(question: str, now: int) -> AskedPast | None:
    """The present month up to today, if a question about what was names it: "What did we decide in November?" in November."""
    past = _asked(question, today := _day(now))
    return past._replace(last=today) if past and past.first == today.replace(day=1) else None


def _day(now: int) -> date:
    return min(EPOCH.date() + timedelta(days=now // DAY_MS), LAST_DAY)


def _asked(question: str, today: date) -> AskedPast | None:
    asked = " ".join(question[:READ_CHARACTERS].lower().split())
    found = None if _AHEAD.search(asked) else _ASKED.search(asked)
    if not found:
        return None
    if year := found["year"] or found["german_year"]:
        past = _year(int(year))
    elif found["unit"] in {"year", "jahr"}:
        past = _year(today.year - 1)
    elif found["unit"]:
        before = today.replace(day=1) - timedelta(days=1)
        past = _month(before.year, before.month)
    else:
        past = _named_month(found, asked, today)
    return past._replace(words=found[0]) if past else None


def _named_month(found: re.Match[str], asked: str, today: date) -> AskedPast | None:
    """The month; None for one without a year that has not begun in this one or may belong to another one that is named."""
    name = found["month"] or found["named"]
    number = month_number(GERMAN_MONTHS.get(name, name))
    if found["of"]:
        return _month(int(found["of"]), number)
    if found["before"] or found["last"]:
        return _month(today.year - (number >= today.month), number)
    return None if number > today.month or _OTHER_YEAR.search(asked) else _month(today.year, number)


def _month(year: int, number: int) -> AskedPast:
    last = monthrange(year, number)[1]
    return AskedPast(f"{MONTHS[number - 1]} {year}", date(year, number, 1), date(year, number, last))


def _year(year: int) -> AskedPast:
    return AskedPast(str(year), date(year, 1, 1), date(year, 12, 31))
