"""German days and times, rewritten as in English: `3. Mai 2026` and `03.05.2026` are `3 May 2026`, `9 Uhr 30` is `9:30`."""

import re
from typing import Final, NamedTuple

from memd.domain.dates.months import GERMAN_MONTHS, MONTHS
from memd.domain.dates.weekdays import ENGLISH_WEEKDAYS

READ_CHARACTERS: Final = 240
"""Characters of a text in which a day is looked for."""
_WEEKDAY: Final = "|".join(ENGLISH_WEEKDAYS)
_LEAD: Final = (
    rf"(?P<lead>(?:am|auf|bis(?:\s+zum)?|zum|der|den|dem|spätestens|{_WEEKDAY}|(?:mo|di|mi|do|fr|sa|so)\.),?\s+\(?)"
)
_ISO_DAY: Final = re.compile(rf"{_LEAD}{{1,4}}(?P<day>(?:19|20)\d\d-\d\d-\d\d)\b", re.IGNORECASE)
_DAY: Final = re.compile(
    rf"{_LEAD}{{0,4}}(?P<day>\d{{1,2}})\.\s?"
    rf"(?:(?P<number>\d{{1,2}})\.|(?P<month>{'|'.join(GERMAN_MONTHS)})\b)(?:\s?(?P<year>(?:19|20)\d\d)\b)?(?![\d.]*\d)",
    re.IGNORECASE,
)
_ON_WEEKDAY: Final = re.compile(rf"(?:(?:am|auf|bis|den)\s+){{1,2}}(?P<weekday>{_WEEKDAY})\b", re.IGNORECASE)
_NEXT_WEEKDAY: Final = re.compile(
    rf"(?:(?:am|bis|zum)\s+){{0,2}}(?:nächste|kommende)[nr]?\s+(?P<weekday>{_WEEKDAY})\b", re.IGNORECASE
)
_TIME: Final = re.compile(
    r"(?:(?:um|auf|gegen)\s+)?(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?\s?Uhr(?:\s(?P<past>\d\d))?\b", re.IGNORECASE
)
_BEFORE_DAY: Final = re.compile(
    r"\b(?:vor\s+(?=de[mnr]\s)|(?=(?:am|bis|zum|spätestens|(?:nächste|kommende)[nr]?)\s))", re.IGNORECASE
)
_DISTANT: Final = re.compile(
    r"\b(?:(?P<today>heute)(?!\s+auf\s+morgen)"
    r"|(?<!heute auf )(?<!tag )(?<!woch )(?<!abend )(?<!jeden )(?<!gestern )(?<!heute )(?:(?P<tomorrow>(?-i:morgen))|(?P<after>übermorgen))"
    r"|(?P<week>(?:nächste|kommende)[nr]?\s+Woche))\b|(?:^|[.!]\s+)(?P<first>(?-i:Morgen))\s(?=[a-zäöü])",
    re.IGNORECASE,
)
"""A day by its distance; `Morgen` is the morning, unless it begins a sentence, and so is `Freitag morgen`."""
_NEAR: Final = {
    "today": "today",
    "tomorrow": "tomorrow",
    "first": "tomorrow",
    "after": "the day after tomorrow",
    "week": "next week",
}


_END_OF: Final = re.compile(
    r"(?:zum\s+)?(?:Ende\s+(?:(?P<next>(?:des|der)\s+nächsten|nächster|nächsten)|des|der|dieser|dieses|diesen)\s+"
    r"(?P<unit>Woche|Monats|Quartals|Jahres)|(?P<short>Monats|Quartals|Jahres)ende)\b",
    re.IGNORECASE,
)
_UNITS: Final = {"woche": "week", "monats": "month", "quartals": "quarter", "jahres": "year"}


class Read(NamedTuple):
    """A day or time in English, and the length of the words that name it."""

    text: str
    length: int


def read_day(text: str) -> Read | None:
    """The day with which a text begins; `16.2.` without a preposition may be a version."""
    if iso := _ISO_DAY.match(text):
        return Read(iso["day"], iso.end())
    match = _DAY.match(text)
    if match is None:
        return None
    number = int(match["number"] or 0)
    if match["number"] and not (1 <= number <= len(MONTHS) and (match["lead"] or match["year"])):
        return None
    month = MONTHS[number - 1] if match["number"] else GERMAN_MONTHS[match["month"].lower()]
    return Read(f"{int(match['day'])} {month} {match['year'] or ''}".rstrip(), match.end())


def read_weekday(text: str) -> Read | None:
    """The day of the week with which a text begins, after a preposition."""
    match = _ON_WEEKDAY.match(text)
    return match and Read(ENGLISH_WEEKDAYS[match["weekday"].lower()], match.end())


def read_end_of(text: str) -> Read | None:
    """The end of a calendar week, month, quarter or year with which a text begins."""
    match = _END_OF.match(text)
    if match is None:
        return None
    unit = _UNITS[(match["unit"] or match["short"]).lower()]
    return Read(f"the end of {'next' if match['next'] else 'the'} {unit}", match.end())


def read_time(text: str) -> Read | None:
    """The time of day with which a text begins."""
    match = _TIME.match(text)
    return match and Read(f"{int(match['hour'])}:{match['minute'] or match['past'] or '00'}", match.end())


def coming_day(text: str) -> str | None:
    """The first day of a German text after a preposition, else by its distance: `bis zum 3. Mai` is `by 3 May`."""
    opening = text[:READ_CHARACTERS]
    for cue in _BEFORE_DAY.finditer(opening):
        rest = text[cue.end() : cue.end() + READ_CHARACTERS]
        if found := read_day(rest) or read_weekday(rest) or read_end_of(rest.removeprefix("bis ")):
            return f"by {found.text}"
        if coming := _NEXT_WEEKDAY.match(rest):
            return f"by next {ENGLISH_WEEKDAYS[coming['weekday'].lower()]}"
    near = _DISTANT.search(opening)
    return _NEAR[near.lastgroup] if near and near.lastgroup else None
