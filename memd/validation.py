"""Turns pydantic's findings into the `details` texts of contract 1.5."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

_TYPES = {
    "string_type": "a string",
    "int_type": "an integer",
    "float_type": "a number",
    "bool_type": "a boolean",
    "list_type": "an array",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}
"""The expected JSON type by pydantic's error type; our own field types name it in their context."""


def details_of(error: ValidationError, whole: str = "") -> str:
    """The details text of the first finding, in the order of the model's fields; `whole` names what holds the fields."""
    found = error.errors(include_url=False, include_input=False)[0]
    context = found.get("ctx", {})
    location = found["loc"] or (() if context.get("field") else (whole,))
    return _text(found["type"], location, context)


def invalid_chunk_of(error: ValidationError) -> tuple[int, str] | None:
    """Index (from 0) and details of the chunk that the first finding is about; None when it is about something else."""
    found = error.errors(include_url=False, include_input=False)[0]
    location = found["loc"]
    if len(location) < 2 or location[0] != "chunks" or not isinstance(location[1], int):
        return None
    return location[1], _text(found["type"], location[2:] or ("chunk",), found.get("ctx", {}))


def _text(kind: str, location: tuple[int | str, ...], context: Mapping[str, Any]) -> str:
    """The details text of one finding; `context["field"]` names a field that a rule over several fields is about."""
    name = field_name((*location, context["field"]) if context.get("field") else location)
    if kind in _TYPES:
        return f"Field {name} must be {_TYPES[kind]}"
    render = _TEXTS.get(kind)
    return render(name, context) if render else f"Field {name} is not valid"


def field_name(location: tuple[int | str, ...]) -> str:
    """`("chunks", 3, "metadata", "title")` as `chunks[3].metadata.title`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return "".join(parts).removeprefix(".")


def _missing(name: str, _context: Mapping[str, Any]) -> str:
    return f"Missing required field: {name}"


def _one_of(name: str, context: Mapping[str, Any]) -> str:
    """Pydantic lists the values as `'a', 'b' or 'c'`."""
    allowed: str = ", ".join(re.findall(r"'([^']*)'", context["expected"]))
    return f"Field {name} must be one of: {allowed}"


def _too_long(name: str, context: Mapping[str, Any]) -> str:
    return f"Field {name} exceeds maximum length of {context['max_length']} characters"


def _too_short(name: str, context: Mapping[str, Any]) -> str:
    characters = "character" if context["min_length"] == 1 else "characters"
    return f"Field {name} must have at least {context['min_length']} {characters}"


def _too_many_bytes(name: str, context: Mapping[str, Any]) -> str:
    return f"Field {name} exceeds maximum length of {context['max_length']} bytes"


def _too_many_items(name: str, context: Mapping[str, Any]) -> str:
    return f"Field {name} exceeds maximum length of {context['max_length']} items"


def _between(name: str, context: Mapping[str, Any]) -> str:
    return f"Field {name} must be between {context['low']} and {context['high']}"


_TEXTS: dict[str, Callable[[str, Mapping[str, Any]], str]] = {
    "missing": _missing,
    "missing_field": _missing,
    "blank_query": lambda _name, _context: "Query must not be empty",
    "json_type": lambda name, context: f"Field {name} must be {context['expected']}",
    "enum": _one_of,
    "literal_error": _one_of,
    "string_too_long": _too_long,
    "string_too_short": _too_short,
    "too_many_bytes": _too_many_bytes,
    "too_many_items": _too_many_items,
    "too_long": _too_many_items,
    "out_of_range": _between,
    "string_pattern_mismatch": lambda name, context: f"Field {name} must match {context['pattern']}",
    "identifier": lambda name, _context: f"Invalid identifier: {name}",
    "refused": lambda _name, context: str(context["text"]),
}
