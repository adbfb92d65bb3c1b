"""Times as one types them in fields: the period of a memory, also as a change of it is reported, and bounds of a search."""

from datetime import UTC, datetime
from typing import Final

import click

from memctl.options import WHEN
from memctl.text import DAY_MS, NO_DATE, day_of, ends_with_day, left_out_of_recall, period

_SINCE: Final = click.Option(["--since"])
_UNTIL: Final = click.Option(["--until"])
_BEGIN: Final = click.Option(["--valid-from"])
_END: Final = click.Option(["--valid-until"])


def typed_start(start_ms: int | None) -> str:
    """The beginning of a period as one types it: a date if it is midnight (UTC); empty if there is none."""
    if start_ms is None:
        return ""
    return _exact(start_ms) if start_ms % DAY_MS else day_of(start_ms)


def typed_end(end_ms: int | None) -> str:
    """The end of a period as one types it: its last day if it ends with that day (UTC); empty if there is none."""
    if end_ms is None:
        return ""
    return day_of(end_ms - 1) if ends_with_day(end_ms) else _exact(end_ms)


def read_start(text: str) -> str | None:
    """The typed beginning as a request takes it, None if blank; raises ValueError naming the accepted forms."""
    return _read(text, _BEGIN)


def read_end(text: str) -> str | None:
    """The same for the end: a day or a week ends with its last moment."""
    return _read(text, _END)


def read_since(text: str) -> str | None:
    """The earlier bound of a search as a request takes it, None if blank; raises ValueError for what is no time."""
    return _read(text, _SINCE)


def read_until(text: str) -> str | None:
    """The same for the later bound: a day or a week ends with its last moment."""
    return _read(text, _UNTIL)


def period_notice(start_ms: int | None, end_ms: int | None, now_ms: int) -> str:
    """`true until the end of 2027-01-04`, and that recall leaves the memory out if it does; empty without a period."""
    named, left_out = period(start_ms, end_ms), left_out_of_recall(start_ms, end_ms, now_ms)
    return "; ".join(part for part in (named and f"true {named}", left_out) if part)


def _read(text: str, option: click.Option) -> str | None:
    if not text.strip():
        return None
    try:
        return WHEN.convert(text.strip(), option, None)
    except click.BadParameter as error:
        raise ValueError(error.message) from None


def _exact(epoch_ms: int) -> str:
    try:
        moment = datetime.fromtimestamp(epoch_ms / 1000, UTC)
    except NO_DATE:
        return str(epoch_ms)
    spec = "milliseconds" if epoch_ms % 1000 else "seconds" if epoch_ms % 60_000 else "minutes"
    return moment.replace(tzinfo=None).isoformat(timespec=spec)
