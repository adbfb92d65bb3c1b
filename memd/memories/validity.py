"""When a memory is true: as the request says, else as its text says (contract 17.5)."""

import re
from typing import Any, Final

from memctl.wire.instants import EARLIEST_MS, LATEST_MS
from memctl.wire.memories import CaptureRequest, SupersedeRequest
from memctl.wire.updates import UpdateRequest
from memd.domain.dates.time_window import BoundNames, TimeWindowError, parse_window
from memd.domain.dates.zone import TimeZone
from memd.domain.periods.validity import Period, period_in_zone
from memd.errors import BadRequest

_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}")
_NAMES: Final = BoundNames(lower=("validFrom",), upper=("validUntil",))


def given_period(request: CaptureRequest | SupersedeRequest | UpdateRequest) -> Period | None:
    """The period that a request names; None when it names neither side. `BadRequest` for what cannot be read."""
    if request.valid_from is None and request.valid_until is None:
        return None
    named = {"validFrom": _day(request.valid_from, "01-01"), "validUntil": _day(request.valid_until, "12-31")}
    try:
        window = parse_window(named, _NAMES)
    except TimeWindowError as error:
        raise BadRequest(str(error)) from None
    for name, moment in (("validFrom", window.from_ms), ("validUntil", window.to_ms)):
        if moment is not None and not EARLIEST_MS <= moment <= LATEST_MS:
            expected = f"between {EARLIEST_MS} and {LATEST_MS}, the years 1 to 9999 in milliseconds"
            raise BadRequest(str(TimeWindowError(name, expected)))
    return Period(window.from_ms, window.to_ms)


def _day(bound: Any, day: str) -> Any:
    """The bound, or a day of it where it is the text of a year, which as a number would be a second of 1970."""
    return f"{bound.strip()}-{day}" if isinstance(bound, str) and _YEAR.fullmatch(bound.strip()) else bound


def period_of(request: CaptureRequest | SupersedeRequest, written_at: int, zone: TimeZone) -> Period:
    """The period that a request names, else the one that the text states, written at a moment (epoch ms)."""
    given = given_period(request)
    return given if given is not None else _stated(request.title, request.content, written_at, zone)


def new_period(request: UpdateRequest, stored: Period, written_at: int, zone: TimeZone) -> dict[str, int | None]:
    """The columns that an edit changes; a bound that neither the request nor its text names is unchanged.

    A bound that the request sends as null is removed.

    `BadRequest` when the request would end the period before it begins. A period in the text that would is ignored.
    """
    given = given_period(request)
    changes: dict[str, int | None] = dict.fromkeys(request.removed_sides())
    if given is None and not changes and request.content is not None:
        changes = _sides(_read(request.content, written_at, zone))
    changes |= _sides(given or Period())
    after = {"valid_from": stored.from_ms, "valid_until": stored.until_ms} | changes
    start, end = after["valid_from"], after["valid_until"]
    if start is None or end is None or start <= end:
        return changes
    if given is not None:
        raise BadRequest(str(TimeWindowError("validFrom", "at or before validUntil")))
    return {}


def _sides(named: Period) -> dict[str, int | None]:
    """The bounds of a period that are not open, by column."""
    sides = {"valid_from": named.from_ms, "valid_until": named.until_ms}
    return {name: moment for name, moment in sides.items() if moment is not None}


def _stated(title: str, content: str, written_at: int, zone: TimeZone) -> Period:
    stated = _read(content, written_at, zone)
    return stated if stated != Period() else _read(title, written_at, zone)


def _read(text: str, written_at: int, zone: TimeZone) -> Period:
    """The period that a text states; only its end if the whole period is in the future.

    "We are on vacation from 21 December to 4 January" is a plan, and true from the day it is written.
    """
    stated = period_in_zone(text, written_at, zone)
    ahead = stated.from_ms is not None and stated.from_ms > written_at
    return Period(None, stated.until_ms) if ahead and stated.until_ms is not None else stated
