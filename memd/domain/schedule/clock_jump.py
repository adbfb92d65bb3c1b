"""Detects jumps of the system clock by comparing it with the uptime, which is monotonic (docs/outages.md).

Jobs that delete by age are held while the system clock is ahead: until it is correct again, or until a grace period of
running time is over and the clock is trusted.
"""

from typing import Final, NamedTuple

from memd.domain.dates.time_window import DAY_MS

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS
TOLERANCE_MS: Final = 5 * MINUTE_MS
"""A smaller difference is an ordinary correction, or the time that the machine took to reboot."""
SET_GRACE_MS: Final = DAY_MS
"""Running time after which a clock that was set is trusted."""
OFF_GRACE_MS: Final = HOUR_MS
"""The same when the machine may simply have been off."""
COUNTED_MS: Final = MINUTE_MS
"""The most running time counted between two checks of the clock; memd checks every 30 seconds."""


class Uptime(NamedTuple):
    """Monotonic time: `ms` since the machine booted. `boot` identifies that boot."""

    boot: str
    ms: int


class ClockState(NamedTuple):
    """The system clock as of its last check: `now` (epoch ms), and the uptime at that time in `boot` and `uptime_ms`.

    `ahead_ms` is how far the clock is ahead of the expected time (negative: behind); 0 when it is trusted. It is trusted
    again after `grace_ms` of running time, of which `ran_ms` have passed.
    """

    now: int
    boot: str
    uptime_ms: int
    ahead_ms: int = 0
    grace_ms: int = 0
    ran_ms: int = 0

    @property
    def holds_deletion(self) -> bool:
        """Whether jobs that delete by age are held."""
        return self.ahead_ms > 0

    @property
    def text(self) -> str | None:
        """A sentence that names the fault of the clock and memd's reaction; None when the clock is trusted."""
        if self.ahead_ms == 0:
            return None
        grace_left = _duration(self.grace_ms - self.ran_ms)
        if self.ahead_ms < 0:
            return f"set back by {_duration(-self.ahead_ms)}; new rows get its timestamps until it is corrected"
        ahead = _duration(self.ahead_ms)
        off = f"{ahead} ahead of when memd last ran (the machine was off, or the clock was set)"
        found = off if self.grace_ms == OFF_GRACE_MS else f"set ahead by {ahead}"
        return f"{found}; nothing is deleted by age for {grace_left} of running time, or until the clock is corrected"


def next_state(before: ClockState | None, now: int, uptime: Uptime) -> ClockState:
    """The state at this check, given that of the one before; the first check trusts the clock."""
    if before is None:
        return ClockState(now, *uptime)
    same_boot = uptime.boot == before.boot
    passed = max(0, uptime.ms - before.uptime_ms) if same_boot else 0
    jump = _beyond_tolerance(now - before.now - passed)
    ahead = _beyond_tolerance(before.ahead_ms + jump)
    grace, ran = before.grace_ms, before.ran_ms + min(passed, COUNTED_MS)
    if before.ahead_ms == 0:
        grace, ran = 0, 0
    if jump:
        grace = max(grace, SET_GRACE_MS if same_boot else OFF_GRACE_MS)
    if ahead == 0 or ran >= grace:
        return ClockState(now, *uptime)
    return ClockState(now, *uptime, ahead, grace, ran)


def _beyond_tolerance(ms: int) -> int:
    return ms if abs(ms) >= TOLERANCE_MS else 0


def _duration(ms: int) -> str:
    return f"{round(ms / HOUR_MS)} h" if ms >= 2 * HOUR_MS else f"{max(1, round(ms / MINUTE_MS))} min"
