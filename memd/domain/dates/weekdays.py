"""Names of weekdays, of each language in the order of `date.weekday()` and in lower case."""

from typing import Final

WEEKDAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
"""A pattern for an English one, to be used with `re.IGNORECASE`; it has no group."""
BEFORE_DATE: Final = rf"(?:{WEEKDAY}|(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b\.?),?\s+\(?"
"""The same for one before the date of its day, also abbreviated: `Friday, `, `Fri `, `Friday (`."""
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
GERMAN_WEEKDAYS: Final = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
SPANISH_WEEKDAYS: Final = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")
FRENCH_WEEKDAYS: Final = ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")
ITALIAN_WEEKDAYS: Final = ("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica")
PORTUGUESE_WEEKDAYS: Final = (
    "segunda-feira",
    "terça-feira",
    "quarta-feira",
    "quinta-feira",
    "sexta-feira",
    "sábado",
    "domingo",
)
"""Those with `-feira` are also called by their first part alone."""
ENGLISH_WEEKDAYS: Final = {
    **{german: english.capitalize() for german, english in zip(GERMAN_WEEKDAYS, WEEKDAYS, strict=True)},
    "sonnabend": "Saturday",
}
"""The English names by the German ones, with the second name of Saturday."""
