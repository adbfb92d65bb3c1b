"""Validation errors of pydantic, in one line for a person."""

import re
from collections.abc import Mapping
from textwrap import shorten

from pydantic import ValidationError
from pydantic_core import ErrorDetails

SHOWN = 60
"""Characters of a value that a finding quotes."""
_MISSING = {"missing", "missing_field"}
_CAPITAL = re.compile(r"(?<=[a-z])([A-Z])")


def first_finding(error: ValidationError, names: Mapping[str, str] | None = None) -> str:
    """The first finding, with the name of its field: `Missing required field: content`, `limit: must be …`.

    `names` are those of the fields on the command line: `--limit: must be …`. There, an identifier is known by its value.
    """
    found = error.errors(include_url=False)[0]
    path = [str(part) for part in found["loc"]]
    name = _named(path, names or {})
    if found["type"] in _MISSING and name:
        is_given = names is not None and isinstance(found["input"], str)
        return f"{name} must not be empty" if is_given else f"Missing required field: {name}"
    text = _problem_text(found)
    if found["type"] == "identifier" and names is not None:
        return text
    return f"{name}: {text}" if name else text


def invalid_identifier(value: str) -> str:
    """The error for a value that is not an identifier, or one of another kind."""
    return f"{shorten(value, SHOWN)!r} is not a valid identifier"


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
