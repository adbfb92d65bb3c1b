"""JSON values whose form is not known."""

from typing import Any, cast


def fields(value: Any) -> dict[str, Any]:
    """An object unchanged, anything else as an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """A list unchanged, anything else as an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []
