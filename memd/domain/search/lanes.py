"""The lanes of a recall: how deep each looks, and which of them a row is in (contract 11.1 steps 2–5)."""

from enum import StrEnum
from typing import Final

OVER_FETCH: Final = 4
RECENT_DEPTH: Final = 100


class Lane(StrEnum):
    """Where recall looks for candidates, by the names of its debug output."""

    VECTOR = "vector"
    TEXT = "text"
    RECENT = "recent"
    KB = "kb"
    CONTEXT = "context"


_LANES: Final = {
    (by_vector, by_text, by_recent): (Lane.VECTOR,) * by_vector + (Lane.TEXT,) * by_text + (Lane.RECENT,) * by_recent
    for by_vector in (False, True)
    for by_text in (False, True)
    for by_recent in (False, True)
}


def vector_depth(limit: int) -> int:
    """Rows the vector lane fetches, and a chunk search over-fetches: limit × 4, within 12..80, but never less than limit."""
    return max(limit, min(80, max(12, limit * OVER_FETCH)))


def text_depth(limit: int) -> int:
    """Rows the text lane fetches: limit × 4, within 20..50."""
    return min(50, max(20, limit * OVER_FETCH))


def lanes_of(*, by_vector: bool, by_text: bool, by_recent: bool) -> tuple[Lane, ...]:
    """The lanes that found a row (step 5); a neighbour of a hit (11.2, context) that none of them found has its own."""
    return _LANES[by_vector, by_text, by_recent] or (Lane.CONTEXT,)
