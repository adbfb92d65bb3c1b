"""Windows of time: the names under which a request may bound them (contract 7.0; the daemon parses the raw values), and replies."""

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from memctl.wire.base import RequestModel, WireModel
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
    """Both bounds with all their aliases, raw: epoch number, numeric string, ISO date or ISO datetime."""

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

    def bounds(self) -> dict[str, Any]:
        """The bounds that were sent, by wire name."""
        return self.model_dump(by_alias=True, exclude_none=True, include=_FIELDS)


_FIELDS = set(TimeWindowFields.model_fields)


class Window(WireModel):
    """The time bounds that filtered; null is open. Older servers also filtered by a phrase of the query (`query`)."""

    from_ms: int | None = None
    to_ms: int | None = None
    window_source: Literal["request", "query", "none"] = "none"


class TemporalHint(WireModel):
    """The temporal phrase of the query and its days (epoch ms, inclusive), whose messages are lifted."""

    from_ms: int
    to_ms: int
    phrase: str
