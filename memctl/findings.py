"""Validation errors of pydantic, in one line for a person."""

import re
from collections.abc import Mapping
from textwrap import shorten

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from memctl.wire.ids import MalformedIdentifierError, decode

SHOWN = 60
"""Characters of a value that a finding quotes."""
NOT_AN_ID = "is not a valid identifier"
_KINDS = {
    "mem": "a memory",
    "msg": "a message",
    "kb": "a knowledge base",
    "conf": "a conflict",
    "snap": "a snapshot",
    "ckpt": "a checkpoint",
    "key": "a key",
    "usr": "a user",
}
"""What the ids that memctl prints belong to, by their prefixes."""
_MISSING = {"missing", "missing_field"}
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED = range(0xDC80, 0xDD00)
"""The surrogates that Python reads bytes as that are not UTF-8: 0xdc00 and the byte (PEP 383)."""
_CAPITAL = re.compile(r"(?<=[a-z])([A-Z])")


def first_finding(error: ValidationError, names: Mapping[str, str] | None = None) -> str:
    """The first finding, with the name of its field: `Missing required field: content`, `limit: must be …`.

    `names` are those of the fields on the command line: `--limit: must be …`. There, an identifier is known by its value.
    """
    found = error.errors(include_url=False)[0]
    path = [str(part) for part in found["loc"]]
    name = _named(path, names or {})
    is_given = names is not None and isinstance(found["input"], str)
    if found["type"] == "blank_query" and is_given:
        return f"{name} must not be empty"
    if found["type"] in _MISSING and name:
        return f"{name} must not be empty" if is_given else f"Missing required field: {name}"
    text = _problem_text(found)
    if found["type"] == "identifier" and names is not None:
        return text
    return f"{name}: {text}" if name else text


def wrong_value(error: ValueError, names: Mapping[str, str]) -> str | None:
    """The message about a wrong value of the command line or of standard input; None where the error has another cause."""
    if isinstance(error, ValidationError):
        return first_finding(error, names)
    if isinstance(error, UnicodeDecodeError):
        return _not_utf_8(error.object[error.start])
    if not isinstance(error, UnicodeEncodeError) or not _SURROGATE.match(error.object, error.start):
        return None
    code = ord(error.object[error.start])
    return _not_utf_8(code & 0xFF) if code in _ESCAPED else "the text holds half of a character"


def _not_utf_8(byte: int) -> str:
    return f"the text is not UTF-8, as its byte 0x{byte:02x} shows; convert it first: iconv -f latin1 -t utf-8"


def invalid_identifier(value: str) -> str:
    """The error for a value that is not an identifier, or one of another kind, which it names."""
    quoted = repr(shorten(value, SHOWN))
    prefix = value.partition("_")[0]
    try:
        decode(prefix, value)
    except MalformedIdentifierError:
        return f"{quoted} {NOT_AN_ID}"
    kind = _KINDS.get(prefix)
    return f"{quoted} is the id of {kind}: here it {NOT_AN_ID}" if kind else f"{quoted} {NOT_AN_ID}"


def _problem_text(found: ErrorDetails) -> str:
    match found["type"]:
        case "identifier":
            return invalid_identifier(str(found["input"]))
        case "string_too_long":
            maximum = found.get("ctx", {})["max_length"]
            return f"has {len(found['input']):,} characters; at most {maximum:,} are allowed"
        case _:
            return found["msg"]


def _named(path: list[str], names: Mapping[str, str]) -> str:
    """The field in the words of the command line, or else its path in the request."""
    field = _CAPITAL.sub(lambda capital: f"_{capital[1].lower()}", path[0]) if path else ""
    return names.get(field, ".".join(path)).strip("[]")
