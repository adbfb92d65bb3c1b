"""Names that applications give to their end users (contract 17.1)."""

import unicodedata
from typing import Final

MAX_LENGTH: Final = 128


class MalformedExternalIdError(ValueError):
    """The text is not an external id; the message says why."""


def external_id(text: str) -> str:
    """The trimmed name: 1-128 characters, compared byte for byte; `MalformedExternalIdError` for anything else.

    Control characters are refused since a header cannot carry them, and lone surrogates since UTF-8 cannot.
    """
    name = text.strip()
    if not 1 <= len(name) <= MAX_LENGTH:
        raise MalformedExternalIdError(f"must have 1 to {MAX_LENGTH} characters")
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in name):
        raise MalformedExternalIdError("must be text without control characters")
    return name
