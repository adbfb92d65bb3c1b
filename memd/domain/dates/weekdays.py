"""English and German names of weekdays."""

from typing import Final

WEEKDAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
"""A pattern for an English one, to be used with `re.IGNORECASE`; it has no group."""
BEFORE_DATE: Final = rf"(?:{WEEKDAY}|(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b\.?),?\s+\(?"
"""The same for one before the date of its day, also abbreviated: `Friday, `, `Fri `, `Friday (`."""
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
"""In the order of `date.weekday()`."""
GERMAN_WEEKDAYS: Final = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
"""In the same order."""
ENGLISH_WEEKDAYS: Final = {
    **{german: english.capitalize() for german, english in zip(GERMAN_WEEKDAYS, WEEKDAYS, strict=True)},
    "sonnabend": "Saturday",
}
"""The English names by the German ones, with the second name of Saturday."""
