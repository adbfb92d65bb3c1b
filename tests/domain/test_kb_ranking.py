from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.kb_ranking import (
    ChunkHit,
    RankedChunk,
    fallback,
    indexed_fill,
    rank_chunks,
    relevance,
    wants_indexed_fill,
)
from memd.domain.types import Fallback


def hit(number, cosine, text=0.0):
    return ChunkHit(UUID(int=number), cosine, text)


HITS = st.lists(
    st.builds(hit, st.integers(1, 60), st.none() | st.floats(-1, 1), st.floats(0, 1)),
    max_size=30,
    unique_by=lambda chunk: chunk.id,
)


@pytest.mark.rule("8.8 relevance")
@pytest.mark.parametrize(
    ("cosine", "text", "expected"),
    [
        (0.8, 0.2, 0.8),
        (0.8, 0.8, 0.8),
        (0.4, 1.0, 0.61),
        (0.0, 1.0, 0.35),
        (0.0, 0.0, 0.0),
        (-0.3, 0.0, 0.0),
        (-0.2, 1.0, 0.22),
        (1.2, 0.5, 1.0),
        (0.6, 1.6, 0.95),
        (0.9, 1.9, 1.0),
    ],
)
def test_relevance_is_the_better_of_cosine_and_hybrid_cut_to_the_unit_interval(cosine, text, expected):
    assert relevance(hit(1, cosine, text)) == pytest.approx(expected)


@pytest.mark.rule("8.8 relevance")
def test_without_a_vector_relevance_is_the_text_score():
    assert relevance(hit(1, None, 0.42)) == 0.42


@pytest.mark.rule("8.8 relevance")
def test_similarity_is_the_plain_cosine():
    ranked = rank_chunks([hit(1, 0.4, 1.0), hit(2, None, 0.1)], limit=10)
    assert [chunk.similarity for chunk in ranked] == [0.4, None]


@pytest.mark.rule("8.8 order")
def test_order_is_relevance_then_text_score_then_id():
    ranked = rank_chunks([hit(3, 0.5, 0.1), hit(2, 0.5, 0.1), hit(4, 0.5, 0.3), hit(9, 0.7)], limit=10)
    assert [chunk.id.int for chunk in ranked] == [9, 4, 2, 3]


@pytest.mark.rule("8.8 threshold")
def test_the_threshold_is_tested_on_relevance_and_inclusive():
    ranked = rank_chunks([hit(1, 0.4, 1.0), hit(2, 0.6), hit(3, 0.599)], limit=10, threshold=0.6)
    assert [chunk.id.int for chunk in ranked] == [1, 2]


@pytest.mark.rule("8.8 threshold")
def test_a_threshold_of_zero_keeps_all():
    assert len(rank_chunks([hit(1, -0.5), hit(2, 0.0)], limit=10)) == 2


@pytest.mark.rule("8.8 fill")
def test_text_hits_fill_what_the_vector_lane_leaves_free():
    ranked = rank_chunks([hit(1, 0.9), hit(2, None, 0.2), hit(3, None, 0.1)], limit=3)
    assert [chunk.id.int for chunk in ranked] == [1, 2, 3]


@pytest.mark.rule("8.8 fill")
@pytest.mark.parametrize(
    ("vector", "lexical", "threshold", "wanted"),
    [(0, 0, 0.0, True), (1, 0, 0.0, False), (0, 1, 0.0, False), (0, 0, 0.1, False), (2, 2, 0.0, False)],
)
def test_indexed_fill_only_when_both_lanes_found_nothing_and_threshold_is_zero(vector, lexical, threshold, wanted):
    assert wants_indexed_fill(vector_count=vector, lexical_count=lexical, threshold=threshold) is wanted


def test_indexed_fill_is_the_first_chunks_at_relevance_zero():
    first = [UUID(int=number) for number in (9, 4, 7)]
    assert indexed_fill(first, 2) == [RankedChunk(first[0], 0, None, 0), RankedChunk(first[1], 0, None, 0)]


@pytest.mark.rule("8.8 fallback")
@pytest.mark.parametrize(
    ("vector", "lexical", "indexed", "expected"),
    [
        (3, 0, 0, "none"),
        (3, 5, 0, "none"),
        (0, 0, 0, "none"),
        (0, 4, 0, "lexical_only"),
        (0, 0, 2, "indexed_fill"),
        (0, 4, 2, "lexical_and_indexed"),
    ],
)
def test_fallback_says_what_served_when_the_vector_lane_could_not(vector, lexical, indexed, expected):
    assert fallback(vector_count=vector, lexical_count=lexical, indexed_fill_count=indexed) == Fallback(expected)


@given(hits=HITS, limit=st.integers(1, 50), threshold=st.floats(0, 1), data=st.data())
def test_ranking_is_bounded_ordered_and_independent_of_the_order_of_the_input(hits, limit, threshold, data):
    ranked = rank_chunks(hits, limit=limit, threshold=threshold)
    assert ranked == rank_chunks(data.draw(st.permutations(hits)), limit=limit, threshold=threshold)
    assert len(ranked) <= limit
    assert all(max(threshold, 0) <= chunk.relevance <= 1 for chunk in ranked)
    assert [chunk.relevance for chunk in ranked] == sorted((chunk.relevance for chunk in ranked), reverse=True)


@given(cosine=st.floats(0, 1), text=st.floats(0, 1))
def test_the_text_arm_never_lowers_a_cosine(cosine, text):
    assert relevance(hit(1, cosine, text)) >= cosine
