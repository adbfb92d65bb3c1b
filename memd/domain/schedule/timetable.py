"""When scheduled work is due: at an interval in seconds, or once a day at a time (UTC).

Times of both kinds are fixed slots: an interval counts from the epoch, so that every replica and every start of the
service means the same moments. Work that was missed shows as one slot that is due, however many were missed.
"""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from memd.domain.dates.time_window import DAY_MS

_DAILY: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
_SECONDS: Final = re.compile(r"[1-9]\d{0,6}")


@dataclass(frozen=True, slots=True)
class Every:
    """At an interval in seconds, counted from the epoch."""

    seconds: int

    def slot(self, now: int) -> int:
        """The latest due moment at `now` or before; both epoch ms."""
        length = self.seconds * 1000
        return now // length * length

    def after(self, now: int) -> int:
        """The first due moment after `now`; both epoch ms."""
        return self.slot(now) + self.seconds * 1000


@dataclass(frozen=True, slots=True)
class Daily:
    """Once a day, at this time (UTC)."""

    hour: int
    minute: int

    def slot(self, now: int) -> int:
        """The latest due moment at `now` or before; both epoch ms."""
        offset = (self.hour * 60 + self.minute) * 60_000
        return (now - offset) // DAY_MS * DAY_MS + offset

    def after(self, now: int) -> int:
        """The first due moment after `now`; both epoch ms."""
        return self.slot(now) + DAY_MS

    @property
    def text(self) -> str:
        """`04:30`, as it is written in settings."""
        return f"{self.hour:02}:{self.minute:02}"


When: TypeAlias = Every | Daily


def parse_when(text: str) -> When:
    """A number of seconds, or a time of day `HH:MM`; ValueError for anything else."""
    daily = _DAILY.fullmatch(text.strip())
    if daily:
        return Daily(int(daily[1]), int(daily[2]))
    if _SECONDS.fullmatch(text.strip()):
        return Every(int(text))
    raise ValueError(f"Neither a number of seconds nor a time HH:MM: {text!r}")
