"""`memctl recall --explain` can be added up by hand (contract 11.2)."""

import pytest

from memctl.commands.explanation import parts_of
from memctl.wire.recall import RankingSignals

SIGNALS = RankingSignals(
    vector_score=0.8,
    strength_score=1,
    freshness_score=0.5,
    access_score=0.25,
    text_match_score=1,
    base_score=0.755,
    evidence_score=1.05,
    word_score=0.9,
    pair_score=0.5,
    name_score=1,
    context_score=0.05,
    graph_boost=0.05,
    source_role_score=-0.04,
)
NOTHING = RankingSignals(vector_score=0, strength_score=0, freshness_score=0, access_score=0, text_match_score=0)


def test_parts_carry_the_weights_of_the_formula() -> None:
    parts = parts_of(SIGNALS, 4.0)
    assert {part.name: part.adds for part in parts if not part.inner} == pytest.approx(
        {"evidence": 0.84, "base": 0.151, "graph": 0.01, "kb role": -0.008}
    )
    assert {part.name: part.adds for part in parts if part.inner} == pytest.approx(
        {
            "meaning": 0.4,
            "words": 0.45,
            "pairs": 0.05,
            "names": 0.1,
            "context": 0.05,
            "vector": 0.28,
            "strength": 0.30,
            "recency": 0.10,
            "access": 0.025,
            "keyword": 0.05,
        }
    )


def test_inner_parts_sum_up_to_the_part_above_them() -> None:
    parts = parts_of(SIGNALS, 4.0)
    outer = [at for at, part in enumerate(parts) if not part.inner]
    for at, end in ((outer[0], outer[1]), (outer[1], outer[2])):
        assert sum(part.adds for part in parts[at + 1 : end]) == pytest.approx(parts[at].value)


def test_the_weights_of_a_query_without_meaning_are_shown() -> None:
    parts = {
        part.name: part for part in parts_of(NOTHING.model_copy(update={"vector_weight": 0, "word_weight": 1}), 4.0)
    }
    assert (parts["meaning"].weight, parts["words"].weight) == (0, 1)


def test_without_a_weight_of_the_evidence_the_base_counts_whole() -> None:
    parts = {part.name: part.adds for part in parts_of(SIGNALS, 0.0) if not part.inner}
    assert parts == pytest.approx({"evidence": 0, "base": 0.755, "graph": 0.05, "kb role": -0.04})


def test_additions_of_nothing_are_left_out() -> None:
    names = [part.name for part in parts_of(NOTHING, 4.0)]
    assert names == ["evidence", "meaning", "words", "base", "vector", "strength", "recency", "access", "keyword"]
