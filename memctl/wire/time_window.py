"""The names under which a request may bound time (contract 7.0); the daemon parses the raw values."""

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from memctl.wire.base import RequestModel
from memctl.wire.instants import EARLIEST_MS, FARTHEST_MS, LATEST_MS


def _forms(first_ms: int, last_ms: int, digits: int) -> WithJsonSchema:
    """The forms of an instant from `first_ms` to `last_ms`; every number of up to `digits` digits is one."""
    forms = [
        {"type": "integer", "minimum": first_ms, "maximum": last_ms},
        {"type": "string", "pattern": f"^-?[0-9]{{1,{digits}}}$", "maxLength": digits + 1},
        {"type": "string", "format": "date"},
        {"type": "string", "format": "date-time"},
    ]
    return WithJsonSchema({"anyOf": forms}, mode="validation")


Bound = Annotated[Any, _forms(-FARTHEST_MS, FARTHEST_MS, 15)]
"""A bound of time as it was sent; the daemon reads it (contract 7.0)."""
PeriodBound = Annotated[Any, _forms(EARLIEST_MS, LATEST_MS, 13)]
"""The beginning or end of a period that is stored, as it was sent (contract 17.5)."""


class TimeWindowFields(RequestModel):
    """Both bounds with all their aliases, raw: epoch number, numeric string, ISO date or ISO datetime.

    The order of the fields of one side is the order in which they win.
    """

    from_ms: Bound = None
    start_date: Bound = None
    since_ms: Bound = None
    after: Bound = None
    from_: Bound = Field(default=None, validation_alias="from", serialization_alias="from")
    since: Bound = None
    to_ms: Bound = None
    end_date: Bound = None
    before: Bound = None
    before_ms: Bound = None
    to: Bound = None
    until: Bound = None

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
