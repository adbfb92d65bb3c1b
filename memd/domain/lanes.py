"""The lanes of a recall: how deep each looks, and how what they found becomes one set (contract 11.1 steps 2–5)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final
from uuid import UUID

from memd.domain.ranking import Candidate
from memd.domain.text_match import QueryTerms, memory_match

OVER_FETCH: Final = 4
RECENT_DEPTH: Final = 100


class Lane(StrEnum):
    """Where recall looks for candidates, by the names of its debug output."""

    VECTOR = "vector"
    TEXT = "text"
    RECENT = "recent"
    KB = "kb"


def vector_depth(limit: int) -> int:
    """Rows the vector lane fetches, and a chunk search over-fetches: limit × 4, within 12..80."""
    return min(80, max(12, limit * OVER_FETCH))


def text_depth(limit: int) -> int:
    """Rows the text lane fetches: limit × 4, within 20..50."""
    return min(50, max(20, limit * OVER_FETCH))


def recent_lane(newest: Iterable[Candidate], terms: QueryTerms) -> list[Candidate]:
    """Of the newest rows (at most `RECENT_DEPTH`) those that match the query's words at all (step 4)."""
    return [row for row in newest if memory_match(terms, row.title, row.content, row.tags) > 0]


def fuse(lanes: Mapping[Lane, Iterable[Candidate]]) -> list[Candidate]:
    """One candidate per id (step 5): it knows every lane that found it and keeps the best score of each arm."""
    fused: dict[UUID, Candidate] = {}
    for lane, rows in lanes.items():
        for row in rows:
            known = fused.get(row.id)
            fused[row.id] = replace(row, lanes=(lane,)) if known is None else _joined(known, row, lane)
    return list(fused.values())


def _joined(known: Candidate, found: Candidate, lane: Lane) -> Candidate:
    return replace(
        known,
        lanes=known.lanes if lane in known.lanes else (*known.lanes, lane),
        vector_score=_best(known.vector_score, found.vector_score),
        text_score=_best(known.text_score, found.text_score),
    )


def _best(left: float | None, right: float | None) -> float | None:
    if left is None or right is None:
        return right if left is None else left
    return max(left, right)
