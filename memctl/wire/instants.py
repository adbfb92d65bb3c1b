"""Instants as requests write them: epoch milliseconds, seconds, ISO dates and datetimes (contract 1.1.1, 7.0)."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

EARLIEST_MS: Final = -62_135_596_800_000
"""The first millisecond of the year 1 (UTC)."""
LATEST_MS: Final = 253_402_300_799_999
"""The last millisecond of the year 9999 (UTC), the last that ISO text and most calendars can name."""
FARTHEST_MS: Final = 8_640_000_000_000_000
"""The last instant of the calendar of JavaScript; clients send it for "no bound"."""
_DAY_MS: Final = 86_400_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_SECONDS_BELOW: Final = 100_000_000_000
SECONDS_OF_THIS_CENTURY: Final = range(946_684_800, 4_102_444_800)
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,20}")
_BASIC_DATE: Final = re.compile(r"(?:19|20)[0-9]{6}")
_ZONE_WITH_BLANK: Final = re.compile(r"[0-9] [0-9]{2}:?[0-9]{2}\Z")
_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}")


def read_bound(value: Any, *, ends_day: bool) -> int | None:
    """The instant (epoch ms) that a bound of time means, None for what is not one.

    A bare date is its first or, with `ends_day`, its last millisecond, and so is a year from 1900 to 2099 as text; eight
    digits that are a date are that date.
    """
    if isinstance(value, str) and _YEAR.fullmatch(value.strip()):
        value = f"{value.strip()}-12-31" if ends_day else f"{value.strip()}-01-01"
    try:
        instant = _number(value) if _is_number(value) else read_iso(value, ends_day=ends_day)
    except (ValueError, OverflowError):
        return None
    return None if instant is None or abs(instant) > FARTHEST_MS else instant


def read_iso(value: Any, *, ends_day: bool = False) -> int | None:
    """The instant (epoch ms) of an ISO date or datetime; None for what is neither."""
    text = value.strip() if isinstance(value, str) else ""
    if _NUMBER.fullmatch(text) and not _BASIC_DATE.fullmatch(text):
        return None  # datetime would read 1712121200000 as a day in 1712
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return _of_datetime(text)
    start = to_ms(datetime(day.year, day.month, day.day, tzinfo=UTC))
    return start + _DAY_MS - 1 if ends_day else start


def zone_hint(value: Any) -> str:
    """What the refusal of a value adds if it seems to be a datetime whose "+" was sent in a URL as it is: a blank."""
    with_blank = isinstance(value, str) and _ZONE_WITH_BLANK.search(value) is not None
    return "; in a URL the + of a time zone is written %2B" if with_blank else ""


def to_ms(moment: datetime) -> int:
    """Epoch milliseconds of an aware datetime, rounded down."""
    return (moment - _EPOCH) // _MILLISECOND


def looks_like_seconds(value: Any) -> bool:
    """Whether a number is a time of this century in seconds: as milliseconds it would be early in 1970."""
    if not isinstance(value, int | float):
        return False
    seconds = SECONDS_OF_THIS_CENTURY  # `in` would count up to a float
    return seconds.start <= value < seconds.stop


def exact(epoch_ms: int) -> int | str:
    """A stored time as a request must write it: as ISO text if its number would be refused as one of seconds."""
    if not looks_like_seconds(epoch_ms):
        return epoch_ms
    return _iso(epoch_ms)


def exact_bound(epoch_ms: int) -> int | str:
    """An instant as a bound must write it: as ISO text if its number would be read as seconds (contract 7.0)."""
    return _iso(epoch_ms) if 0 < epoch_ms < _SECONDS_BELOW else epoch_ms


def _iso(epoch_ms: int) -> str:
    return (_EPOCH + epoch_ms * _MILLISECOND).isoformat(timespec="milliseconds")


def _of_datetime(text: str) -> int | None:
    try:
        moment = datetime.fromisoformat(text)
        return to_ms(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return _NUMBER.fullmatch(value.strip()) is not None and read_iso(value) is None
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _number(value: float | str) -> int | None:
    """Milliseconds; small positive numbers are seconds. None for a fraction."""
    if isinstance(value, float) and not value.is_integer():
        return None
    number = int(value)
    return number * 1000 if 0 < number < _SECONDS_BELOW else number
