"""Time zones: the local time of an instant, and back.

A *local time* is a number of epoch milliseconds at which clocks in UTC show what the clocks of the zone show at an
instant. Texts name days and times of day by these clocks, so periods are read, and days written, as local times; what is
stored is an instant.
"""

from dataclasses import dataclass
from datetime import UTC, timedelta, timezone
from typing import Final
from zoneinfo import ZoneInfo

from memd.domain.dates.time_window import DAY_MS, EPOCH

_MILLISECOND: Final = timedelta(milliseconds=1)
_ENDS_OF_DAY: Final = frozenset({0, DAY_MS - 1})


@dataclass(frozen=True, slots=True)
class TimeZone:
    """A zone by its IANA name, such as `Europe/Berlin`; ValueError for a name that is none."""

    name: str = "UTC"

    def __post_init__(self) -> None:
        """Refuse a name that is not in the database of time zones."""
        try:
            self._clocks()
        except (KeyError, ValueError, OSError):  # OSError: of a folder, such as `Europe`
            raise ValueError(f"there is no time zone {self.name}: use an IANA name, such as Europe/Berlin") from None

    def __str__(self) -> str:
        """Its name."""
        return self.name

    def local(self, instant: int) -> int:
        """The local time of an instant; in years that have no calendar, the instant."""
        try:
            moment = (EPOCH + instant * _MILLISECOND).astimezone(self._clocks())
        except OverflowError:
            return instant
        return instant + (moment.utcoffset() or timedelta()) // _MILLISECOND

    def local_end(self, end: int | None) -> int | None:
        """The local time at which a period ends; None if it does not.

        A period that ends with a day in UTC, as dates in requests are read, ends with the same day here. One that ends
        with a day here ends at midnight, even if clocks skip the hour before or after it.
        """
        if end is None:
            return None
        if end % DAY_MS in _ENDS_OF_DAY:
            return -(-end // DAY_MS) * DAY_MS
        shown = self.local(end)
        return shown if shown % DAY_MS == 0 else self.local(end - 1) + 1

    def instant(self, local: int) -> int:
        """The first instant of a local time; of one that clocks skip, the instant by the clocks before they do."""
        try:
            moment = (EPOCH + local * _MILLISECOND).replace(tzinfo=self._clocks())
            return local - (moment.utcoffset() or timedelta()) // _MILLISECOND
        except OverflowError:
            return local

    def last_instant(self, local: int) -> int:
        """The instant before the first one of the next millisecond, for the end of a day on which clocks are set back."""
        return self.instant(local + 1) - 1

    def _clocks(self) -> ZoneInfo | timezone:
        """The rules of the zone, which `zoneinfo` caches; UTC needs no database."""
        return UTC if self.name == "UTC" else ZoneInfo(self.name)


UTC_ZONE: Final = TimeZone()
"""The zone of everybody who names none."""
