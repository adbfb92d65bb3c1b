"""The order of memories and the reflections that were made from them (contract 11.2 originBoost)."""

from uuid import UUID

import pytest

from memd.domain.ranking.evidence import Evidence
from memd.domain.ranking.originals import EQUAL, ReflectionSources, prefer_originals
from memd.domain.ranking.rank_score import LIFT_STEP, Candidate, RankedRow, RankQuery, rank
from tests.support.stored_rows import Row

NOW = 1_790_000_000_000
REFLECTION, ORIGINAL, OTHER, SUMMARY = range(1, 5)

pytestmark = pytest.mark.rule("11.2 originBoost")


def ranked(**evidence: float) -> list[RankedRow]:
    numbers = {"reflection": REFLECTION, "original": ORIGINAL, "other": OTHER, "summary": SUMMARY}
    candidates = [
        Candidate(Row(UUID(int=numbers[name]), created_at=NOW, last_accessed_at=NOW), evidence=Evidence(total))
        for name, total in evidence.items()
    ]
    return rank(candidates, RankQuery(NOW))


def made(reflection: int, *originals: int) -> ReflectionSources:
    return ReflectionSources(UUID(int=reflection), [UUID(int=one) for one in originals])


def order(rows: list[RankedRow]) -> list[int]:
    return [row.candidate.id.int for row in rows]


def test_the_original_comes_right_above_its_reflections() -> None:
    rows = ranked(reflection=0.8, original=0.7, other=0.79, summary=0.75)
    found = prefer_originals(rows, [made(REFLECTION, ORIGINAL), made(SUMMARY, ORIGINAL)])
    assert order(found) == [ORIGINAL, REFLECTION, OTHER, SUMMARY]
    assert found[0].rank_score - found[1].rank_score == pytest.approx(LIFT_STEP, rel=1e-3)
    assert found[0].signals.origin_boost == pytest.approx(rows[0].rank_score - rows[3].rank_score + LIFT_STEP)
    assert [row.signals.origin_boost for row in found[1:]] == [None] * 3


def test_originals_of_one_reflection_keep_their_order() -> None:
    strengths = {REFLECTION: (0.8, 1.0), ORIGINAL: (0.75, 1.0), OTHER: (0.76, 0.1)}
    candidates = [
        Candidate(
            Row(UUID(int=number), created_at=NOW, last_accessed_at=NOW, strength=strength), evidence=Evidence(total)
        )
        for number, (total, strength) in strengths.items()
    ]
    rows = rank(candidates, RankQuery(NOW))
    assert order(rows) == [REFLECTION, ORIGINAL, OTHER]
    assert order(prefer_originals(rows, [made(REFLECTION, OTHER, ORIGINAL)])) == [ORIGINAL, OTHER, REFLECTION]


@pytest.mark.parametrize(
    ("evidence", "reflections"),
    [
        ({"reflection": 0.8, "original": 0.8 - EQUAL - 0.01}, [made(REFLECTION, ORIGINAL)]),
        ({"reflection": 0.8, "other": 0.7}, [made(REFLECTION, ORIGINAL)]),
        ({"original": 0.8, "reflection": 0.7}, [made(REFLECTION, ORIGINAL)]),
        ({"reflection": 0.8, "original": 0.7}, [made(SUMMARY, ORIGINAL)]),
        ({"reflection": 0.8, "original": 0.7}, []),
    ],
    ids=["answers worse", "another row", "first already", "of another reflection", "no reflection"],
)
def test_other_rows_keep_their_order(evidence: dict[str, float], reflections: list[ReflectionSources]) -> None:
    rows = ranked(**evidence)
    assert prefer_originals(rows, reflections) == rows
