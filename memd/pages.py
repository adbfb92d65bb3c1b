"""Cutting rows into the pages in which they are embedded and written."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")


def in_pages(rows: Sequence[T], size: int) -> list[Sequence[T]]:
    """The rows in pages of at most `size`; the last one has a quarter of that, since nothing is embedded while it is written."""
    count = len(rows)
    last = size // 4 if count > size // 4 else 0
    bounds = sorted({0, *range(count - last, 0, -size), count})
    return [rows[start:end] for start, end in pairwise(bounds)]
