from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.dates.time_window import Window
from memd.domain.ranking.messages import (
    MessageQuery,
    MessageWeights,
    PooledMessage,
    fit,
    next_offset,
    rank_messages,
)

QUERY = "where is the boat"
# Ten words of equal rarity: a message with n of them has the coverage n / 10.
RARITIES = (1.0,) * 10
FULL = MessageWeights(
    0.5, 0.5, 0.6, 0.5, 0.2, session_coverage=0.15, answer=0.3, speaker=0.2, question=0.05, time=0.1, phrase=0.3
)
PLAIN = replace(FULL, near=0, session_coverage=0, answer=0, paraphrase=0)


def words(coverage: float) -> int:
    return (1 << round(coverage * 10)) - 1


def message(number: int, cosine: float | None = 0.0, coverage=0.0, **fields: Any) -> PooledMessage:
    links = {key: UUID(int=fields[key]) for key in ("previous_id", "next_id") if key in fields}
    values: dict[str, Any] = {"timestamp": 0, "words": words(coverage)} | fields | links
    return PooledMessage(id=UUID(int=number), cosine=cosine, **values)


def ranking(pool, query=QUERY, weights=PLAIN):
    return rank_messages(pool, MessageQuery(query, RARITIES), weights)


def rank_of(*pool, query=QUERY, weights=PLAIN):
    """The rank of the first message of a pool."""
    return next(row.rank for row in ranking(pool, query, weights) if row.id == pool[0].id)


MESSAGES = st.lists(
    st.builds(
        message,
        st.integers(1, 40),
        cosine=st.none() | st.floats(-1, 1),
        coverage=st.sampled_from([0, 0.1, 0.5, 1]),
        asks=st.booleans(),
        holds_phrase=st.booleans(),
        states_time=st.booleans(),
        session_words=st.integers(0, 1023),
        timestamp=st.integers(0, 3),
        speaker=st.sampled_from([None, "Ann", "The boat"]),
        session_key=st.sampled_from([None, "s1", "s2"]),
        previous_id=st.integers(1, 40),
        next_id=st.integers(1, 40),
        candidate=st.booleans(),
    ),
    max_size=12,
    unique_by=lambda one: one.id,
)


@pytest.mark.rule("11.4 fit")
@pytest.mark.parametrize(
    ("own", "near", "cosine", "expected"),
    [(0.2, 0.2, 0.6, 0.4), (1, 1, 0, 0.5), (1, 1, 1, 1), (0.4, 0.4, -0.5, 0.2), (0.4, 0.4, None, 0.4)],
)
def test_f_is_half_cosine_half_coverage_and_coverage_alone_without_a_vector(own, near, cosine, expected):
    assert fit(own, near, cosine) == pytest.approx(expected)


def test_most_of_the_coverage_is_that_of_the_message_with_its_neighbours():
    assert fit(0.5, 1, None, FULL) == pytest.approx(0.4 * 0.5 + 0.6 * 1)


@pytest.mark.rule("11.4 fit")
def test_the_coverage_is_weighted_by_rarity():
    query = MessageQuery(QUERY, (3.0, 1.0))
    assert [query.coverage(held) for held in (0b00, 0b01, 0b10, 0b11, 0b100)] == [0, 0.75, 0.25, 1, 0]
    assert MessageQuery(QUERY).coverage(0) == 0


def test_words_of_the_neighbours_count_as_said_nearby():
    weights = replace(FULL, neighbour=0, session=0, session_coverage=0)
    pool = [message(1, None, words=0b0001, next_id=2), message(2, None, words=0b0110)]
    assert rank_of(*pool, weights=weights) == pytest.approx(0.4 * 0.1 + 0.6 * 0.3)


def test_words_of_the_session_are_added_with_a_small_weight():
    assert rank_of(message(1, session_words=0b11), weights=FULL) == pytest.approx(0.15 * 0.2)


def test_a_message_without_neighbours_or_session_counts_as_its_own_session():
    assert rank_of(message(1, 0.4, 0.6)) == pytest.approx(0.5 + 0.2 * 0.5)


@pytest.mark.rule("11.4 rank")
def test_half_of_the_better_neighbour_is_added():
    pool = [message(1, previous_id=2, next_id=3), message(2, 0.2, 0.2), message(3, 0.8, 0.8)]
    assert rank_of(*pool) == pytest.approx(0.5 * 0.8)


@pytest.mark.parametrize("side", ["previous_id", "next_id"])
def test_one_neighbour_is_enough(side):
    link: dict[str, Any] = {side: 2}
    assert rank_of(message(1, **link), message(2, 0.6, 0.6)) == pytest.approx(0.5 * 0.6)


def test_a_message_gains_a_part_of_the_fit_of_the_question_that_it_answers():
    pool = [message(1, previous_id=2, next_id=3), message(2, 0.6, 0.6, asks=True), message(3, 0.8, 0.8, asks=True)]
    answering = replace(PLAIN, answer=0.3)
    assert rank_of(*pool, weights=answering) == pytest.approx(0.5 * 0.8 + 0.3 * 0.6)
    assert rank_of(*pool, query="the boat", weights=answering) == pytest.approx(0.5 * 0.8)


@pytest.mark.rule("11.4 rank")
def test_a_fifth_of_the_best_of_the_session_is_added():
    pool = [
        message(1, 0.1, 0.1, session_key="s1"),
        message(2, 0.7, 0.7, session_key="s1"),
        message(3, 1.0, 1.0, session_key="s2"),
    ]
    assert rank_of(*pool) == pytest.approx(0.1 + 0.2 * 0.7)


def test_words_that_no_message_has_count_by_the_meaning_above_that_of_the_twelfth_nearest():
    few = [message(1, 0.4, 0.2), message(2, 0.1, 0.4)]
    heard = replace(PLAIN, session=0, paraphrase=0.5)
    assert rank_of(*few, weights=heard) == pytest.approx(0.3 + 0.5 * 0.6 * 0.4)
    many = [*few, *(message(number, 0.3) for number in range(3, 13))]
    assert rank_of(*many, weights=heard) == pytest.approx(0.3 + 0.5 * 0.6 * (0.4 - 0.1))
    known = [*few, message(3, 0.0, 1.0)]
    assert rank_of(*known, weights=heard) == pytest.approx(0.3)
    (row,) = rank_messages(few[:1], MessageQuery("the of", ()), heard)
    assert row.rank == pytest.approx(0.5 * 0.4)


def test_messages_without_a_session_share_none():
    assert rank_of(message(1, 0.1, 0.1), message(2, 0.9, 0.9)) == pytest.approx(0.12)


def test_a_row_that_is_no_candidate_lends_its_f_but_is_not_returned():
    pool = [message(1, next_id=2, session_key="s1"), message(2, 1, 1, session_key="s1", candidate=False)]
    assert [row.id.int for row in ranking(pool)] == [1]
    assert rank_of(*pool) == pytest.approx(0.5 + 0.2)


def test_a_named_speaker_adds_a_fifth():
    assert rank_of(message(1, speaker="Ann"), query="what did Ann see") == pytest.approx(0.2)


@pytest.mark.parametrize(("field", "weight"), [("asks", -0.05), ("holds_phrase", 0.3), ("states_time", 0.1)])
def test_a_question_loses_a_little_a_phrase_and_a_time_that_was_asked_for_win(field, weight):
    assert rank_of(message(1, **{field: True})) == pytest.approx(weight)


@pytest.mark.rule("11.4 score")
def test_the_score_is_the_rank_over_its_possible_maximum():
    fields = {"holds_phrase": True, "states_time": True, "speaker": "Boat", "session_key": "s1"}
    row, *_ = ranking(
        [
            message(1, 1, 1, previous_id=2, session_words=1023, **fields),
            message(2, 1, 1, session_key="s1", asks=True),
        ],
        weights=FULL,
    )
    assert row.rank == pytest.approx(2.75)
    assert row.score == pytest.approx(1)
    (half,) = ranking([message(3, 0.5, 0.5)])
    assert half.score == pytest.approx(0.6 / 2.3)


@pytest.mark.rule("11.4 score")
def test_a_negative_rank_scores_zero():
    (row,) = ranking([message(1, asks=True)])
    assert row.score == 0


CONTRACT = replace(PLAIN, speaker=0.1, question=0.025, time=0)


@pytest.mark.rule("11.4 rank")
@pytest.mark.parametrize(
    ("fields", "added"),
    [
        ({}, 0),
        ({"speaker": "Boat"}, 0.1),
        ({"asks": True}, -0.025),
        ({"holds_phrase": True}, 0.3),
        ({"speaker": "Boat", "asks": True, "holds_phrase": True}, 0.375),
    ],
    ids=str,
)
def test_with_the_weights_of_the_contract_the_rank_is_that_of_the_contract(fields, added):
    pool = [
        message(1, 0.4, 0.2, previous_id=2, next_id=3, session_key="s", **fields),
        message(2, 0.6, 0.6, session_key="s"),
        message(3, 0.1, 0.1, session_key="s"),
        message(4, 0.9, 0.7, session_key="s", candidate=False),
    ]
    assert rank_of(*pool, query="where is the Boat", weights=CONTRACT) == pytest.approx(
        0.3 + 0.5 * 0.6 + 0.2 * 0.8 + added
    )


@pytest.mark.rule("11.4 weights")
def test_weights_are_an_argument():
    weights = MessageWeights(cosine=1, coverage=0, neighbour=0, session=0, session_coverage=0, paraphrase=0)
    assert rank_of(message(1, 0.3, 0.9), weights=weights) == pytest.approx(0.3)


@pytest.mark.rule("11.4 without a vector")
def test_without_a_vector_the_order_is_that_of_the_coverage():
    pool = [message(1, None, 0.2), message(2, None, 0.9), message(3, None, 0.5)]
    assert [row.id.int for row in ranking(pool)] == [2, 3, 1]


def test_order_is_rank_then_timestamp_both_descending():
    pool = [message(1, 0.5, 0.5, timestamp=1), message(2, 0.5, 0.5, timestamp=9), message(3, 0.6, 0.6, timestamp=0)]
    assert [row.id.int for row in ranking(pool)] == [3, 2, 1]


@pytest.mark.rule("11.4 depth", "7.2 reply: pagination")
@pytest.mark.parametrize(
    ("end", "total", "following"),
    [(10, 25, 10), (20, 25, 20), (25, 25, None), (30, 25, None), (0, 0, None), (10_000, 10_100, 10_000)],
)
def test_a_page_follows_while_rows_are_left(end, total, following):
    assert next_offset(end, total) == following


@pytest.mark.rule("7.2 reply: pagination")
def test_no_page_is_promised_beyond_an_offset_of_ten_thousand():
    assert next_offset(10_001, 10_100) is None


@pytest.mark.rule("11.7 lift")
def test_a_message_of_the_period_gets_a_share_of_the_best_rank():
    pool = [message(1, 0.8, 0.6, timestamp=50), message(2, 0.5, 0.2, timestamp=10), message(3, 0.1, 0.1, timestamp=11)]
    plain = {row.id.int: row.rank for row in ranking(pool)}
    query = MessageQuery(QUERY, RARITIES, Window(10, 11))
    lifted = {row.id.int: row.rank for row in rank_messages(pool, query, PLAIN)}
    lift = 0.15 * plain[1]
    assert lifted == pytest.approx({1: plain[1], 2: plain[2] + lift, 3: plain[3] + lift})


@pytest.mark.rule("11.7 lift")
def test_a_query_for_nothing_but_a_period_puts_its_messages_first():
    pool = [message(1, 0.8, 0.6, timestamp=50), message(2, 0.5, 0.2, timestamp=10), message(3, 0.1, 0.1, timestamp=11)]
    ranked = rank_messages(pool, MessageQuery(QUERY, RARITIES, Window(10, 11), asks_for_period=True), PLAIN)
    assert [row.id.int for row in ranked] == [2, 3, 1]
    assert all(0 <= row.score <= 1 for row in ranked)


@pytest.mark.rule("11.7 lift", "11.4 score")
@given(pool=MESSAGES, period=st.builds(Window, st.integers(0, 3), st.integers(0, 3)))
def test_a_period_leaves_no_message_out_and_scores_within_the_unit_interval(pool, period):
    ranked = rank_messages(pool, MessageQuery(QUERY, RARITIES, period), PLAIN)
    assert {row.id for row in ranked} == {row.id for row in ranking(pool)}
    assert all(0 <= row.score <= 1 for row in ranked)


@pytest.mark.rule("11.4 score", "11.4 order")
@given(pool=MESSAGES, data=st.data())
def test_scores_are_within_the_unit_interval_and_the_order_is_that_of_the_values(pool, data):
    ranked = ranking(pool)
    assert all(0 <= row.score <= 1 for row in ranked)
    assert {row.id for row in ranked} == {one.id for one in pool if one.candidate}
    assert ranked == ranking(data.draw(st.permutations(pool)))
    assert [row.rank for row in ranked] == sorted((row.rank for row in ranked), reverse=True)


def test_a_message_that_is_not_weak_only_because_of_a_neighbour_is_adjacent():
    pool = [message(1, 0.8, 0.8, next_id=2), message(2, 0.05, previous_id=1, next_id=3), message(3, previous_id=2)]
    marks = {row.id.int: (row.weak, row.adjacent) for row in ranking(pool)}
    assert marks == {1: (False, False), 2: (False, True), 3: (True, False)}


@pytest.mark.parametrize(("fields", "before"), [({"coverage": 0.2}, {}), ({"cosine": 0.2}, {}), ({}, {"asks": True})])
def test_what_fits_a_little_itself_or_follows_a_question_is_not_adjacent(fields, before):
    pool = [message(1, 0.8, 0.8, next_id=2, **before), message(2, previous_id=1, **fields)]
    assert [(row.weak, row.adjacent) for row in ranking(pool)] == [(False, False)] * 2


def test_what_was_said_in_the_period_of_the_query_is_not_adjacent():
    pool = [message(1, 0.8, 0.8, next_id=2), message(2, previous_id=1, timestamp=10)]
    ranked = rank_messages(pool, MessageQuery(QUERY, RARITIES, Window(10, 11)), PLAIN)
    assert not any(row.adjacent for row in ranked)
