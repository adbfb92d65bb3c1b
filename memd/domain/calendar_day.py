"""A day as people write it; what memories carry so that "yesterday" can be resolved later."""

from datetime import timedelta
from typing import Final

from memd.domain.time_window import DAY_MS, EPOCH

_LAST_DAY: Final = 2_932_896
_FIRST_DAY: Final = -719_162


def day_text(at: int) -> str:
    """`8 May 2023` for an instant of that day (epoch ms, UTC); what lies outside the years 1–9999 counts as their end."""
    day = EPOCH + timedelta(days=min(max(at // DAY_MS, _FIRST_DAY), _LAST_DAY))
    return f"{day.day} {day:%B} {day.year}"


def iso_day(at: int) -> str:
    """`2023-05-08` for an instant of that day, bounded like `day_text`."""
    day = EPOCH + timedelta(days=min(max(at // DAY_MS, _FIRST_DAY), _LAST_DAY))
    return day.date().isoformat()
