"""Decides which of two statements about the same attribute is current (contract 17.5, decision 33).

A statement without a period was true when it was recorded. What was recorded later replaces what was recorded earlier,
unless its own time is clearly earlier: it had already ended when it was recorded, or it describes an event from long ago.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from memd.domain.dates.time_window import DAY_MS

OLD_EVENT_MS: Final = 2 * 365 * DAY_MS
"""An event this long before the earlier record is history rather than news. A bare year counts from its first day."""


class DatedStatement(NamedTuple):
    """When something was recorded, the period that it states (epoch ms), and whether its words state a change.

    `place` orders statements that were recorded at the same time.
    """

    recorded_at: int
    valid_from: int | None = None
    valid_until: int | None = None
    changed: bool = False
    place: int = 0

    @property
    def since(self) -> int:
        """The time when it became true, or when it was recorded if that is unknown."""
        return self.recorded_at if self.valid_from is None else self.valid_from

    @property
    def had_ended(self) -> bool:
        """Whether it describes something that had already ended when it was recorded."""
        return self.valid_until is not None and self.valid_until <= self.recorded_at


def replaces(later: DatedStatement, earlier: DatedStatement) -> bool:
    """Whether the statement that was recorded later is the newer one of the two."""
    if later.had_ended != earlier.had_ended:
        return earlier.had_ended
    if later.valid_from is not None and earlier.valid_from is not None:
        return later.valid_from >= earlier.valid_from
    if later.valid_from is None:
        return earlier.since <= later.recorded_at
    return not later.changed or later.valid_from >= earlier.recorded_at - OLD_EVENT_MS


def is_backdated(newer: DatedStatement, older: DatedStatement) -> bool:
    """Whether only the order of recording makes `newer` the newer one: it begins before the other was recorded as true."""
    return newer.valid_from is not None and older.valid_from is None and newer.valid_from < older.recorded_at


def current(statements: Iterable[DatedStatement]) -> DatedStatement | None:
    """The statement that is current after all have been recorded; None without any."""
    newest: DatedStatement | None = None
    for one in sorted(statements, key=lambda each: (each.recorded_at, each.place)):
        if newest is None or replaces(one, newest):
            newest = one
    return newest
