"""The ordinary memories that a recall weighs, each once, in the order in which they were found."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from memd.recall.lane_store import FoundMemory


class Pooled(NamedTuple):
    """A found memory, its keyword score, and its cosine, None without a vector of the query or of the row."""

    found: FoundMemory
    text_match: float
    cosine: float | None


@dataclass(frozen=True, slots=True)
class Pool:
    """The rows, and the position of each id among them."""

    rows: list[Pooled] = field(default_factory=list[Pooled])
    places: dict[UUID, int] = field(default_factory=dict[UUID, int])

    def add(self, found: Iterable[FoundMemory], cosines: Iterable[float | None], text_matches: Iterable[float]) -> None:
        """Add rows that are not in the pool yet."""
        for row, cosine, text_match in zip(found, cosines, text_matches, strict=True):
            self.places[row.id] = len(self.rows)
            self.rows.append(Pooled(row, text_match, cosine))
