"""The definite things that a sentence states, and that a later sentence may correct: days, times, numbers, codes, names.

All patterns are English. They are read in short sentences only, so that their cost stays small.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from memd.domain.dates.months import MONTH, MONTHS
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.text.names import COMMON_WORDS, proper_names
from memd.domain.text.number_words import NUMBER_WORDS

MAX_READ: Final = 300
"""Characters of a sentence whose values are looked for; a longer one has none."""
MAX_NAME: Final = 60


class Sort(StrEnum):
    """The type of a value."""

    DAY = "day"
    ORDINAL = "ordinal"
    WEEKDAY = "weekday"
    NEAR = "near"
    MONTH = "month"
    CLOCK = "clock"
    CODE = "code"
    NUMBER = "number"
    NAME = "name"
    WORD = "word"
    """Any other word; a correction has to name the one that it replaces."""
    PREDICATE = "predicate"
    """The predicate of a clause about somebody: `works at Acme`."""


DATES: Final = frozenset({Sort.DAY, Sort.ORDINAL, Sort.WEEKDAY, Sort.NEAR, Sort.MONTH})
"""Types of values that can replace a date."""
TIMES: Final = DATES | {Sort.CLOCK}
_DAYS: Final = DATES - {Sort.MONTH}
_MONTH_ALONE: Final = rf"(?-i:{'|'.join(MONTHS)})(?: \d{{4}})?"
NUMBER_WORD: Final = "|".join(NUMBER_WORDS[1:])
"""A pattern without `one`, which is often a pronoun."""
_FORMS: Final = {
    Sort.DAY: (
        rf"\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}(?:,? \d{{4}})?|{MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
        r"|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d\d)"
    ),
    Sort.ORDINAL: r"(?:the )?\d{1,2}(?:st|nd|rd|th)",
    Sort.WEEKDAY: rf"(?:(?:next|this|last) )?{WEEKDAY}s?",
    Sort.NEAR: r"(?:the )?day (?:after tomorrow|before yesterday)|today|tonight|tomorrow|yesterday",
    Sort.MONTH: _MONTH_ALONE,
    Sort.CLOCK: (
        r"\d{1,2}(?:[:.]\d\d)? ?(?:[ap]m|[ap]\.m\.?|o'clock)|\d{1,2}:\d\d|noon|midnight"
        r"|(?<=\bat )\d{1,2}(?=\Z|[.,;!?)]+(?:\s|\Z)| (?:on|in|and|for|with|every|tomorrow|today|now|instead)\b)"
    ),
    Sort.CODE: (
        r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}|(?:[\w-]{1,64}\.){1,6}[a-z]{2,}(?:/[\w./-]*\w)?"
        r"|(?!I )(?-i:[A-Z]{1,5})[ -]?\d[\dA-Za-z]*(?:-[\dA-Za-z]+)*|\+?\d(?:[ /()-]?\d){6,}"
        r"|(?!\d+(?:k|m|bn|x|h|%)?(?!\w))(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]+(?:\.\d+){0,3}"
    ),
    Sort.NUMBER: (
        r"[€$£]?\d+(?:[.,]\d+)*(?: ?(?:k|m|bn|thousand|million|billion|percent)(?!\w)| ?[%€$£])?"
        rf"|{NUMBER_WORD}"
    ),
}
_VALUE: Final = re.compile(
    "|".join(rf"(?P<{sort}>(?<![\w@/])(?<!\d[.,:])(?:{form})(?!\w))" for sort, form in _FORMS.items()), re.IGNORECASE
)
_NAME: Final = re.compile(
    r"(?:(?:van|von|de|der|del|la) )?[^\W\d_a-zß-ÿ][\w'’&-]*(?: (?:(?:van|von|de|der|del|la|of) )?[^\W\d_a-zß-ÿ][\w'’&-]*){0,3}"
)
_TITLE: Final = r"(?:(?:Dr|Prof|Mrs|Mr|Ms|Mx)\.? ){1,2}"
TITLES: Final = re.compile(rf"{_TITLE}(?=[^\W\d_a-zß-ÿ])")
"""Titles before the name of a person: `Prof. Dr. `."""
_TITLED: Final = re.compile(rf"\b{_TITLE}{_NAME.pattern}")
_TO_HOUR: Final = re.compile(r",? (?:at )?")
_TO_DAY: Final = re.compile(r",? (?:on )?")
_WORD_BEFORE: Final = re.compile(r"(\w+)\W{0,3}\Z")
_UNIT: Final = re.compile(r" (?:(?:more|extra) )?([a-z]{2,})\b")
_RATE: Final = re.compile(
    r"(?: [a-z]{2,})? ((?:an?|per|each|every) (?:second|minute|hour|day|night|week|month|quarter|year|person|head|piece|kilo))\b",
    re.IGNORECASE,
)
_NO_UNITS: Final = """
    a an and are as at because but by for from had has have if in instead is it not of on or our per please so than that the then
    this to until was we were when which who will with
"""
_NO_UNIT: Final = frozenset(_NO_UNITS.split())
DAY_NUMBER: Final = re.compile(r"(?<![\d./-])(\d{1,2})(st|nd|rd|th)?(?![\d./-])", re.IGNORECASE)
"""The number of the day in the text of a day with the name of its month, and the ending of that number."""


class Value(NamedTuple):
    """A value with its place in the sentence; `before` and `unit` are the words around it, blank without one.

    `rate` is what a number is counted by: `a month` of `380 euros a month`.
    """

    sort: Sort
    text: str
    start: int
    end: int
    before: str
    unit: str
    rate: str = ""

    @property
    def key(self) -> str:
        """The same for both ways to write it: `15 July` and `July 15th`, `7 pm` and `7pm`."""
        text = self.text.lower()
        if self.sort is Sort.DAY and (found := _day_of_month(text)):
            return found
        text = re.sub(r"[\s.]", "", text) if self.sort is Sort.CLOCK else text.removeprefix("the ")
        return text.replace(",", "") if self.sort is Sort.NUMBER else text


def values_in(sentence: str) -> list[Value]:
    """The values of a sentence in order; none in a long one."""
    return sorted(_values(sentence), key=lambda value: value.start) if len(sentence) <= MAX_READ else []


def whole_value(text: str) -> Value | None:
    """The value that a text consists of, with its unit if it has one; None when there is something else."""
    found = values_in(text)
    if len(found) == 1 and not text[: found[0].start]:
        rest = text[found[0].end :].strip()
        return found[0] if rest in {"", found[0].unit, f"{found[0].unit} {found[0].rate}".strip()} else None
    name = TITLES.sub("", text, count=1)
    if all(value.sort is Sort.NAME for value in found) and len(text) <= MAX_NAME and _NAME.fullmatch(name):
        first, *others = (word.lower() for word in text.split())
        named = first not in COMMON_WORDS or (first == "new" and others)
        return Value(Sort.NAME, text, 0, len(text), "", "") if named else None
    return None


def day_and_hour(text: str) -> tuple[Value, Value] | None:
    """The day and the time of day that a text consists of, whichever comes first: `16 July at 11 am`; None for another text."""
    found = values_in(text)
    if len(found) != 2 or found[0].start or found[1].end < len(text):
        return None
    between = text[found[0].end : found[1].start]
    if found[0].sort in _DAYS and found[1].sort is Sort.CLOCK and _TO_HOUR.fullmatch(between):
        return found[0], found[1]
    if found[0].sort is Sort.CLOCK and found[1].sort in _DAYS and _TO_DAY.fullmatch(between):
        return found[1], found[0]
    return None


def _values(sentence: str) -> Iterator[Value]:
    taken: list[tuple[int, int]] = []
    for match in _VALUE.finditer(sentence):
        sort = Sort(str(match.lastgroup))
        taken.append(match.span())
        yield _value(sentence, sort, *match.span())
    titled = [match.span() for match in _TITLED.finditer(sentence) if _is_free(match, taken)]
    yield from (_value(sentence, Sort.NAME, *span) for span in titled)
    taken += titled
    for name in proper_names(sentence):
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", sentence):
            if _is_free(match, taken):
                yield _value(sentence, Sort.NAME, *match.span())


def _is_free(match: re.Match[str], taken: list[tuple[int, int]]) -> bool:
    return all(match.end() <= start or match.start() >= end for start, end in taken)


def _value(sentence: str, sort: Sort, start: int, end: int) -> Value:
    before = _WORD_BEFORE.search(sentence, max(0, start - 20), start)
    unit = _UNIT.match(sentence, end) if sort is Sort.NUMBER else None
    named = unit[1].lower() if unit and unit[1].lower() not in _NO_UNIT else ""
    rate = _RATE.match(sentence, end) if sort is Sort.NUMBER else None
    word, by = before[1].lower() if before else "", rate[1].lower() if rate else ""
    return Value(sort, sentence[start:end], start, end, word, named, by)


def _day_of_month(text: str) -> str | None:
    month, number = re.search("[a-z]{3,}", text), DAY_NUMBER.search(text)
    return f"{int(number[1])} {month[0][:3]}" if month and number else None
