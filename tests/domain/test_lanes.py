from dataclasses import replace
from uuid import UUID

import pytest

from memd.domain.lanes import Lane, fuse, recent_lane, text_depth, vector_depth
from memd.domain.ranking import Candidate
from memd.domain.text_match import query_terms


def row(number, **fields):
    return Candidate(UUID(int=number), "Title", "Content", created_at=number, last_accessed_at=number, **fields)


@pytest.mark.parametrize(("limit", "depth"), [(1, 12), (3, 12), (4, 16), (12, 48), (20, 80), (50, 80)])
def test_the_vector_lane_is_four_times_the_limit_within_12_and_80(limit, depth):
    assert vector_depth(limit) == depth


@pytest.mark.parametrize(("limit", "depth"), [(1, 20), (5, 20), (6, 24), (12, 48), (13, 50), (20, 50)])
def test_the_text_lane_is_four_times_the_limit_within_20_and_50(limit, depth):
    assert text_depth(limit) == depth


def test_the_recent_lane_keeps_rows_with_a_text_match():
    rows = [
        row(1),
        replace(row(2), title="Blue"),
        replace(row(3), tags=("whale",)),
        replace(row(4), content="Bluebell"),
    ]
    assert [one.id.int for one in recent_lane(rows, query_terms("blue whale"))] == [2, 3]


def test_fusing_makes_one_candidate_per_id_that_knows_its_lanes():
    fused = fuse({Lane.VECTOR: [row(1), row(2)], Lane.TEXT: [row(2), row(3)], Lane.RECENT: [row(2)]})
    assert {one.id.int: one.lanes for one in fused} == {1: ("vector",), 2: ("vector", "text", "recent"), 3: ("text",)}


@pytest.mark.parametrize(
    ("left", "right", "expected"), [(None, None, None), (0.0, None, 0.0), (None, -0.1, -0.1), (0.2, 0.7, 0.7)]
)
def test_fusing_keeps_the_best_score_of_each_arm(left, right, expected):
    lanes = {
        Lane.VECTOR: [row(1, vector_score=left, text_score=right)],
        Lane.TEXT: [row(1, vector_score=right, text_score=left)],
    }
    (fused,) = fuse(lanes)
    assert (fused.vector_score, fused.text_score) == (expected, expected)
