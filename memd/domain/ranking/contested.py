"""Orders rows that contradict each other until the conflict is resolved (contract 11.2, conflictBoost)."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from memd.domain.ranking.rank_score import DEFAULT_WEIGHTS, LIFT_STEP, RankedRow, RankWeights, in_order, lifted
from memd.domain.ranking.updates import Update

NEAR: Final = 0.3
"""A row whose evidence is less by more than that is lifted only for a question that names one of the values or asks for the
attribute: any other one is about something else that the other row says."""
MAX_ROUNDS: Final = 10
"""Conflicts about several attributes may form a cycle, which no order satisfies."""


class OpenConflict(NamedTuple):
    """An open conflict of two memories; `new_since` is when the newer one became true (epoch ms)."""

    id: UUID
    old_id: UUID
    new_id: UUID
    attribute: str
    old_value: str
    new_value: str
    new_since: int

    def preferred(self, valid_at: int) -> tuple[UUID, UUID]:
        """The memory that was true at a moment, then the other one; the newer one unless it became true later."""
        return (self.new_id, self.old_id) if self.new_since <= valid_at else (self.old_id, self.new_id)

    def is_meant(self, query: str, asked: Collection[str]) -> bool:
        """Whether a query names one of the two values, or asks for the attribute."""
        values = (self.old_value, self.new_value)
        return self.attribute in asked or any(value.casefold() in query.casefold() for value in values)


def without_overtaken(conflicts: Sequence[OpenConflict]) -> list[OpenConflict]:
    """The conflicts without those whose memories are both contradicted by a third, newer one, as in a chain of changes.

    The order of rows as of a past moment still needs them all.
    """
    pairs = {(one.old_id, one.new_id, one.attribute) for one in conflicts}
    later: dict[tuple[UUID, str], list[UUID]] = {}
    for old_id, new_id, attribute in pairs:
        later.setdefault((old_id, attribute), []).append(new_id)
    return [
        one
        for one in conflicts
        if not any(
            (one.old_id, new_id, one.attribute) in pairs for new_id in later.get((one.new_id, one.attribute), ())
        )
    ]


def prefer_current(
    rows: Sequence[RankedRow],
    conflicts: Iterable[OpenConflict],
    valid_at: int,
    weights: RankWeights = DEFAULT_WEIGHTS,
    query: str = "",
    asked: Collection[str] = (),
    *,
    updates: Iterable[Update] = (),
) -> list[RankedRow]:
    """The rows in order, each row that was true at the moment above those that contradict it and the query is about.

    `asked` are the attributes that the query asks for; `updates` say the same of memories without a conflict, and nothing
    where the two have one. A row that is lifted says by how much in `conflict_boost`. Nothing moves when the rows are in
    that order already.
    """
    conflicts = list(conflicts)
    placed = {row.candidate.id: row for row in rows}
    preferred = ((conflict, *conflict.preferred(valid_at)) for conflict in conflicts)
    pairs = [
        (better, other)
        for conflict, better, other in preferred
        if better in placed
        and other in placed
        and (conflict.is_meant(query, asked) or _evidence(placed[other]) - _evidence(placed[better]) <= NEAR)
    ]
    known = {frozenset((one.old_id, one.new_id)) for one in conflicts}
    pairs += [(one.newer, one.older) for one in updates if frozenset(one) not in known]
    for _ in range(MAX_ROUNDS):  # a lifted row may have to be overtaken by another one
        moved = [_lift(placed, better, other, weights) for better, other in pairs]
        if not any(moved):
            break
    return in_order(placed.values())


def _evidence(row: RankedRow) -> float:
    return row.candidate.evidence.total


def _lift(placed: dict[UUID, RankedRow], better: UUID, other: UUID, weights: RankWeights) -> bool:
    """Put `better` right above `other` unless it is above it; returns whether it was moved.

    It is as relevant as the other one, though it may have other words.
    """
    row, above = placed[better], placed[other]
    if row.weak and not above.weak:
        row = placed[better] = row._replace(above_relevant=True)
    if row.order < above.order:
        return False
    placed[better] = lifted(row, above.rank_score + LIFT_STEP, "conflict_boost", weights)
    return True
