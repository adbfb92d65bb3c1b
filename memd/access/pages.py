"""Cursors of listings that are ordered by createdAt and id."""

from typing import Any
from uuid import UUID

from memd.domain.cursors import MalformedCursorError, decode_cursor, encode_cursor
from memd.errors import BadRequest


def page_cursor(listing: str, last: dict[str, Any]) -> str:
    """The cursor of the page after the row `last`."""
    return encode_cursor(listing, [last["created_at"], last["id"].hex])


def page_position(listing: str, cursor: str | None) -> tuple[int, UUID] | None:
    """Where a page begins; None for the first; `BadRequest` for a cursor of another list, user or knowledge base."""
    if not cursor:
        return None
    try:
        created_at, row_id = decode_cursor(listing, cursor)
        return int(created_at), UUID(str(row_id))
    except (MalformedCursorError, ValueError):
        raise BadRequest("Field cursor must be a cursor of this list") from None
