"""A day as people write it, which memories carry so that "yesterday" can be resolved later; and how long ago something was."""

from datetime import timedelta
from typing import Final

from memd.domain.dates.time_window import DAY_MS, EPOCH

_LAST_DAY: Final = 2_932_896
_FIRST_DAY: Final = -719_162
_MINUTE_MS: Final = 60_000
_UNITS: Final = (("day", DAY_MS), ("hour", 60 * _MINUTE_MS), ("minute", _MINUTE_MS))


def day_text(timestamp: int) -> str:
    """`8 May 2023` for a time of that day (epoch ms; of an instant, in UTC), bounded by the years 1–9999."""
    day = EPOCH + timedelta(days=min(max(timestamp // DAY_MS, _FIRST_DAY), _LAST_DAY))
    return f"{day.day} {day:%B} {day.year}"


def iso_day(timestamp: int) -> str:
    """`2023-05-08` for a time of that day, bounded like `day_text`."""
    day = EPOCH + timedelta(days=min(max(timestamp // DAY_MS, _FIRST_DAY), _LAST_DAY))
    return day.date().isoformat()


def clock_time(timestamp: int) -> str:
    """`13:56` for a time of that minute (epoch ms)."""
    hour, minute = divmod(timestamp % DAY_MS // _MINUTE_MS, 60)
    return f"{hour:02}:{minute:02}"


def ago_text(timestamp: int, now: int) -> str:
    """How long before `now` an instant was (both epoch ms), in whole units: `just now`, `12 minutes ago`, `1 day ago`."""
    passed = now - timestamp
    for unit, length in _UNITS:
        if passed >= length:
            count = passed // length
            return f"{count} {unit}{'s' * (count > 1)} ago"
    return "just now"
