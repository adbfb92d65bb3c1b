"""English names of weekdays."""

from typing import Final

WEEKDAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
"""A pattern for one of them, to be used with `re.IGNORECASE`; it has no group."""
