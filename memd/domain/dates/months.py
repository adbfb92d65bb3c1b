"""English names of months and their abbreviations, and the German names."""

from typing import Final

_NAMES: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
"""A pattern for one of them, to be used with `re.IGNORECASE`; it has no group."""

GERMAN_MONTHS: Final = {
    "januar": "January",
    "jänner": "January",
    "februar": "February",
    "märz": "March",
    "april": "April",
    "mai": "May",
    "juni": "June",
    "juli": "July",
    "august": "August",
    "september": "September",
    "oktober": "October",
    "november": "November",
    "dezember": "December",
}
"""Their English names by their German ones, in order of the year."""

MONTHS: Final = tuple(dict.fromkeys(GERMAN_MONTHS.values()))
"""The English names in order of the year."""


def month_number(name: str) -> int:
    """1..12 for a text that matches `MONTH`; ValueError for other text."""
    return _NAMES.index(name[:3].lower()) + 1
