"""How values look to a person: text without control characters, excerpts, times and bars."""

import re
from datetime import UTC, datetime

from memctl.wire.periods import left_out

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_DIRECTION_MARKS: dict[int, None] = dict.fromkeys((0x061C, 0x200E, 0x200F))
"""Invisible characters that belong in right-to-left text; a terminal does not need them."""
_JSON_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_EIGHTHS = " ▏▎▍▌▋▊▉"
DAY_MS = 86_400_000
NO_DATE = (ValueError, OverflowError, OSError)
"""The errors that `datetime` raises outside of the years 1 to 9999."""
_UNITS = (("y", 365 * 86_400), ("mo", 30 * 86_400), ("d", 86_400), ("h", 3_600), ("min", 60))


def printable(text: str) -> str:
    """The text with control and direction characters made harmless: stored text must not command the terminal."""
    return _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n").translate(_DIRECTION_MARKS))


def escaped_json(document: str) -> str:
    """A JSON document with the control and direction characters of its strings as escapes; it means the same."""
    return _JSON_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", document)


def one_line(text: str, length: int) -> str:
    """The text on one line of at most `length` characters."""
    flat = " ".join(printable(text).split())
    return flat if len(flat) <= length else f"{flat[: length - 1].rstrip()}…"


def moment(epoch_ms: int) -> str:
    """A time as local date and minute; the number itself if no calendar has it."""
    try:
        return datetime.fromtimestamp(epoch_ms / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    except NO_DATE:
        return str(epoch_ms)


def period_start(epoch_ms: int) -> str:
    """The start of a period: only the date if it is midnight, in UTC or here, as in periods read from a text."""
    if epoch_ms % DAY_MS == 0:
        return day_of(epoch_ms)
    return moment(epoch_ms)[:10] if _is_midnight(epoch_ms) else moment(epoch_ms)


def period_end(epoch_ms: int) -> str:
    """The end of a period: its last day, as in `the end of 2027-01-04`, if it ends with that day (in UTC or here)."""
    ended = ends_with_day(epoch_ms) or _is_midnight(epoch_ms)
    return f"the end of {last_day(epoch_ms)}" if ended else moment(epoch_ms)


def ends_with_day(epoch_ms: int) -> bool:
    """Whether a time is the end of a day (UTC): its last millisecond, or the midnight after it."""
    return epoch_ms % DAY_MS in {0, DAY_MS - 1}


def period(start_ms: int | None, end_ms: int | None) -> str:
    """A period in words, `from 2025-05-01 until the end of 2027-01-04`; empty if it is open on both sides."""
    start = "" if start_ms is None else f"from {period_start(start_ms)}"
    end = "" if end_ms is None else f"until {period_end(end_ms)}"
    return f"{start} {end}".strip()


def last_day(end_ms: int) -> str:
    """The last day of a period that ends with a day (in UTC or here), or else the time of its end."""
    if ends_with_day(end_ms):
        return day_of(end_ms - 1)
    return moment(end_ms - 1)[:10] if _is_midnight(end_ms) else moment(end_ms)


def _is_midnight(epoch_ms: int) -> bool:
    """Whether clocks here show midnight at a time."""
    return epoch_ms % 60_000 == 0 and moment(epoch_ms).endswith(" 00:00")


def left_out_of_recall(start_ms: int | None, end_ms: int | None, now_ms: int) -> str:
    """A warning that recall leaves out a memory with this period at this time; empty if it does not."""
    first = "" if start_ms is None else period_start(start_ms)
    last = "" if end_ms is None else last_day(end_ms)
    return left_out(start_ms, end_ms, now_ms, first=first, last=last)


def day_of(epoch_ms: int) -> str:
    """The date (UTC) of a time; the number itself if no calendar has it."""
    try:
        return datetime.fromtimestamp(epoch_ms / 1000, UTC).strftime("%Y-%m-%d")
    except NO_DATE:
        return str(epoch_ms)


def age(epoch_ms: int, now_ms: int) -> str:
    """How long ago a time was, in the largest fitting unit: `3 d`, `12 min`, `now`."""
    seconds = (now_ms - epoch_ms) / 1000
    for unit, length in _UNITS:
        if seconds >= length:
            return f"{int(seconds // length)} {unit}"
    return "now"


def bar(share: float, width: int) -> str:
    """A bar for a share within 0 and 1, to an eighth of a character."""
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[rest] if rest else "")).ljust(width)


def attribute_words(attribute: str) -> str:
    """The key of an attribute as words: `dentist-appointment` gives `dentist appointment`."""
    return attribute.replace("-", " ")


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 chunk`, `2 chunks`, `1,234 chunks`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
