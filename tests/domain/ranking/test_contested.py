"""The order of rows that contradict each other (contract 11.2, 17.5)."""

from itertools import pairwise
from uuid import UUID

import pytest

from memd.domain.ranking.contested import MAX_ROUNDS, OpenConflict, prefer_current
from memd.domain.ranking.evidence import Evidence
from memd.domain.ranking.rank_score import LIFT_STEP, Candidate, RankedRow, RankQuery, rank
from memd.domain.ranking.updates import Update
from tests.support.stored_rows import Row

NOW = 1_790_000_000_000


def ranked(count: int, step: float = 0.01) -> list[RankedRow]:
    """Rows of evidence that falls by `step`, number 0 first."""
    rows = [Row(UUID(int=number), created_at=NOW, last_accessed_at=NOW) for number in range(count)]
    candidates = [Candidate(row, evidence=Evidence(0.9 - step * row.id.int)) for row in rows]
    return rank(candidates, RankQuery(NOW))


def conflict(old: int, new: int) -> OpenConflict:
    """A conflict of two of these rows, of which the second is the newer one."""
    return OpenConflict(UUID(int=100 + old), UUID(int=old), UUID(int=new), "date", "3 March", "20 March", NOW - 1)


def numbers(rows: list[RankedRow]) -> list[int]:
    return [row.candidate.id.int for row in rows]


@pytest.mark.rule("17.5 contested rows")
def test_the_newest_of_a_chain_comes_first_and_the_others_follow_in_order() -> None:
    chain = [conflict(old, old + 1) for old in range(4)]
    assert numbers(prefer_current(ranked(6), chain, NOW)) == [4, 3, 2, 1, 0, 5]


@pytest.mark.rule("11.2 conflictBoost")
def test_a_weak_row_that_is_current_where_a_relevant_one_is_not_is_relevant() -> None:
    """Evidence .9, .6, .3, .0: below .35 a row is weak."""
    rows = ranked(4, step=0.3)
    assert [row.weak for row in rows] == [False, False, True, True]
    lifted = prefer_current(rows, (), NOW, updates=[Update(UUID(int=2), UUID(int=0))])
    assert [(row.candidate.id.int, row.weak) for row in lifted] == [(2, False), (0, False), (1, False), (3, True)]
    among_weak = prefer_current(rows, (), NOW, updates=[Update(UUID(int=3), UUID(int=2))])
    assert [(row.candidate.id.int, row.weak) for row in among_weak] == [(0, False), (1, False), (3, True), (2, True)]


@pytest.mark.rule("17.5 contested rows")
def test_before_the_change_the_older_row_stays_first() -> None:
    assert numbers(prefer_current(ranked(3), [conflict(0, 2)], NOW - 10)) == [0, 1, 2]


@pytest.mark.rule("17.5 contested rows")
def test_a_cycle_of_contradictions_ends_and_loses_no_row() -> None:
    cycle = [conflict(0, 1), conflict(1, 2), conflict(2, 0)]
    rows = ranked(5)
    found = prefer_current(rows, cycle, NOW)
    assert sorted(numbers(found)) == [0, 1, 2, 3, 4]
    assert all(first.order <= second.order for first, second in pairwise(found))
    highest = max(row.rank_score for row in found) - max(row.rank_score for row in rows)
    assert highest < 2 * LIFT_STEP * MAX_ROUNDS * len(cycle)


@pytest.mark.rule("17.5 contested rows")
@pytest.mark.parametrize(
    ("step", "query", "order"),
    [
        (0.29, "who is the host of the party?", [1, 0]),
        (0.31, "who is the host of the party?", [0, 1]),
        (0.31, "who is the host of the party on 3 march?", [1, 0]),
    ],
)
def test_a_row_with_much_less_evidence_is_lifted_where_the_query_names_a_value(
    step: float, query: str, order: list[int]
) -> None:
    assert numbers(prefer_current(ranked(2, step), [conflict(0, 1)], NOW, query=query)) == order


@pytest.mark.rule("17.5 contested rows")
def test_a_question_for_the_attribute_lifts_too() -> None:
    rows, query = ranked(2, 0.31), "when is the party?"
    assert numbers(prefer_current(rows, [conflict(0, 1)], NOW, query=query, asked=("date",))) == [1, 0]
    assert numbers(prefer_current(rows, [conflict(0, 1)], NOW, query=query, asked=("residence",))) == [0, 1]
