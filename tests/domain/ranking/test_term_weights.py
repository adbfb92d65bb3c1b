from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.ranking.term_weights import Collected, TermHit, idf, term_weight, text_score

COLLECTION = Collected(documents=100, average_length=50)


def best(*frequencies: int) -> float:
    """The weight of each of these terms once, in a text of average length."""
    return sum(idf(100, frequency) for frequency in frequencies)


@pytest.mark.rule("8.8 candidates")
@pytest.mark.parametrize(("documents", "frequency"), [(100, 1), (100, 50), (100, 100), (1, 1), (10, 0)])
def test_idf_formula(documents, frequency):
    assert idf(documents, frequency) == pytest.approx(log(1 + (documents - frequency + 0.5) / (frequency + 0.5)))


def test_one_occurrence_at_average_length_weighs_the_idf():
    assert term_weight(TermHit(1, 5), 50, COLLECTION) == pytest.approx(idf(100, 5))


def test_a_term_that_does_not_occur_weighs_nothing():
    assert term_weight(TermHit(0, 5), 50, COLLECTION) == 0


def test_repetition_weighs_more_but_saturates():
    once, twice, often = (term_weight(TermHit(count, 5), 50, COLLECTION) for count in (1, 2, 1_000))
    assert once < twice < 2 * once
    assert often < 1.9 * once + 1e-9


@pytest.mark.rule("8.8 candidates")
def test_the_same_occurrence_weighs_less_in_a_longer_text():
    assert term_weight(TermHit(1, 5), 200, COLLECTION) < term_weight(TermHit(1, 5), 20, COLLECTION)


def test_a_rare_term_weighs_more_than_a_common_one():
    assert term_weight(TermHit(1, 2), 50, COLLECTION) > term_weight(TermHit(1, 60), 50, COLLECTION)


@pytest.mark.rule("8.8 relevance")
def test_the_best_possible_weight_is_every_term_once_at_average_length():
    frequencies = (3, 40, 0)
    found = sum(term_weight(TermHit(1, frequency), 50, COLLECTION) for frequency in frequencies)
    assert text_score(found, best(*frequencies)) == pytest.approx(1)


def test_a_text_with_one_of_two_equally_rare_terms_scores_one_half():
    found = term_weight(TermHit(1, 7), 50, COLLECTION)
    assert text_score(found, best(7, 7)) == pytest.approx(0.5)


def test_a_query_without_terms_scores_zero():
    assert text_score(0.0, best()) == 0


def test_a_text_that_has_every_term_and_repeats_one_scores_above_one():
    weight = term_weight(TermHit(3, 7), 50, COLLECTION) + term_weight(TermHit(1, 9), 50, COLLECTION)
    assert text_score(weight, best(7, 9)) > 1


@given(
    hits=st.lists(st.tuples(st.integers(0, 50), st.integers(0, 100)), max_size=8),
    length=st.integers(0, 5_000),
    average=st.floats(0, 500),
)
def test_the_text_score_is_never_negative_and_bounded_by_saturation(hits, length, average):
    collection = Collected(100, average)
    weight = sum(term_weight(TermHit(count, frequency), length, collection) for count, frequency in hits)
    assert 0 <= text_score(weight, best(*(frequency for _, frequency in hits))) <= 1.9 + 1e-9
