"""JSON values whose form is not known."""

from typing import Any, cast


def object_of(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
