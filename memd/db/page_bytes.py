"""Pages that are bounded in bytes, too: 200 rows of 100,000 characters would be 80 MB for one credit."""

from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

PAGE_BYTES: Final = 4_000_000
"""A page ends after this many bytes of content; it has at least one row."""


class HasContent(Protocol):
    """A row of a page."""

    @property
    def content(self) -> str:
        """Its text."""
        ...


R = TypeVar("R", bound=HasContent)


def bounded(columns: str, page: str, order: str) -> str:
    """The statement for a page and the row that follows it, of the rows of the statement `page`, which have `content`."""
    return f"""
    SELECT {columns} FROM (
      SELECT p.*, sum(octet_length(p.content)) OVER (ORDER BY {order} ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS before
      FROM ({page}) p) p
    WHERE coalesce(p.before, 0) < {PAGE_BYTES} ORDER BY {order}"""


def page_of(rows: Sequence[R], limit: int) -> tuple[Sequence[R], bool]:
    """The rows of a page, and whether others follow; `rows` has one more than the page when there are."""
    size = 0
    for index, row in enumerate(rows[:limit]):
        if size >= PAGE_BYTES:
            return rows[:index], True
        size += len(row.content.encode())
    return rows[:limit], len(rows) > limit
