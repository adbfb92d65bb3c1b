"""The period that a German text names (contract 17.5), in English: "seit März" is "since March".

"bis" is "until" as well as "by": it ends a statement only where the words say that something lasts, and a range only
where it follows the verb and does not describe a noun. "ab" begins one on a day whose year it names; a plan is true
before. A text of more than one clause, or with a modal verb, names no period.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memd.domain.dates.months import GERMAN_MONTHS, MONTHS
from memd.domain.dates.weekdays import ENGLISH_WEEKDAYS
from memd.domain.german.clauses import holds_in_range, is_one_german_clause, is_over_or_recurs, lasts
from memd.domain.german.days import read_day, read_end_of

_BEGUN: Final = """
    gezogen umgezogen zog zogen gewechselt wechselte wechselten angefangen begonnen begann gestartet startete starteten geworden
    geheiratet verlassen verließ gekauft kaufte kauften gegründet gründete gründeten umgestellt migriert befördert eingestellt
    beigetreten
"""
_CUES: Final = frozenset(["seit", "bis", "ab", "vom", "eröffnet", "verkauft", *_BEGUN.split()])
"""Each period has one of these words."""
_BEGINNING: Final = re.compile(
    rf"\b(?:{'|'.join(_BEGUN.split())}|(?:hat|habe|haben|wurden?)\b.{{1,80}}?\b(?:eröffnet|verkauft))\b", re.IGNORECASE
)
"""Verbs of a beginning in the past; `eröffnet` alone may be in the present tense."""
_TO_COME: Final = re.compile(r"\b(?:wird|werden|werde)\b", re.IGNORECASE)
_SINCE: Final = re.compile(r"\bseit\s+", re.IGNORECASE)
_UNTIL: Final = re.compile(r"\bbis\s+", re.IGNORECASE)
_FROM_ON: Final = re.compile(r"\bab\s+", re.IGNORECASE)
_FROM: Final = re.compile(r"\b(?:vom|von|ab)\s+", re.IGNORECASE)
_TO: Final = re.compile(r"\s+bis\s+|(?<=\d\.)[–-]", re.IGNORECASE)
_ON: Final = re.compile(r"\b(?:im|am|in|in\s+der\s+Woche\s+vom)\s+|\b(?=(?:19|20)\d\d\s+(?-i:[a-zäöü]))", re.IGNORECASE)
_LEAD: Final = re.compile(r"(?:(?:zum|zur|vom|dem|den|der|einschließlich|inklusive)\s+){1,3}", re.IGNORECASE)
_NO_COUNT: Final = (
    r"(?!\s?[€$%°]|[-.:,/]?\d|\s(?:Euro|EUR|Dollar|Personen|Leuten?|Teilnehmern?|Jahren?|Tagen?|Stunden|Minuten|Kilometern?|km|Metern?|m"
    r"|Seiten|Zeilen|Zeichen|Wörtern?|Stück|Kilo\w*|kg|Watt|kWh|kcal|Uhr|Mal|[MGT]B|ms)\b)"
)
"""After four digits: what would make them the number of something."""
_YEAR: Final = rf"(?P<year>(?:19|20)\d\d)\b{_NO_COUNT}"
_WHOLE_YEAR: Final = re.compile(rf"(?P<end>Ende\s+)?(?:Jahre?\s+)?{_YEAR}", re.IGNORECASE)
_MONTH: Final = re.compile(
    rf"(?P<end>Ende\s+)?(?P<month>{'|'.join(GERMAN_MONTHS)})\b(?:\s+{_YEAR})?(?!\s+\d)", re.IGNORECASE
)
_WEEKDAY: Final = re.compile(
    rf"(?:(?:(?P<last>letzte|vergangene)|(?P<next>nächste|kommende)|diese)[nrms]?\s+)?(?P<weekday>{'|'.join(ENGLISH_WEEKDAYS)})\b(?!,?\s+(?:de[nm]\s+)?\d)",
    re.IGNORECASE,
)
_NEAR: Final = {
    "gestern": "yesterday",
    "heute": "today",
    "morgen": "tomorrow",
    "letzte Woche": "last week",
    "letzter Woche": "last week",
    "letzten Monat": "last month",
    "letztem Monat": "last month",
}
_PASSING: Final = frozenset(_NEAR.values()) - {"today"}
_NEAR_DAY: Final = re.compile(rf"(?:{'|'.join(_NEAR)})\b")
"""`Morgen` is the morning."""
_ISO: Final = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?![\d-])")
_DAY_NUMBER: Final = re.compile(r"(?P<day>\d{1,2})\.(?=\s+bis\b|[–-])", re.IGNORECASE)
_DAY_OF_MONTH: Final = re.compile(r"\d{1,2} (?P<rest>[A-Z][a-z]+(?: \d{4})?)")
_WEEKDAY_OF_DAY: Final = re.compile(rf"\b({'|'.join(ENGLISH_WEEKDAYS)}),?\s+(?:de[nm]\s+)?(?=\d)", re.IGNORECASE)
_MONTH_NAME: Final = re.compile("|".join(MONTHS))
_MONTH_OF_YEAR: Final = re.compile(rf"(?P<month>{'|'.join(MONTHS)}) (?P<year>\d{{4}})\Z")
_DATED: Final = re.compile(r"\d{4}|yesterday|today|last")
_COUNTED: Final = re.compile(r"\s+[A-ZÄÖÜ]")
_EARLIER_YEAR: Final = re.compile(r"\s+\d{3,4}\b")
_PART_OF_A_PHRASE: Final = re.compile(
    r"\s+(?:(?:ab|an|auf|aus|be|ein|ent|er|ge|um|ver)[a-zäöüß]+te|[a-zäöüß]+(?:en|end)e)[nrms]?\s+[A-ZÄÖÜ]"
)
"""After the days of `die seit 1970 gerodete Fläche`."""
_TO_THIS_DAY: Final = "today"
"""After "bis": the statement is still true."""


class _Days(NamedTuple):
    """Days in English, and where the words that name them begin and end."""

    text: str
    start: int
    end: int

    @property
    def is_dated(self) -> bool:
        """Whether the words name the year, or lie back."""
        return _DATED.search(self.text) is not None


def german_period(text: str) -> str | None:
    """The same period in English; None if the text names none, or is in another language."""
    if _CUES.isdisjoint(text.lower().rstrip(".! ").split()):
        return None
    text = _WEEKDAY_OF_DAY.sub("", " ".join(text.split()))
    ranges, rest = _ranges(text)
    starts = _begins(rest)
    ends = [days for days in _named(_UNTIL, rest) if days.text != _TO_THIS_DAY]
    if not (ranges or starts or ends) or not is_one_german_clause(text):
        return None
    if is_over_or_recurs(text):
        ranges = [range_ for range_ in ranges if _DATED.search(range_.text)]
        ends = [days for days in ends if days.is_dated]
    if (ends and not lasts(text)) or not all(holds_in_range(range_.before, rest) for range_ in ranges):
        return None
    return " ".join([*(range_.text for range_ in ranges), *starts, *(f"until {days.text}" for days in ends)]) or None


class _Range(NamedTuple):
    """A range in English, and the German text before it."""

    text: str
    before: str


def _ranges(text: str) -> tuple[list[_Range], str]:
    """Each `von … bis …` that names days, and the text without them; `bis heute` is open, other such ends are not read."""
    found: list[_Range] = []
    rest, read = "", 0
    for cue in _FROM.finditer(text):
        start = _days_at(text, cue.end()) or _number_at(text, cue.end())
        between = _TO.match(text, start.end) if start else None
        end = _days_at(text, between.end()) if between else None
        if start and end and end.text not in _PASSING:
            goes_on = end.text == _TO_THIS_DAY
            english = f"since {start.text}" if goes_on else f"from {_of_month(start.text, end.text)} to {end.text}"
            found.append(_Range(english, text[: cue.start()]))
            rest, read = rest + text[read : cue.start()], end.end
    return found, rest + text[read:]


def _number_at(text: str, start: int) -> _Days | None:
    """The day of `3. bis 7. August`, which has no month."""
    match = _DAY_NUMBER.match(text, start)
    return match and _Days(match["day"], start, match.end())


def _of_month(start: str, end: str) -> str:
    """The beginning with the month and the year of the end, where it names none."""
    month = _DAY_OF_MONTH.match(end)
    if month and len(start) <= len("31"):
        return f"{start} {month['rest']}"
    first, last = _MONTH_NAME.search(start), _MONTH_OF_YEAR.search(end)
    if first is None or last is None or _DATED.search(start):
        return start
    return f"{start} {int(last['year']) - (MONTHS.index(first[0]) > MONTHS.index(last['month']))}"


def _begins(text: str) -> Sequence[str]:
    """`seit …`; else the day from which on something holds, or on which something began."""
    since = [f"since {days.text}" for days in _named(_SINCE, text, counted=True)]
    if since or _TO_COME.search(text):
        return since
    found = [days for days in _named(_FROM_ON, text) if days.is_dated]
    found = found or (list(_named(_ON, text)) if _BEGINNING.search(text) else [])
    return [f"began on {days.text}" for days in found]


def _named(cue: re.Pattern[str], text: str, *, counted: bool = False) -> Iterator[_Days]:
    """The days that follow each cue; a year before a noun may count what the noun names, unless `counted` is true."""
    read = 0
    for match in cue.finditer(text):
        days = _days_at(text, match.end()) if match.start() >= read else None
        if days is None or _PART_OF_A_PHRASE.match(text, days.end):
            continue
        if counted or not (days.text.isdecimal() and _COUNTED.match(text, days.end)):
            read = days.end
            yield days


def _days_at(text: str, start: int) -> _Days | None:
    """The days that the text names at a place; None where it has something else."""
    lead = _LEAD.match(text, start)
    rest = text[lead.end() if lead else start :]
    skipped = len(text) - len(rest)
    found = _day(rest) or _year(rest) or _month(rest) or _weekday(rest) or _near(rest) or _end_of(rest)
    return found and _Days(found.text, start, skipped + found.end)


def _day(text: str) -> _Days | None:
    """A day of a month; without a preposition before it, `3.8.` could be a version."""
    if iso := _ISO.match(text):
        return _Days(iso[0], 0, iso.end())
    preposition = "am "
    found = read_day(preposition + text)
    end = found.length - len(preposition) if found else 0
    return _Days(found.text, 0, end) if found and not _EARLIER_YEAR.match(text, end) else None


def _year(text: str) -> _Days | None:
    match = _WHOLE_YEAR.match(text)
    return match and _Days(_at_end(match, match["year"]), 0, match.end())


def _month(text: str) -> _Days | None:
    match = _MONTH.match(text)
    if match is None:
        return None
    month = GERMAN_MONTHS[match["month"].lower()]
    return _Days(_at_end(match, f"{month} {match['year'] or ''}".rstrip()), 0, match.end())


def _at_end(match: re.Match[str], days: str) -> str:
    return f"the end of {days}" if match["end"] else days


def _weekday(text: str) -> _Days | None:
    match = _WEEKDAY.match(text)
    if match is None:
        return None
    weekday = ENGLISH_WEEKDAYS[match["weekday"].lower()]
    which = "last " if match["last"] else "next " if match["next"] else ""
    return _Days(which + weekday, 0, match.end())


def _near(text: str) -> _Days | None:
    match = _NEAR_DAY.match(text)
    return match and _Days(_NEAR[match[0]], 0, match.end())


def _end_of(text: str) -> _Days | None:
    found = read_end_of(text)
    return None if found is None else _Days(found.text, 0, found.length)
