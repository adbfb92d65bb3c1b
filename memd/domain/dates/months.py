"""Names of months, those of Romance languages in order of the year and in lower case."""

from typing import Final

ABBREVIATIONS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
"""Of the English names, in order of the year."""
MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
"""A pattern for an English name or its abbreviation, to be used with `re.IGNORECASE`; it has no group."""

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
UNAMBIGUOUS_MONTHS: Final = tuple(month.lower() for month in MONTHS if month != "May")
"""The same in lower case without `may`, which is a verb."""
_SPANISH: Final = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
SPANISH_MONTHS: Final = tuple(_SPANISH.split())
_FRENCH: Final = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
FRENCH_MONTHS: Final = tuple(_FRENCH.split())
_ITALIAN: Final = "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
ITALIAN_MONTHS: Final = tuple(_ITALIAN.split())
_PORTUGUESE: Final = "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
PORTUGUESE_MONTHS: Final = tuple(_PORTUGUESE.split())


def month_number(name: str) -> int:
    """1..12 for a text that matches `MONTH`; ValueError for other text."""
    return ABBREVIATIONS.index(name[:3].lower()) + 1
