"""Jumps of the system clock, told by a clock that nobody can set (docs/outages.md).

Jobs that delete by age wait while the system clock is ahead of where it should be: until it is right again, or until
memd has run for a grace period and takes it for right.
"""

from typing import Final, NamedTuple

from memd.domain.time_window import DAY_MS

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS
TOLERANCE_MS: Final = 5 * MINUTE_MS
"""A clock that is set by less is only being corrected, and a machine may take as long to start again."""
SET_GRACE_MS: Final = DAY_MS
"""Running time until a clock that was set is taken for right."""
OFF_GRACE_MS: Final = HOUR_MS
"""The same where the machine may just have been switched off meanwhile."""
COUNTED_MS: Final = MINUTE_MS
"""Of the time between two looks at the clock, at most so much is running time; memd looks every half minute."""


class Uptime(NamedTuple):
    """Time on a clock that nobody can set: `ms` since the machine started. `boot` identifies that start."""

    boot: str
    ms: int


class ClockSeen(NamedTuple):
    """The system clock at a look: `now` (epoch ms) and the uptime in `boot` and `uptime_ms`.

    `ahead_ms` is how far it is ahead (behind, when negative) of where it should be; 0 when it is taken for right. After
    `grace_ms` of running time it is, and `ran_ms` of these have passed.
    """

    now: int
    boot: str
    uptime_ms: int
    ahead_ms: int = 0
    grace_ms: int = 0
    ran_ms: int = 0

    @property
    def holds_deletion(self) -> bool:
        """Whether jobs that delete by age wait."""
        return self.ahead_ms > 0

    @property
    def text(self) -> str | None:
        """What is wrong with the clock and what follows, in one sentence; None when it is taken for right."""
        if self.ahead_ms == 0:
            return None
        left = _duration(self.grace_ms - self.ran_ms)
        if self.ahead_ms < 0:
            return f"set back by {_duration(-self.ahead_ms)}; new rows carry its times until it is set right"
        ahead = _duration(self.ahead_ms)
        off = f"{ahead} ahead of when memd last ran (the machine was off, or the clock was set)"
        found = off if self.grace_ms == OFF_GRACE_MS else f"set ahead by {ahead}"
        return f"{found}; nothing is deleted by age for {left} of running time, or until the clock is set right"


def look(before: ClockSeen | None, now: int, uptime: Uptime) -> ClockSeen:
    """The clock as seen now, given the last look; the first look takes it for right."""
    if before is None:
        return ClockSeen(now, *uptime)
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
        return ClockSeen(now, *uptime)
    return ClockSeen(now, *uptime, ahead, grace, ran)


def _beyond_tolerance(ms: int) -> int:
    return ms if abs(ms) >= TOLERANCE_MS else 0


def _duration(ms: int) -> str:
    return f"{round(ms / HOUR_MS)} h" if ms >= 2 * HOUR_MS else f"{max(1, round(ms / MINUTE_MS))} min"
