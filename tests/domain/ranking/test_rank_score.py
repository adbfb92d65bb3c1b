from dataclasses import replace
from math import exp
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.ranking.evidence import Evidence
from memd.domain.ranking.rank_score import (
    DAY_MS,
    Candidate,
    RankQuery,
    RankWeights,
    rank,
    rank_score_of,
    score,
    signals_of,
)
from memd.domain.search.text_match import memory_match, query_terms
from tests.support.stored_rows import Row

NOW = 1_790_000_000_000
QUERY = RankQuery(NOW)
TERMS = query_terms("blue whale")
KB = UUID(int=77)


def row(number: int = 1, **fields: Any) -> Candidate:
    """A candidate for the words "blue whale"."""
    times = {"created_at": NOW, "last_accessed_at": NOW}
    stored = Row(UUID(int=number), **times | {name: fields.pop(name) for name in Row._fields if name in fields})
    text_match = memory_match(TERMS, stored.title, stored.content, stored.tags)
    return Candidate(stored, text_match=text_match, **fields)


CANDIDATES = st.builds(
    row,
    st.integers(1, 10_000),
    title=st.sampled_from(["Blue whale", "Whale", "Note"]),
    created_at=st.integers(NOW - 400 * DAY_MS, NOW + DAY_MS),
    last_accessed_at=st.integers(NOW - 400 * DAY_MS, NOW + DAY_MS),
    strength=st.floats(-1, 2),
    access_count=st.integers(0, 100),
    vector_score=st.none() | st.floats(-1, 1),
    evidence=st.builds(Evidence, st.floats(0, 1.6), *[st.floats(0, 1)] * 4),
    graph_link_confidence=st.none() | st.floats(0, 1),
    same_project=st.booleans(),
    knowledge_base_id=st.none() | st.just(KB),
    role_value=st.none() | st.sampled_from([-0.6, 0.38, 1.0]),
)
WEIGHTS = st.sampled_from([RankWeights(), RankWeights(evidence=0), RankWeights(evidence=1.5)])


@pytest.mark.rule("11.2 base")
@pytest.mark.parametrize(
    ("part", "weight"),
    [
        ("base_score", 1),
        ("evidence_score", 4),
        ("graph_boost", 1),
        ("project_boost", 1),
        ("source_role_score", 1),
    ],
)
def test_each_part_enters_the_score_with_its_weight(part, weight):
    signals = signals_of(row(), QUERY)._replace(**{part: 0.0})
    assert rank_score_of(signals._replace(**{part: 0.5})) - rank_score_of(signals) == pytest.approx(0.5 * weight)


@pytest.mark.rule("11.2 shown only")
@pytest.mark.parametrize("shown", ["salience_score", "continuity_score", "knowledge_base_score", "word_score"])
def test_what_is_only_shown_does_not_enter_the_score(shown):
    signals = signals_of(row(), QUERY)
    assert rank_score_of(signals._replace(**{shown: 1.0})) == rank_score_of(signals)


def test_a_perfect_memory_has_a_base_of_one():
    best = row(title="Blue whale", vector_score=1.0, strength=1.0, access_count=20)
    assert signals_of(best, QUERY).base_score == pytest.approx(1)


@pytest.mark.rule("11.2 base")
@pytest.mark.parametrize(
    ("fields", "more"),
    [
        ({"vector_score": 0.5}, 0.5 * 0.35),
        ({"strength": 0.5}, 0.5 * 0.30),
        ({"created_at": NOW - 10 * DAY_MS}, (exp(-1.2) - 1) * 0.20),
        ({"access_count": 20}, 0.55 * 0.10),
        ({"title": "Blue"}, 0.5 * 0.05),
    ],
)
def test_each_part_enters_the_base_with_its_weight(fields, more):
    assert signals_of(row(**fields), QUERY).base_score - signals_of(row(), QUERY).base_score == pytest.approx(more)


@pytest.mark.rule("11.2 vector")
@pytest.mark.parametrize(("cosine", "expected"), [(0.6, 0.6), (-0.2, 0), (1.01, 1), (None, 0)])
def test_vector_is_the_cosine_cut_to_the_unit_interval(cosine, expected):
    assert signals_of(row(vector_score=cosine), QUERY).vector_score == expected


@pytest.mark.rule("11.2 strength")
@pytest.mark.parametrize(("strength", "expected"), [(0.8, 0.8), (1.4, 1), (-0.1, 0)])
def test_strength_is_cut_to_the_unit_interval(strength, expected):
    assert signals_of(row(strength=strength), QUERY).strength_score == expected


@pytest.mark.rule("11.2 recency")
@pytest.mark.parametrize(("days", "expected"), [(0, 1), (1, exp(-0.12)), (10, exp(-1.2)), (0.5, exp(-0.06))])
def test_recency_falls_by_012_a_day(days, expected):
    assert signals_of(row(created_at=NOW - int(days * DAY_MS)), QUERY).freshness_score == pytest.approx(expected)


def test_a_row_from_the_future_is_as_fresh_as_one_of_now():
    assert signals_of(row(created_at=NOW + DAY_MS), QUERY).freshness_score == 1


@pytest.mark.rule("11.2 access")
@pytest.mark.parametrize(
    ("count", "days", "expected"),
    [
        (0, 0, 0.45),
        (10, 0, 0.55 * 0.5 + 0.45),
        (20, 0, 1),
        (500, 0, 1),
        (4, 5, 0.55 * 0.2 + 0.45 * exp(-0.4)),
    ],
)
def test_access_is_count_up_to_twenty_and_days_since_the_last_one(count, days, expected):
    signals = signals_of(row(access_count=count, last_accessed_at=NOW - days * DAY_MS), QUERY)
    assert signals.access_score == pytest.approx(expected)


@pytest.mark.rule("11.2 keyword")
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"title": "The blue whale"}, 1),
        ({"title": "Whale", "content": "It is blue"}, 1),
        ({"content": "a whale"}, 0.5),
        ({"tags": ("blue",)}, 0.5),
        ({}, 0),
    ],
)
def test_keyword_is_the_match_over_title_content_and_tags(fields, expected):
    assert signals_of(row(**fields), QUERY).text_match_score == expected


@pytest.mark.rule("11.2 graph link")
@pytest.mark.parametrize(("confidence", "boost"), [(None, 0), (0.6, 0), (0.7, 0), (0.71, 0.05), (1.0, 0.05)])
def test_a_graph_link_above_07_lifts_by_005(confidence, boost):
    assert signals_of(row(graph_link_confidence=confidence), QUERY).graph_boost == boost


@pytest.mark.rule("11.2 project")
@pytest.mark.parametrize(("same", "boost"), [(True, 0.05), (False, 0)])
def test_the_same_project_lifts_by_005(same, boost):
    assert signals_of(row(same_project=same), QUERY).project_boost == boost


@pytest.mark.rule("11.2 source role")
@pytest.mark.parametrize(("value", "added"), [(1.0, 0.1984), (0.38, 0), (-0.6, -0.3136)])
def test_a_chunk_gets_032_times_role_value_minus_038(value, added):
    assert signals_of(row(knowledge_base_id=KB, role_value=value), QUERY).source_role_score == pytest.approx(added)


@pytest.mark.rule("11.2 source role")
def test_an_ordinary_memory_has_no_source_role_term():
    assert signals_of(row(role_value=1.0), QUERY).source_role_score is None


@pytest.mark.rule("11.2 shown only")
@pytest.mark.parametrize(
    ("channel", "requested", "expected"),
    [("slack", "slack", 1), ("Slack", "sLACK", 1), ("slack", "discord", 0), (None, "slack", 0), (None, None, 0)],
)
def test_continuity_is_one_for_the_channel_of_the_request(channel, requested, expected):
    assert signals_of(row(channel=channel), replace(QUERY, channel=requested)).continuity_score == expected


@pytest.mark.rule("11.2 shown only")
def test_continuity_is_left_out_for_a_peer_capable_channel():
    query = replace(QUERY, channel="peer-coach:7", peer_capable=True)
    assert signals_of(row(channel="peer-coach:7"), query).continuity_score is None


def test_weights_are_an_argument():
    only_vector = RankWeights(evidence=0, vector=1, strength=0, recency=0, access=0, keyword=0)
    assert score(row(vector_score=0.3), QUERY, only_vector).rank_score == pytest.approx(0.3)


@pytest.mark.rule("11.2 relevance")
@pytest.mark.parametrize("weight", [0, 4])
def test_relevance_is_rank_score_over_one_and_lambda_cut_to_the_unit_interval(weight):
    weights = RankWeights(evidence=weight)
    best: dict[str, Any] = {"vector_score": 1, "strength": 1, "access_count": 20, "evidence": Evidence(1.2)}
    over = row(title="Blue whale", same_project=True, **best)
    under = row(created_at=0, last_accessed_at=0, knowledge_base_id=KB, role_value=-0.6)
    middle = row(strength=0.5, evidence=Evidence(0.4))
    assert score(over, QUERY, weights).rank_score == pytest.approx(1.05 + 1.2 * weight)
    assert score(over, QUERY, weights).relevance == 1
    assert score(under, QUERY, weights).rank_score < 0
    assert score(under, QUERY, weights).relevance == 0
    assert score(middle, QUERY, weights).relevance == pytest.approx((0.15 + 0.2 + 0.045 + 0.4 * weight) / (1 + weight))


@pytest.mark.rule("11.2 relevance")
@given(candidate=CANDIDATES)
def test_without_a_weight_of_the_evidence_the_base_and_the_boosts_rank(candidate):
    ranked = score(candidate, QUERY, RankWeights(evidence=0))
    plain = score(candidate._replace(evidence=Evidence(0.0)), QUERY, RankWeights(evidence=0))
    assert (ranked.rank_score, ranked.relevance) == (plain.rank_score, plain.relevance)


@pytest.mark.rule("11.1.6")
def test_ties_are_broken_by_evidence():
    ranked = rank([row(1), row(2, evidence=Evidence(0.1))], QUERY, RankWeights(evidence=0))
    assert [one.candidate.id.int for one in ranked] == [2, 1]


@pytest.mark.rule("11.2 base")
@given(
    evidence=st.floats(0, 1.5),
    strengths=st.lists(st.floats(0, 1), min_size=2, max_size=2),
    days=st.lists(st.integers(0, 300), min_size=2, max_size=2),
)
def test_of_equally_relevant_rows_the_stronger_and_newer_stands_first(evidence, strengths, days):
    strong, weak = sorted(strengths, reverse=True)
    new, old = sorted(days)
    rows = [
        row(number, strength=strength, created_at=NOW - day * DAY_MS, evidence=Evidence(evidence))
        for number, strength, day in ((1, weak, old), (2, strong, new))
    ]
    best = rank(rows, QUERY)[0]
    assert best.candidate.id.int == 2 or strong - weak < 1e-9 > new - old


@pytest.mark.rule("11.1.6")
def test_then_by_the_newer_row_then_by_id():
    weights = RankWeights(recency=0)
    rows = [row(3, created_at=NOW - 5), row(2, created_at=NOW - 5), row(1, created_at=NOW - 9), row(4)]
    assert [one.candidate.id.int for one in rank(rows, QUERY, weights)] == [4, 2, 3, 1]


def test_a_memory_stands_before_a_chunk_on_ties():
    chunk = row(1, knowledge_base_id=KB, role_value=0.38)
    assert [one.candidate.id.int for one in rank([chunk, row(2)], QUERY)] == [2, 1]


@given(candidate=CANDIDATES, weights=WEIGHTS)
def test_every_part_and_relevance_are_within_the_unit_interval(candidate, weights):
    ranked = score(candidate, QUERY, weights)
    signals = ranked.signals
    parts = (
        signals.vector_score,
        signals.strength_score,
        signals.freshness_score,
        signals.access_score,
        signals.text_match_score,
        signals.base_score,
        ranked.relevance,
    )
    assert all(0 <= part <= 1 for part in parts)


@pytest.mark.rule("11.2 base", "11.2 relevance")
@given(candidate=CANDIDATES, weights=WEIGHTS)
def test_relevance_can_be_computed_again_from_the_signals(candidate, weights):
    ranked = score(candidate, QUERY, weights)
    shown = ranked.signals
    base = (
        0.35 * shown.vector_score
        + 0.30 * shown.strength_score
        + 0.20 * shown.freshness_score
        + 0.10 * shown.access_score
        + 0.05 * shown.text_match_score
    )
    added = shown.graph_boost + shown.project_boost + (shown.source_role_score or 0)
    again = (base + added + weights.evidence * shown.evidence_score) / (1 + weights.evidence)
    assert shown.base_score == pytest.approx(base)
    assert ranked.relevance == pytest.approx(min(1, max(0, again)), abs=1e-9)


@pytest.mark.rule("11.1.6", "11.2 clock")
@given(candidates=st.lists(CANDIDATES, max_size=12, unique_by=lambda one: one.id), data=st.data())
def test_the_order_does_not_depend_on_the_order_of_the_input(candidates, data):
    ranked = rank(candidates, QUERY)
    assert rank(data.draw(st.permutations(candidates)), QUERY) == ranked
    assert [one.rank_score for one in ranked] == sorted((one.rank_score for one in ranked), reverse=True)
