"""What pydantic found wrong, in one line for a person."""

from pydantic import ValidationError

_MISSING = {"missing", "missing_field"}


def first_finding(error: ValidationError) -> str:
    """The first finding, with the name of its field: `Missing required field: content`, `limit: must be …`."""
    found = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in found["loc"])
    if found["type"] in _MISSING and name:
        return f"Missing required field: {name}"
    return f"{name}: {found['msg']}" if name else found["msg"]
