"""A window on a long history of messages that moves both ways and never holds more than KEPT of them.

memd gives the newest messages of a stretch of time (contract 7.3). Going back that is enough: ask for what lies before
the oldest one. Going forward a `Probe` finds a stretch that holds at most a page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from memctl.wire.messages import MessageRow

PAGE = 100
KEPT = 300


@dataclass(slots=True)
class Timeline:
    """The messages in the window, oldest first, and whether anything lies beyond either end."""

    rows: list[MessageRow] = field(default_factory=list[MessageRow])
    at_start: bool = False
    at_end: bool = False

    def begin(self, page: Sequence[MessageRow], *, full: bool) -> None:
        """Start with the newest page."""
        self.rows = list(page)
        self.at_start, self.at_end = not full, True

    def before(self) -> int | None:
        """The upper bound for going back, epoch ms."""
        return self.rows[0].timestamp if self.rows else None

    def after(self) -> int | None:
        """The lower bound for going forward, epoch ms."""
        return self.rows[-1].timestamp if self.rows else None

    def extend_back(self, page: Sequence[MessageRow], *, full: bool) -> int:
        """Prepend earlier messages and drop the newest beyond the limit; returns the number of added messages."""
        fresh = self._unseen(page)
        self.rows = fresh + self.rows
        self.at_start = not full
        if len(self.rows) > KEPT:
            self.rows, self.at_end = self.rows[:KEPT], False
        return len(fresh)

    def extend_forward(self, page: Sequence[MessageRow], *, at_end: bool) -> int:
        """Append later messages and drop the oldest beyond the limit; returns the number of added messages."""
        fresh = self._unseen(page)
        self.rows += fresh
        self.at_end = at_end
        if len(self.rows) > KEPT:
            self.rows, self.at_start = self.rows[-KEPT:], False
        return len(fresh)

    def _unseen(self, page: Sequence[MessageRow]) -> list[MessageRow]:
        known = {row.id for row in self.rows}
        return [row for row in page if row.id not in known]

    def pace(self) -> int:
        """About how many milliseconds a page of messages spans here."""
        if len(self.rows) < 2:
            return 3_600_000
        return max((self.rows[-1].timestamp - self.rows[0].timestamp) * PAGE // len(self.rows), 1_000)


@dataclass(slots=True)
class Probe:
    """Looks for a stretch of time from `start` on that holds new messages, but less than a page of them; epoch ms."""

    start: int
    now: int
    span: int

    @property
    def window(self) -> tuple[int, int | None]:
        """The stretch to ask for, bounds included; the last one is open, since clocks differ."""
        return self.start, None if self.at_end else self.start + self.span

    @property
    def at_end(self) -> bool:
        """Whether the stretch reaches the present."""
        return self.start + self.span >= self.now

    def accept(self, returned: int, fresh: int) -> bool:
        """Whether the answer will do; if not, the stretch is another one. `fresh` counts messages not seen before."""
        if returned >= PAGE and self.span > 0:
            self.span = min(self.span, max(self.now - self.start, 0)) // 2
            return False
        if fresh or self.at_end:
            return True
        self.start, self.span = self.start + self.span + 1, self.span * 4 + 1
        return False
