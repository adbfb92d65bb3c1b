"""Temporal phrases in a question, and the days they mean (contract 11.7).

Days are those of local times; a window covers whole days. The latest past weekday, month or date never includes the
present one: on a Monday, "on Monday" is a week ago.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Final

from memctl.wire.instants import to_ms
from memd.domain.dates.months import MONTH, month_number
from memd.domain.dates.time_window import DAY_MS, EPOCH, Window
from memd.domain.dates.weekdays import WEEKDAY, WEEKDAYS
from memd.domain.dates.zone import TimeZone
from memd.domain.text.number_words import NUMBER_WORDS
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stop_words import STOP_WORDS

_NUMBERS: Final = NUMBER_WORDS[:10]
_SATURDAY: Final = 5
_LEAP_CYCLE: Final = 9
"""Within this many years back there is always a 29 February."""

_COUNT: Final = rf"(\d{{1,5}}|{'|'.join(_NUMBERS)})"
_MONTH: Final = rf"({MONTH})\b\.?"
_DAY: Final = r"(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\b"
_YEAR: Final = r"([12]\d{3})\b"

_OF_TALK: Final = """
    anything bring brought chat chats chatted chatting conversation conversations could cover covered discuss discussed
    discussing discussion discussions everything go happen happened happening hear heard know let many
    mention mentioned message messages much one please recap recapitulate remember remind review said saw say saying
    session sessions show something speak speaking spoke spoken subject subjects sum summarise summarize summary talk
    talked talking talks tell thing things told topic topics us went work worked working would write written wrote
"""
TALK_WORDS: Final = frozenset(_OF_TALK.split())
"""Words of a question about a conversation that do not name its subject."""
_AHEAD: Final = frozenset({"will"})
"""A question about the future does not ask what was said."""
_WORD: Final = re.compile(r"[^\W_]+")

_Span = tuple[int, int]
"""First and last millisecond of some days."""


@dataclass(frozen=True, slots=True)
class TemporalPhrase:
    """A phrase as the question has it, and the whole days that it means (ms, both inclusive).

    `alone`: the question names no other subject, as in "what did we talk about yesterday?".
    """

    text: str
    from_ms: int
    to_ms: int
    alone: bool = False

    @property
    def window(self) -> Window:
        """The days as a window."""
        return Window(self.from_ms, self.to_ms)


def phrase_in_zone(text: str, now: int, zone: TimeZone) -> TemporalPhrase | None:
    """The `find_phrase` of a text as seen at an instant, with the days as instants."""
    phrase = find_phrase(text, zone.local(now))
    if phrase is None:
        return None
    return replace(phrase, from_ms=zone.instant(phrase.from_ms), to_ms=zone.last_instant(phrase.to_ms))


def find_phrase(text: str, now: int) -> TemporalPhrase | None:
    """The first temporal phrase in `text` as seen at `now` (local time), or None without any.

    A phrase that names no real day (30 February) is skipped.
    """
    today = EPOCH.date() + timedelta(days=now // DAY_MS)
    found = [(phrase.start(), phrase, read) for form, read in _FORMS for phrase in form.finditer(text)]
    for _, phrase, read in sorted(found, key=lambda hit: hit[0]):
        try:
            span = read(phrase, today)
        except (ValueError, OverflowError):
            continue
        return TemporalPhrase(phrase[0], *span, alone=_names_no_subject(text[: phrase.start()], text[phrase.end() :]))
    return None


def _names_no_subject(before: str, after: str) -> bool:
    """Whether the words around a phrase, of which there are some, ask for whatever was said."""
    without_meaning = STOP_WORDS[Language.ENGLISH].union(TALK_WORDS) - _AHEAD
    first, following = _WORD.findall(before), _WORD.findall(after)
    words = [first[0].lower(), *first[1:], *following] if first else following
    return bool(words) and all(word == "I" or word in without_meaning for word in words)


def _days(first: date, count: int = 1) -> _Span:
    start = to_ms(datetime(first.year, first.month, first.day, tzinfo=UTC))
    return start, start + count * DAY_MS - 1


def _whole_month(year: int, month: int) -> _Span:
    first = date(year, month, 1)
    following = date(year + month // 12, month % 12 + 1, 1)
    return _days(first, (following - first).days)


def _latest_past(month: int, day: int, today: date) -> date:
    for year in range(today.year, today.year - _LEAP_CYCLE, -1):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found < today:
            return found
    msg = "no such day in any year"
    raise ValueError(msg)


def _count(word: str) -> int:
    return int(word) if word.isdecimal() else _NUMBERS.index(word.lower()) + 1


def _read_iso_date(phrase: re.Match[str], _today: date) -> _Span:
    return _days(date.fromisoformat(phrase[1]))


def _read_near_day(phrase: re.Match[str], today: date) -> _Span:
    return _days(today - timedelta(days=phrase[1].lower() == "yesterday"))


def _read_days_ago(phrase: re.Match[str], today: date) -> _Span:
    return _days(today - timedelta(days=_count(phrase[1])))


def _read_weeks_ago(phrase: re.Match[str], today: date) -> _Span:
    """The seven days that begin N weeks before today."""
    return _days(today - timedelta(weeks=_count(phrase[1])), 7)


def _read_last_week(_phrase: re.Match[str], today: date) -> _Span:
    return _days(today - timedelta(days=today.weekday() + 7), 7)


def _saturday(today: date, weeks: int) -> date:
    """The Saturday this many weeks before the coming weekend; on a weekend, the last one is the current one."""
    return today + timedelta(days=5 - today.weekday() - 7 * (weeks - (today.weekday() >= _SATURDAY)))


def _read_last_weekend(_phrase: re.Match[str], today: date) -> _Span:
    return _days(_saturday(today, 1), 2)


def _read_weekends_ago(phrase: re.Match[str], today: date) -> _Span:
    return _days(_saturday(today, _count(phrase[1])), 2)


def _read_this_week(_phrase: re.Match[str], today: date) -> _Span:
    """From Monday to today."""
    return _days(today - timedelta(days=today.weekday()), today.weekday() + 1)


def _read_last_month(_phrase: re.Match[str], today: date) -> _Span:
    end = today.replace(day=1) - timedelta(days=1)
    return _whole_month(end.year, end.month)


def _read_weekday(phrase: re.Match[str], today: date) -> _Span:
    back = (today.weekday() - WEEKDAYS.index(phrase[1].lower())) % 7
    return _days(today - timedelta(days=back or 7))


def _read_month(phrase: re.Match[str], today: date) -> _Span:
    month = month_number(phrase[1])
    year = int(phrase[2]) if phrase[2] else today.year - (month >= today.month)
    return _whole_month(year, month)


def _read_day_and_month(phrase: re.Match[str], today: date) -> _Span:
    return _read_date(int(phrase[1]), phrase[2], phrase[3], today)


def _read_month_and_day(phrase: re.Match[str], today: date) -> _Span:
    return _read_date(int(phrase[2]), phrase[1], phrase[3], today)


def _read_date(day: int, month_name: str, year: str | None, today: date) -> _Span:
    month = month_number(month_name)
    return _days(date(int(year), month, day) if year else _latest_past(month, day, today))


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b{pattern}", re.IGNORECASE)


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], _Span]], ...]] = (
    (_form(r"(\d{4}-\d\d-\d\d)(?!\d)"), _read_iso_date),
    (_form(r"(today|yesterday)\b"), _read_near_day),
    (_form(rf"{_COUNT}\s+days?\s+ago\b"), _read_days_ago),
    (_form(rf"{_COUNT}\s+weeks?\s+ago\b"), _read_weeks_ago),
    (_form(r"last\s+week\b"), _read_last_week),
    (_form(rf"{_COUNT}\s+weekends?\s+ago\b"), _read_weekends_ago),
    (_form(r"(?:last|(?:over|at|on|during)\s+the)\s+weekend\b(?!\s+(?:of|before|after)\b)"), _read_last_weekend),
    (_form(r"earlier\s+this\s+week\b"), _read_this_week),
    (_form(r"last\s+month\b"), _read_last_month),
    (_form(rf"(?:on|last)\s+({WEEKDAY})\b"), _read_weekday),
    (_form(rf"{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?"), _read_day_and_month),
    (_form(rf"{_MONTH}\s+(?:the\s+)?{_DAY}(?:,?\s+{_YEAR})?"), _read_month_and_day),
    (
        _form(rf"(?:in|last)\s+{_MONTH}(?!\s+(?:the\s+)?(?:[12]?\d|3[01])(?:st|nd|rd|th)?\b)(?:,?\s+{_YEAR})?"),
        _read_month,
    ),
)
