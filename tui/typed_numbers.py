"""Numbers as one types them in fields that also hold unfinished ones, such as `-` or `1e`."""

from typing import Any


def typed_integer(text: str) -> Any:
    """The whole number, None if blank; what is no number stays a text, which the request refuses by its name."""
    return _typed(text, int)


def typed_float(text: str) -> Any:
    """The same for a number with a fraction."""
    return _typed(text, float)


def _typed(text: str, kind: type[int] | type[float]) -> Any:
    try:
        return kind(text) if text.strip() else None
    except ValueError:
        return text
