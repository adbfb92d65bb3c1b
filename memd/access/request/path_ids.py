"""Identifiers in request paths."""

from uuid import UUID

from memd.domain.ids import MalformedIdentifierError, decode
from memd.errors import InvalidIdentifier


def path_id(prefix: str, text: str) -> UUID:
    """The row that a path names; `InvalidIdentifier` for anything but an identifier with this prefix."""
    try:
        return decode(prefix, text)
    except MalformedIdentifierError:
        raise InvalidIdentifier("id") from None
