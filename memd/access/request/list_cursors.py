"""Cursors of listings: the position of the next page, encoded in the text that a client sends back."""

from collections.abc import Callable
from typing import Final, TypeAlias, TypeVar
from uuid import UUID

from memctl.wire.instants import FARTHEST_MS
from memd.domain.cursors import decode_cursor, encode_cursor
from memd.errors import BadRequest

P = TypeVar("P")
Values: TypeAlias = list[str | float]
_NOT_OF_THIS_LIST: Final = "Field cursor must be a cursor of this list"


def page_cursor(listing: str, moment: int, row_id: UUID) -> str:
    """The cursor of the page after a row, in a list that is ordered by a time and id."""
    return encode_cursor(listing, [moment, row_id.hex])


def page_position(listing: str, cursor: str | None) -> tuple[int, UUID] | None:
    """Where a page of a list begins that is ordered by a time and id; see `read_position`."""
    return read_position(listing, cursor, _time_and_id)


def id_cursor(listing: str, row_id: UUID) -> str:
    """The cursor of the page after a row, in a list that is ordered by id."""
    return encode_cursor(listing, [row_id.hex])


def id_position(listing: str, cursor: str | None) -> UUID | None:
    """Where a page of a list begins that is ordered by id; see `read_position`."""
    return read_position(listing, cursor, _id)


def read_position(listing: str, cursor: str | None, read: Callable[[Values], P]) -> P | None:
    """Where a page begins, as `read` makes it of the values of the cursor; None for the first page.

    `BadRequest` for a cursor of another list, user or knowledge base, or with values for which `read` raises ValueError,
    TypeError or OverflowError.
    """
    if not cursor:
        return None
    try:
        return read(decode_cursor(listing, cursor))
    except (ValueError, TypeError, OverflowError):
        raise BadRequest(_NOT_OF_THIS_LIST) from None


def as_time(value: str | float) -> int:
    """A value of a cursor as a time (epoch ms); ValueError for one that no row has."""
    time = int(value)
    if abs(time) > FARTHEST_MS:
        raise ValueError(value)
    return time


def _time_and_id(values: Values) -> tuple[int, UUID]:
    moment, row_id = values
    return as_time(moment), UUID(str(row_id))


def _id(values: Values) -> UUID:
    (row_id,) = values
    return UUID(str(row_id))
