from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.ranking.chunks import (
    ChunkHit,
    ChunkPosition,
    RankedChunk,
    evidence,
    fallback,
    indexed_fill,
    rank_chunks,
    wants_indexed_fill,
)
from memd.domain.types import Fallback


def hit(number, cosine, text=0.0, pairs=0.0, at=None):
    return ChunkHit(UUID(int=number), cosine, text, pairs, at)


HITS = st.lists(
    st.builds(
        hit,
        st.integers(1, 60),
        st.none() | st.floats(-1, 1),
        st.none() | st.floats(0, 2),
        st.floats(0, 1),
        st.none() | st.builds(ChunkPosition, st.integers(1, 2), st.integers(0, 9)),
    ),
    max_size=30,
    unique_by=lambda chunk: chunk.id,
)


@pytest.mark.rule("8.8 relevance")
@pytest.mark.parametrize(
    ("cosine", "text", "pairs", "expected"),
    [
        (0.8, 0.2, 0.0, 0.5),
        (0.8, 0.2, 0.5, 0.55),
        (0.4, 1.0, 1.0, 0.8),
        (0.0, 1.0, 0.0, 0.5),
        (0.0, 0.0, 0.0, 0.0),
        (-0.3, 0.0, 0.0, 0.0),
        (-0.2, 1.0, 0.0, 0.4),
        (0.6, 1.4, 0.0, 1.0),
        (0.9, 1.9, 1.0, 1.0),
    ],
)
def test_evidence_is_the_weighted_sum_cut_to_the_unit_interval(cosine, text, pairs, expected):
    assert evidence(cosine, text, pairs) == pytest.approx(expected)


@pytest.mark.rule("8.8 relevance")
@pytest.mark.parametrize(("text", "expected"), [(0.42, 0.42), (1.7, 1.0), (None, 0.0)])
def test_without_a_vector_it_is_the_text_score(text, expected):
    assert evidence(None, text, 1.0) == expected


def test_without_a_word_to_search_for_it_is_the_cosine():
    assert evidence(0.42, None, 0.0) == 0.42


@pytest.mark.rule("8.8 neighbours")
@pytest.mark.parametrize(
    ("own", "before", "after", "expected"),
    [
        (0.2, 0.8, 0.1, 0.2 + 0.4 * 0.6),
        (0.2, None, 0.6, 0.2 + 0.4 * 0.4),
        (0.2, 0.1, None, 0.2),
        (0.2, None, None, 0.2),
    ],
)
def test_the_better_neighbour_lifts_by_a_share_of_what_it_has_more(own, before, after, expected):
    around = [(number, value) for number, value in ((1, before), (3, after)) if value is not None]
    hits = [
        hit(2, own, None, at=ChunkPosition(7, 2)),
        *(hit(n, value, None, at=ChunkPosition(7, n)) for n, value in around),
    ]
    ranked = {chunk.id.int: chunk for chunk in rank_chunks(hits)}
    assert ranked[2].relevance == pytest.approx(expected)
    assert ranked[2].evidence == own


@pytest.mark.rule("8.8 neighbours")
@pytest.mark.parametrize("position", [None, ChunkPosition(7, 3), ChunkPosition(8, 2)])
def test_a_chunk_elsewhere_lifts_nothing(position):
    ranked = rank_chunks([hit(1, 0.2, None, at=ChunkPosition(7, 1)), hit(2, 0.9, None, at=position)])
    assert [chunk.relevance for chunk in ranked] == [0.9, 0.2]


@pytest.mark.rule("8.8 neighbours")
@given(hits=HITS)
def test_neighbours_lift_and_never_lower_and_keep_the_first_place(hits):
    ranked = rank_chunks(hits)
    alone = rank_chunks([each._replace(position=None) for each in hits])
    assert [chunk.id for chunk in ranked[:1]] == [chunk.id for chunk in alone[:1]]
    assert all(chunk.relevance >= chunk.evidence for chunk in ranked)
    assert {chunk.id: chunk.evidence for chunk in ranked} == {chunk.id: chunk.relevance for chunk in alone}


@pytest.mark.rule("8.8 relevance")
def test_similarity_is_the_plain_cosine():
    ranked = rank_chunks([hit(1, 0.4, 1.0), hit(2, None, 0.1)])
    assert [chunk.similarity for chunk in ranked] == [0.4, None]


@pytest.mark.rule("8.8 order")
def test_order_is_relevance_then_text_score_then_id():
    ranked = rank_chunks([hit(3, 0.5, 0.5), hit(2, 0.5, 0.5), hit(4, 0.25, 0.75), hit(9, 0.7, 0.5)])
    assert [chunk.id.int for chunk in ranked] == [9, 4, 2, 3]


@pytest.mark.rule("8.8 fill")
@pytest.mark.parametrize(
    ("vector", "lexical", "threshold", "wanted"),
    [(0, 0, 0.0, True), (1, 0, 0.0, False), (0, 1, 0.0, False), (0, 0, 0.1, False), (2, 2, 0.0, False)],
)
def test_indexed_fill_only_when_both_lanes_found_nothing_and_threshold_is_zero(vector, lexical, threshold, wanted):
    assert wants_indexed_fill(vector_count=vector, lexical_count=lexical, threshold=threshold) is wanted


def test_indexed_fill_is_the_first_chunks_at_relevance_zero():
    first = [UUID(int=number) for number in (9, 4, 7)]
    assert indexed_fill(first) == [RankedChunk(chunk, 0, 0, None, 0) for chunk in first]


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


@given(hits=HITS, data=st.data())
def test_ranking_is_ordered_and_independent_of_the_order_of_the_input(hits, data):
    ranked = rank_chunks(hits)
    assert ranked == rank_chunks(data.draw(st.permutations(hits)))
    assert {chunk.id for chunk in ranked} == {each.id for each in hits}
    assert all(0 <= chunk.relevance <= 1 for chunk in ranked)
    assert [chunk.relevance for chunk in ranked] == sorted((chunk.relevance for chunk in ranked), reverse=True)
