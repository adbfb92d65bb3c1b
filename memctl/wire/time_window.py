"""The names under which a request may bound time (contract 7.0); the daemon parses the raw values."""

from typing import Any

from pydantic import Field

from memctl.wire.base import RequestModel


class TimeWindowFields(RequestModel):
    """Both bounds with all their aliases, raw: epoch number, numeric string, ISO date or ISO datetime.

    The order of the fields of one side is the order in which they win.
    """

    from_ms: Any = None
    start_date: Any = None
    since_ms: Any = None
    after: Any = None
    from_: Any = Field(default=None, validation_alias="from", serialization_alias="from")
    since: Any = None
    to_ms: Any = None
    end_date: Any = None
    before: Any = None
    before_ms: Any = None
    to: Any = None
    until: Any = None

    def lower_bounds(self) -> dict[str, Any]:
        """The lower bounds that were sent, by wire name, the winning one first."""
        names = ("fromMs", "startDate", "sinceMs", "after", "from", "since")
        values = (self.from_ms, self.start_date, self.since_ms, self.after, self.from_, self.since)
        return _sent(names, values)

    def upper_bounds(self) -> dict[str, Any]:
        """The upper bounds that were sent, by wire name, the winning one first."""
        names = ("toMs", "endDate", "before", "beforeMs", "to", "until")
        values = (self.to_ms, self.end_date, self.before, self.before_ms, self.to, self.until)
        return _sent(names, values)


def _sent(names: tuple[str, ...], values: tuple[Any, ...]) -> dict[str, Any]:
    return {name: value for name, value in zip(names, values, strict=True) if value is not None}
