"""The time window that a request asks for (contract 7.0)."""

from memctl.wire.messages import TemporalHint
from memctl.wire.messages import Window as WireWindow
from memctl.wire.time_window import TimeWindowFields
from memd.domain.temporal import TemporalPhrase
from memd.domain.time_window import TimeWindowError, Window, parse_window
from memd.errors import BadRequest


def requested_window(request: TimeWindowFields) -> Window:
    """The bounds of the request, both inclusive; `BadRequest` for one that cannot be read and for `from` after `to`."""
    try:
        return parse_window(request.lower_bounds() | request.upper_bounds())
    except TimeWindowError as error:
        raise BadRequest(str(error)) from None


def is_open(window: Window) -> bool:
    """Whether neither side is bounded."""
    return window.from_ms is None and window.to_ms is None


def wire_window(window: Window) -> WireWindow:
    """The bounds that were really used; only a request sets any."""
    source = "none" if is_open(window) else "request"
    return WireWindow(from_ms=window.from_ms, to_ms=window.to_ms, window_source=source)


def temporal_hint(phrase: TemporalPhrase | None) -> TemporalHint | None:
    """The temporal phrase of a query as replies name it."""
    return TemporalHint(from_ms=phrase.from_ms, to_ms=phrase.to_ms, phrase=phrase.text) if phrase else None
