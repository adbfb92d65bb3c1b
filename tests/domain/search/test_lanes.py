import pytest

from memd.domain.search.lanes import lanes_of, text_depth, vector_depth


@pytest.mark.rule("11.1.2")
@pytest.mark.parametrize(("limit", "depth"), [(1, 12), (3, 12), (4, 16), (12, 48), (20, 80), (80, 80), (81, 81)])
def test_the_vector_lane_is_four_times_the_limit_within_12_and_80_but_at_least_the_limit(limit, depth):
    assert vector_depth(limit) == depth


@pytest.mark.rule("11.1.3")
@pytest.mark.parametrize(("limit", "depth"), [(1, 20), (5, 20), (6, 24), (12, 48), (13, 50), (20, 50)])
def test_the_text_lane_is_four_times_the_limit_within_20_and_50(limit, depth):
    assert text_depth(limit) == depth


@pytest.mark.rule("11.1.5")
@pytest.mark.parametrize(
    ("found", "lanes"),
    [
        ((True, False, False), ("vector",)),
        ((False, True, False), ("text",)),
        ((True, True, True), ("vector", "text", "recent")),
        ((False, False, True), ("recent",)),
        ((False, False, False), ("context",)),
    ],
)
def test_a_row_knows_every_lane_that_found_it(found, lanes):
    by_vector, by_text, by_recent = found
    assert lanes_of(by_vector=by_vector, by_text=by_text, by_recent=by_recent) == lanes
