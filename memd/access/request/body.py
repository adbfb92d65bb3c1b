"""Reading a request body: size first, then JSON, then the text rules of contract 1.1.3 and 1.1.9."""

import asyncio
import json
import math
from functools import partial
from typing import Any, Final, NamedTuple, NoReturn, cast

from starlette.requests import Request

from memd.access.rate_limits.body_bytes import Held
from memd.access.request.json_size import MAX_FIELD_VALUES, has_too_many_values
from memd.errors import BadRequest, BodyTooLarge, RequestTimeout
from memd.off_loop import body_in_thread, in_thread
from memd.validation import field_name

MAX_DEPTH = 64
SMALL_BYTES = 128 * 1024
SLOWEST_BYTES_PER_S: Final = 16 * 1024
"""The deadline grows by one second for this many bytes received: a large body may take long, a slow trickle may not."""
_DIGITS_OF_DOUBLE: Final = 308
"""Any integer of this many digits is in the range of a double."""
_BEYOND_DOUBLE: Final = "Invalid JSON: a number is beyond the range of a double"
_SUSPECT = (b"\\u0000", b"\\ud", b"\\uD")


async def read_bytes(request: Request, limit: int, timeout_s: float, held: Held) -> bytes:
    """The whole body, counted in `held`; `BodyTooLarge` as soon as it is known to exceed `limit` bytes.

    `RequestTimeout` when it takes longer than `timeout_s` seconds and one more for each `SLOWEST_BYTES_PER_S` received,
    or when nothing arrives for `timeout_s`. `ServerBusy` when bodies of requests in work hold too much memory.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > limit:
        raise BodyTooLarge(limit)
    parts: list[bytes] = []
    size = 0
    now = asyncio.get_running_loop().time
    end = now() + timeout_s
    try:
        async with asyncio.timeout_at(end) as deadline:
            async for part in request.stream():
                size += len(part)
                if size > limit:
                    raise BodyTooLarge(limit)
                held.add(len(part))
                parts.append(part)
                deadline.reschedule(min(end + size / SLOWEST_BYTES_PER_S, now() + timeout_s))
    except TimeoutError:
        raise RequestTimeout("The body did not arrive in time") from None
    return b"".join(parts)


class NotJson(BadRequest):
    """400: the body is not valid JSON."""


async def parse_object(raw: bytes, max_values: int = MAX_FIELD_VALUES) -> dict[str, Any]:
    """The JSON object in `raw`, `{}` when empty; large bodies are parsed off the event loop."""
    if not raw.strip():
        return {}
    value = await parse_json(raw, max_values)
    if not isinstance(value, dict):
        raise BadRequest("Invalid JSON: the body must be an object")
    await check_value(raw, value)
    return cast("dict[str, Any]", value)


async def parse_json(raw: bytes, max_values: int) -> Any:
    """The JSON value in `raw`, of any type; `NotJson` when it cannot be parsed."""
    if is_small(raw):
        return _parse(raw, max_values)
    return await body_in_thread(partial(_parse, raw, max_values), len(raw))


def is_small(raw: bytes) -> bool:
    """Whether a body may be parsed on the event loop."""
    return len(raw) <= SMALL_BYTES


async def check_value(raw: bytes, value: Any) -> None:
    """Refuse deep nesting, NUL and lone surrogates (contract 1.1.3) in the value parsed from `raw`."""
    if is_small(raw):
        _check(raw, value)
    else:
        await in_thread(_check, raw, value)


def _check(raw: bytes, value: Any) -> None:
    _check_depth(raw, value)
    _check_text(raw, value)


def _reject_constant(name: str) -> NoReturn:
    raise NotJson(f"Invalid JSON: {name} is not a JSON number")


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise NotJson(_BEYOND_DOUBLE)
    return number


def _int(digits: str) -> int:
    """The integer; one of thousands of digits takes as long as a text of a hundred thousand letters, to read and to write."""
    if len(digits) > _DIGITS_OF_DOUBLE and math.isinf(float(digits)):
        raise NotJson(_BEYOND_DOUBLE)
    return int(digits)


def _parse(raw: bytes, max_values: int) -> Any:
    if has_too_many_values(raw, max_values):
        raise NotJson(f"Invalid JSON: more than {max_values:,} values")
    try:
        text = raw.decode("utf-8")
        return json.loads(text, parse_constant=_reject_constant, parse_float=_float, parse_int=_int)
    except UnicodeDecodeError as error:
        raise NotJson(f"Invalid JSON: byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise NotJson(f"Invalid JSON: line {error.lineno} column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise NotJson(f"Invalid JSON: nested deeper than {MAX_DEPTH} levels") from None


def _check_depth(raw: bytes, value: Any) -> None:
    """Refuse deep nesting; the walk is skipped when there are too few brackets for it."""
    if raw.count(b"{") + raw.count(b"[") <= MAX_DEPTH:
        return
    level = _children([value])
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in _children(node)]
        if not level:
            return
    raise BadRequest(f"Invalid JSON: nested deeper than {MAX_DEPTH} levels")


def _children(node: Any) -> list[Any]:
    values: Any = cast("dict[str, Any]", node).values() if isinstance(node, dict) else node
    return [child for child in values if isinstance(child, (dict, list))]


def _check_text(raw: bytes, value: Any) -> None:
    """Refuse NUL and lone surrogates; only escapes can bring them in."""
    if not any(mark in raw for mark in _SUSPECT):
        return
    stack: list[tuple[_Place | None, Any]] = [(None, value)]
    while stack:
        place, node = stack.pop()
        if isinstance(node, str):
            if not _is_text(node):
                raise _not_text(f"Field {_name(place)}")
        elif isinstance(node, dict):
            items = cast("dict[str, Any]", node)
            if not all(map(_is_text, items)):  # before the values: an error about a value quotes its name
                raise _not_text("Field names" if place is None else f"Field names in {_name(place)}")
            stack.extend((_Place(place, key), child) for key, child in items.items())
        elif isinstance(node, list):
            stack.extend((_Place(place, index), child) for index, child in enumerate(cast("list[Any]", node)))


class _Place(NamedTuple):
    """Where a value of a body is: what holds it, None for the body, and its name or index in there."""

    holder: "_Place | None"
    part: str | int


def _name(place: _Place | None) -> str:
    """As in `metadata.tags[3]`; made for a refusal alone, because a name may be as long as the body."""
    parts: list[str | int] = []
    while place is not None:
        parts.append(place.part)
        place = place.holder
    return field_name(tuple(reversed(parts))) or "body"


def check_text(name: str, text: str) -> None:
    """`BadRequest` when `text` holds NUL or a lone surrogate."""
    if not _is_text(text):
        raise _not_text(f"Field {name}")


def _is_text(text: str) -> bool:
    """Whether `text` has neither NUL nor a lone surrogate."""
    return "\x00" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def _not_text(subject: str) -> BadRequest:
    return BadRequest(f"{subject} must be text without NUL or lone surrogates")
