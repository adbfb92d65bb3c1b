"""What extraction writes around words: a heading with who spoke on which day, or the day at the end (contract 11.6)."""

import re
from datetime import date
from typing import Final, NamedTuple

from memd.domain.dates.calendar_day import day_text
from memd.domain.dates.months import MONTHS, month_number
from memd.domain.dates.time_window import DAY_MS, EPOCH

HEADING: Final = re.compile(
    rf"\A(?P<speaker>[^\W\d_][^:()\n]{{0,99}}) \((?P<day>\d{{1,2}}) (?P<month>{'|'.join(MONTHS)}) (?P<year>\d{{4}})\): (?=\S)"
)
"""At the beginning of a memory: `User (27 November 2026): `."""
_SAID_ON: Final = re.compile(r" \(\d{1,2} [A-Z][a-z]+ \d{1,4}\)\.\Z")


class Spoken(NamedTuple):
    """The words that were said, without their heading, and when (local time, epoch ms)."""

    words: str
    at: int


def heading(speaker: str, timestamp: int) -> str:
    """`Caroline (8 May 2023): `, the day of a local time in epoch ms."""
    return f"{speaker} ({day_text(timestamp)}): "


def spoken(text: str, written_at: int) -> Spoken:
    """The words after a heading with the beginning of its day; a text without one was said when it was written."""
    found = HEADING.match(text)
    if found is None:
        return Spoken(text, written_at)
    words = text[found.end() :]
    try:
        day = date(int(found["year"]), month_number(found["month"]), int(found["day"]))
    except ValueError:  # such as 31 February
        return Spoken(words, written_at)
    return Spoken(words, (day - EPOCH.date()).days * DAY_MS)


def without_day(statement: str) -> str:
    """The words of a statement, without ` (27 November 2026).` at its end."""
    return _SAID_ON.sub("", statement)
