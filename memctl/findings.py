"""What pydantic found wrong, in one line for a person."""

import re
from collections.abc import Mapping

from pydantic import ValidationError

_MISSING = {"missing", "missing_field"}
_CAPITAL = re.compile(r"(?<=[a-z])([A-Z])")


def first_finding(error: ValidationError, names: Mapping[str, str] | None = None) -> str:
    """The first finding, with the name of its field: `Missing required field: content`, `limit: must be …`.

    `names` are those of the fields on the command line: `--limit: must be …`.
    """
    found = error.errors(include_url=False)[0]
    path = [str(part) for part in found["loc"]]
    name = _named(path, names or {})
    if found["type"] in _MISSING and name:
        return f"Missing required field: {name}"
    return f"{name}: {found['msg']}" if name else found["msg"]


def _named(path: list[str], names: Mapping[str, str]) -> str:
    """The field in the words of the command line, or else its path in the request."""
    field = _CAPITAL.sub(lambda capital: f"_{capital[1].lower()}", path[0]) if path else ""
    return names.get(field, ".".join(path))
