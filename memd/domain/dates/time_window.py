"""Time windows of requests: many names for two bounds, many spellings for one instant (contract 7.0).

A value is integer epoch milliseconds, a numeric string, an ISO date or an ISO datetime (without zone: UTC); a number
between 0 and 1e11 counts as seconds, a string of eight digits that is a date as that date, one of four digits from 1900
to 2099 as that year. Both bounds are inclusive.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from memctl.wire.instants import read_bound, zone_hint

DAY_MS: Final = 86_400_000
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_ENDS_AT_MIDNIGHT: Final = frozenset({"before", "beforeMs"})


@dataclass(frozen=True, slots=True)
class BoundNames:
    """The names of the lower and of the upper bound, the most specific first."""

    lower: tuple[str, ...]
    upper: tuple[str, ...]


REQUEST_BOUNDS: Final = BoundNames(
    lower=("fromMs", "startDate", "sinceMs", "after", "from", "since"),
    upper=("toMs", "endDate", "before", "beforeMs", "to", "until"),
)
"""The names that search, recent, recall and session take (contract 7.0)."""

EXPORT_BOUNDS: Final = BoundNames(
    lower=("createdAfter", "since", "fromMs", "startDate", "sinceMs", "after", "from"),
    upper=("createdBefore", "until", "toMs", "endDate", "before", "beforeMs", "to"),
)
"""The names that the export takes: those of contract 6.13 in its order, then the others of 7.0."""


@dataclass(frozen=True, slots=True)
class Window:
    """Epoch milliseconds, both inclusive; None is an open side."""

    from_ms: int | None = None
    to_ms: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether neither side is bounded."""
        return self.from_ms is None and self.to_ms is None

    def __contains__(self, timestamp: int) -> bool:
        """Whether an instant (epoch ms) is inside."""
        after = self.from_ms is None or timestamp >= self.from_ms
        return after and (self.to_ms is None or timestamp <= self.to_ms)


class TimeWindowError(ValueError):
    """A bound that cannot be read or contradicts the other; the message fits `details` of a 400 (contract 1.5)."""

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(f"Field {field} must be {expected}")
        self.field = field


def parse_window(values: Mapping[str, Any], names: BoundNames = REQUEST_BOUNDS) -> Window:
    """The window of a request; other names and None are ignored.

    Every bound that was sent must be readable; of several names of one side the first one listed wins.
    `TimeWindowError` for an unreadable value, and when the window would end before it begins.
    """
    lower = {name: _instant(name, values[name], ends_day=False) for name in names.lower if values.get(name) is not None}
    upper = {
        name: _instant(name, values[name], ends_day=name not in _ENDS_AT_MIDNIGHT)
        for name in names.upper
        if values.get(name) is not None
    }
    window = Window(next(iter(lower.values()), None), next(iter(upper.values()), None))
    if window.from_ms is not None and window.to_ms is not None and window.from_ms > window.to_ms:
        raise TimeWindowError(next(iter(lower)), f"at or before {next(iter(upper))}")
    return window


def _instant(name: str, value: Any, *, ends_day: bool) -> int:
    """The instant a value names; a bare date means its first or, with `ends_day`, its last millisecond."""
    instant = read_bound(value, ends_day=ends_day)
    if instant is None:
        raise TimeWindowError(name, f"epoch milliseconds, an ISO date or an ISO datetime{zone_hint(value)}")
    return instant
