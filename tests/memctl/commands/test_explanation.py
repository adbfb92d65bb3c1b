"""`memctl recall --explain` can be added up by hand (contract 11.2)."""

import pytest

from memctl.commands.explanation import parts_of
from memctl.wire.recall import RankingSignals


def test_parts_carry_the_weights_of_the_formula() -> None:
    signals = RankingSignals(
        vector_score=0.8,
        strength_score=1,
        freshness_score=0.5,
        access_score=0.25,
        text_match_score=1,
        graph_boost=0.05,
        source_role_score=-0.04,
    )
    parts = {part.name: part.adds for part in parts_of(signals)}
    assert parts == pytest.approx(
        {
            "vector": 0.28,
            "strength": 0.30,
            "recency": 0.10,
            "access": 0.025,
            "keyword": 0.05,
            "graph": 0.05,
            "kb role": -0.04,
        }
    )


def test_additions_of_nothing_are_left_out() -> None:
    signals = RankingSignals(vector_score=0, strength_score=0, freshness_score=0, access_score=0, text_match_score=0)
    assert [part.name for part in parts_of(signals)] == ["vector", "strength", "recency", "access", "keyword"]
