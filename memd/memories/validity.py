"""When a memory is true: as the request says, else as its text says (contract 17.5)."""

from typing import Final

from memctl.wire.memories import CaptureRequest, SupersedeRequest, UpdateRequest
from memd.domain.time_window import BoundNames, TimeWindowError, parse_window
from memd.domain.validity import Period, stated_period
from memd.errors import BadRequest

_NAMES: Final = BoundNames(lower=("validFrom",), upper=("validUntil",))


def given_period(request: CaptureRequest | SupersedeRequest | UpdateRequest) -> Period | None:
    """The period that a request names; None when it names neither side. `BadRequest` for what cannot be read."""
    if request.valid_from is None and request.valid_until is None:
        return None
    try:
        window = parse_window({"validFrom": request.valid_from, "validUntil": request.valid_until}, _NAMES)
    except TimeWindowError as error:
        raise BadRequest(str(error)) from None
    return Period(window.from_ms, window.to_ms)


def period_of(request: CaptureRequest | SupersedeRequest, written_at: int) -> Period:
    """The period that a request names, else the one that the text states, written at a moment (epoch ms)."""
    given = given_period(request)
    return given if given is not None else _stated(request.title, request.content, written_at)


def new_period(request: UpdateRequest, content: str | None, written_at: int) -> dict[str, int | None]:
    """The columns that an edit changes; new text without a period leaves the stored one as it is."""
    period = given_period(request)
    if period is None and content is not None:
        period = stated_period(content, written_at)
    sides = {} if period is None else {"valid_from": period.from_ms, "valid_until": period.until_ms}
    return {name: moment for name, moment in sides.items() if moment is not None}


def _stated(title: str, content: str, written_at: int) -> Period:
    stated = stated_period(content, written_at)
    return stated if stated != Period() else stated_period(title, written_at)
