"""Values of the domain from the fields of a request; `BadRequest` for what cannot be read (contract 7.0, 17.2, 17.5)."""

from collections.abc import Mapping
from typing import Any

from memctl.wire.moments import MomentFields
from memctl.wire.time_window import TimeWindowFields
from memd.domain.dates.time_window import BoundNames, TimeWindowError, Window, parse_window
from memd.domain.periods.validity import Moment
from memd.domain.search.metadata_filter import Condition, MetadataFilterError, parse_where
from memd.errors import BadRequest


def requested_window(request: TimeWindowFields) -> Window:
    """The bounds of the request, both inclusive; `BadRequest` also for `from` after `to`."""
    try:
        return parse_window(request.bounds())
    except TimeWindowError as error:
        raise BadRequest(str(error)) from None


def known_window(window: Window, moment: Moment) -> Window:
    """The window, which ends at `known_at` at the latest."""
    if moment.known_at is None:
        return window
    return Window(window.from_ms, moment.known_at if window.to_ms is None else min(window.to_ms, moment.known_at))


def requested_moment(request: MomentFields, now: int) -> Moment:
    """The times that a question names; now (epoch ms) where it names none."""
    both = _instant("asOf", request.as_of)
    valid_at, known_at = _instant("validAt", request.valid_at), _instant("knownAt", request.known_at)
    valid_at, known_at = both if valid_at is None else valid_at, both if known_at is None else known_at
    named = valid_at is not None or known_at is not None
    return Moment(
        valid_at=now if valid_at is None else valid_at,
        known_at=known_at,
        include_ended=request.include_ended,
        is_historical=named or request.include_ended,
    )


def requested_where(where: Mapping[str, Any] | None) -> tuple[Condition, ...]:
    """The conditions of `where` on metadata."""
    try:
        return parse_where(where or {})
    except MetadataFilterError as error:
        raise BadRequest(str(error)) from None


def _instant(name: str, value: Any) -> int | None:
    """The moment that a value names; a bare date is its end."""
    try:
        return parse_window({name: value}, BoundNames(lower=(), upper=(name,))).to_ms
    except TimeWindowError as error:
        raise BadRequest(str(error)) from None
