"""Orders a memory and the reflections that were made from it (contract 11.2, originBoost).

A reflection is stronger and newer than what it repeats, so it would come first wherever both answer a question equally
well. The original says it in its own words, and a correction replaces the original.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from memd.domain.ranking.rank_score import DEFAULT_WEIGHTS, LIFT_STEP, RankedRow, RankWeights, in_order, lifted

TAG: Final = "reflection"
"""The tag of every reflection."""
EQUAL: Final = 0.15
"""The evidence by which an original may be below its reflection, whose longer title alone may add as much."""


class ReflectionSources(NamedTuple):
    """A reflection, and the memories that it was derived from."""

    id: UUID
    source_memory_ids: Sequence[UUID]


def prefer_originals(
    rows: Sequence[RankedRow], reflections: Iterable[ReflectionSources], weights: RankWeights = DEFAULT_WEIGHTS
) -> list[RankedRow]:
    """The rows in order, each original above the reflections made from it that have about the same evidence.

    A row that is lifted says by how much in `origin_boost`; the originals of a reflection keep their order.
    """
    placed = {row.candidate.id: row for row in rows}
    for reflection in reflections:
        above = placed.get(reflection.id)
        if above is None:
            continue
        originals = in_order(placed[source] for source in set(reflection.source_memory_ids) & placed.keys())
        below = [row for row in originals if row.order > above.order and _is_equal(row, above)]
        for index, row in enumerate(reversed(below), 1):
            placed[row.candidate.id] = lifted(row, above.rank_score + index * LIFT_STEP, "origin_boost", weights)
    return in_order(placed.values())


def _is_equal(original: RankedRow, reflection: RankedRow) -> bool:
    return original.signals.evidence_score >= reflection.signals.evidence_score - EQUAL
