"""Times as people type them: `yesterday`, `7d`; everything else is left to memd, which reads dates and times."""

import re
from datetime import datetime, time, timedelta
from typing import Final

_ABSOLUTE = re.compile(r"\s*([-+]?\d+\s*$|\d{4})")
_AGO = re.compile(r"(\d{1,5})([mhdw])")
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_DAYS: Final = {"today": 0, "yesterday": 1}


def may_be_time(text: str) -> bool:
    """Whether the text is a relative time, a number, or starts like an ISO date."""
    word = text.strip().lower()
    return word in _DAYS or bool(_AGO.fullmatch(word) or _ABSOLUTE.match(text))


def bound(text: str, now: datetime, *, end_of_day: bool) -> str:
    """A bound of time: epoch milliseconds for a relative time, the text itself otherwise.

    `now` has a time zone; a day means its first moment, or with `end_of_day` its last.
    """
    word = text.strip().lower()
    if word in _DAYS:
        day = (now - timedelta(days=_DAYS[word])).date()
        moment = datetime.combine(day, time.max if end_of_day else time.min, now.tzinfo)
    elif found := _AGO.fullmatch(word):
        moment = now - timedelta(**{_UNITS[found[2]]: int(found[1])})
    else:
        return text
    return str(int(moment.timestamp() * 1000))
