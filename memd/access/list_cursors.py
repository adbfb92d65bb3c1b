"""Cursors of listings that are ordered by createdAt and id."""

from typing import Final
from uuid import UUID

from memctl.wire.fields import LATEST_MS
from memd.domain.cursors import MalformedCursorError, decode_cursor, encode_cursor
from memd.errors import BadRequest

NOT_OF_THIS_LIST: Final = "Field cursor must be a cursor of this list"


def page_cursor(listing: str, created_at: int, row_id: UUID) -> str:
    """The cursor of the page after a row."""
    return encode_cursor(listing, [created_at, row_id.hex])


def page_position(listing: str, cursor: str | None) -> tuple[int, UUID] | None:
    """Where a page begins; None for the first; `BadRequest` for a cursor of another list, user or knowledge base."""
    if not cursor:
        return None
    try:
        created_at, row_id = decode_cursor(listing, cursor)
        position = int(created_at), UUID(str(row_id))
    except (MalformedCursorError, ValueError, TypeError, OverflowError):
        raise BadRequest(NOT_OF_THIS_LIST) from None
    if abs(position[0]) > LATEST_MS:
        raise BadRequest(NOT_OF_THIS_LIST)
    return position
