from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.lifecycle.consolidation import (
    Candidate,
    Neighbour,
    PromotionRow,
    clusters,
    consolidate,
    due_for_association,
    due_for_consolidation,
    is_promoted,
    links,
)
from memd.domain.types import AssociationType

DAY = 86_400_000
NOW = 1_760_000_000_000


def row(number, **fields):
    values: dict[str, Any] = {
        "title": f"Row {number}",
        "content": f"Rain fell {number} times.",
        "created_at": NOW - 3 * DAY + number,
        **fields,
    }
    return Candidate(id=UUID(int=number), **values)


def near(left, right, cosine=0.8):
    return Neighbour(left, right, cosine)


def ids(found):
    return [one.id.int for one in found]


@pytest.mark.parametrize(("done_at", "due"), [(None, True), (NOW - 7 * DAY, True), (NOW - 7 * DAY + 1, False)])
def test_a_memory_is_not_associated_again_within_seven_days(done_at, due):
    assert bool(due_for_association([row(1, done_at=done_at)], NOW)) is due


def test_a_hundred_memories_are_sampled_those_never_looked_at_first():
    rows = [row(number, done_at=NOW - 10 * DAY) for number in range(90)] + [row(number) for number in range(100, 150)]
    sample = due_for_association(rows, NOW)
    assert len(sample) == 100
    assert ids(sample)[:50] == list(range(100, 150))


@pytest.mark.parametrize(
    ("cosine", "relationship"),
    [
        (0.749, None),
        (0.75, AssociationType.CO_OCCURRED),
        (0.93, AssociationType.CO_OCCURRED),
        (0.931, AssociationType.SUPPORTS),
        (1.0, AssociationType.SUPPORTS),
    ],
)
def test_like_memories_are_linked_by_how_like_they_are(cosine, relationship):
    found = links([near(row(1), row(2), cosine)], {}, NOW)
    assert [one.relationship for one in found] == ([relationship] if relationship else [])
    assert all(one.weight == cosine for one in found)


def test_a_pair_is_linked_once_from_the_older_to_the_newer():
    found = links([near(row(2), row(1)), near(row(1), row(2))], {}, NOW)
    assert [(one.from_id.int, one.to_id.int) for one in found] == [(1, 2)]


@pytest.mark.parametrize(("linked_at", "again"), [(NOW - 7 * DAY, True), (NOW - 7 * DAY + 1, False)])
def test_a_pair_is_not_linked_again_within_seven_days(linked_at, again):
    assert bool(links([near(row(2), row(1))], {(UUID(int=1), UUID(int=2)): linked_at}, NOW)) is again


@pytest.mark.rule("11.6 groups")
@pytest.mark.parametrize("field", ["channel", "project_id"])
def test_nothing_is_linked_or_clustered_across_groups(field):
    pair = near(row(1, **{field: "a"}), row(2, **{field: "b"}), 1.0)
    assert links([pair], {}, NOW) == []
    assert clusters([pair.left], [pair], NOW) == []


def test_a_memory_is_no_neighbour_of_itself():
    assert links([near(row(1), row(1), 1.0)], {}, NOW) == []


@pytest.mark.parametrize(
    ("fields", "due"),
    [
        ({"created_at": NOW - DAY - 1}, True),
        ({"created_at": NOW - DAY}, False),
        ({"created_at": NOW - 2 * DAY, "done_at": NOW}, False),
    ],
)
def test_impressions_older_than_a_day_are_looked_up_once(fields, due):
    assert bool(due_for_consolidation([row(1, **fields)], NOW)) is due


def test_the_fifty_oldest_impressions_are_looked_up():
    assert ids(due_for_consolidation([row(number) for number in reversed(range(80))], NOW)) == list(range(50))


@pytest.mark.parametrize(("cosine", "found"), [(0.75, [[1, 2]]), (0.749, [])])
def test_a_cluster_has_two_members_at_cosine_075(cosine, found):
    assert [ids(one) for one in clusters([row(1)], [near(row(1), row(2), cosine)], NOW)] == found


def test_a_cluster_takes_the_eight_nearest_neighbours():
    neighbours = [near(row(1), row(number), 0.75 + number / 100) for number in range(2, 14)]
    (cluster,) = clusters([row(1)], neighbours, NOW)
    assert ids(cluster) == [1, *range(6, 14)]


def test_a_memory_is_in_one_cluster_only():
    rows = [row(number) for number in range(1, 5)]
    neighbours = [near(rows[0], rows[1]), near(rows[1], rows[0]), near(rows[2], rows[1]), near(rows[2], rows[3])]
    assert [ids(one) for one in clusters(rows, neighbours, NOW)] == [[1, 2], [3, 4]]


def test_an_impression_younger_than_a_day_stays_out_of_a_cluster():
    assert clusters([row(1)], [near(row(1), row(2, created_at=NOW - DAY))], NOW) == []


@pytest.mark.parametrize(
    ("count", "strength", "confidence"), [(2, 0.55, 0.59), (5, 0.7, 0.65), (9, 0.9, 0.73), (30, 1.0, 1.0)]
)
def test_strength_and_confidence_grow_with_the_cluster(count, strength, confidence):
    made = consolidate([row(number) for number in range(count)])
    assert (made.strength, made.confidence) == (pytest.approx(strength), pytest.approx(confidence))


@pytest.mark.rule("11.6 groups")
def test_a_consolidated_memory_names_its_sources_keeps_their_words_and_their_group():
    cluster = [row(number, channel="c", project_id="p", tags=("rain", f"t{number}")) for number in (1, 2)]
    made = consolidate(cluster)
    assert made.source_ids == (UUID(int=1), UUID(int=2))
    assert (made.channel, made.project_id) == ("c", "p")
    assert "Rain fell 1 times." in made.content
    assert "Rain fell 2 times." in made.content
    assert made.title == "Row 1 (×2)"
    assert made.tags == ("rain", "t1", "t2")


def test_a_consolidated_memory_is_bounded():
    made = consolidate(
        [row(number, title="word " * 90, content="word " * 9_000, tags=tuple("abcdefgh")) for number in range(9)]
    )
    assert len(made.title) <= 200
    assert len(made.content) <= 4_000


@pytest.mark.parametrize(
    ("access_count", "confidence", "strength", "nearest", "promoted"),
    [
        (3, 0.8, 0.8, None, True),
        (3, 0.8, 0.8, 0.919, True),
        (3, 0.8, 0.8, 0.92, False),
        (2, 0.8, 0.8, None, False),
        (3, 0.79, 0.8, None, False),
        (3, 0.8, 0.79, None, False),
        (30, 1.0, 1.0, 1.0, False),
    ],
)
def test_a_proven_memory_is_promoted_unless_it_is_known(access_count, confidence, strength, nearest, promoted):
    assert is_promoted(PromotionRow(UUID(int=1), access_count, confidence, strength, nearest)) is promoted


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.floats(0, 1)), max_size=60))
def test_clusters_never_share_a_member(pairs):
    rows = [row(number) for number in range(13)]
    found = clusters(rows, [near(rows[left], rows[right], cosine) for left, right, cosine in pairs], NOW)
    members = [member.id for cluster in found for member in cluster]
    assert len(members) == len(set(members))
    assert all(2 <= len(cluster) <= 9 for cluster in found)
