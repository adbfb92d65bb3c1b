"""Dates as English sentences name them: `mid-May`, `12 March 2025`, `the summer of 2024`, `2024-05`, `Monday`."""

from typing import Final

from memd.domain.dates.months import MONTH
from memd.domain.dates.weekdays import WEEKDAY

DATE: Final = (
    rf"(?:(?:early|mid|late)[ -])?(?:{MONTH}(?:\s+\d{{1,2}}(?:st|nd|rd|th)?)?(?:,?\s+\d{{4}})?|"
    rf"(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}(?:\s+\d{{4}})?|(?:19|20)\d\d(?:-\d\d){{0,2}}|{WEEKDAY}|"
    r"(?:the\s+)?(?:spring|summer|autumn|fall|winter)(?:\s+(?:of\s+)?\d{4})?)"
)
