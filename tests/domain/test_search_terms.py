import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.search_terms import MOST_ROWS, MOST_WORDS, SearchTerm, choose_terms, needs_shares, search_terms
from memd.domain.word_forms import word_forms


def forms(terms):
    return [term.forms for term in terms]


def test_words_stand_once_in_the_order_of_the_query():
    assert forms(search_terms(["boat", "red", "boat"], english=False)) == [("boat",), ("red",)]


def test_irregular_forms_count_as_one_word_in_english_only():
    assert forms(search_terms(["go", "boat", "went"], english=True)) == [word_forms("go"), ("boat",)]
    assert forms(search_terms(["go", "went"], english=False)) == [("go",), ("went",)]


@pytest.mark.parametrize(
    ("stem", "others"), [("go", {"went", "gone"}), ("won", {"win"}), ("children", {"child"}), ("boat", set())]
)
def test_the_forms_of_a_word(stem, others):
    assert {stem} | others <= set(word_forms(stem))
    assert all(word_forms(other) == word_forms(stem) for other in others)


@pytest.mark.parametrize(
    ("words", "rows", "needed"), [(3, 4_000, False), (3, 4_001, True), (32, 10, False), (33, 10, True)]
)
def test_words_are_chosen_among_many_rows_or_many_words(words, rows, needed):
    assert needs_shares(tuple(SearchTerm((str(number),)) for number in range(words)), rows) is needed


@pytest.mark.rule("11.4 candidates")
def test_the_rarest_words_are_searched_and_the_others_only_counted():
    terms = search_terms(["common", "rare", "some"], english=False)
    chosen = choose_terms(terms, {"common": 0.6, "rare": 0.001, "some": 0.01}, rows=100_000)
    assert forms(chosen) == [("rare",), ("some",), ("common",)]
    assert [term.searched for term in chosen] == [True, True, False]
    assert [term.share for term in chosen] == [0.001, 0.01, 0.6]


def test_the_rarest_word_is_searched_however_common():
    chosen = choose_terms(search_terms(["a", "b"], english=False), {"a": 1.0, "b": 0.9}, rows=1_000_000)
    assert [term.searched for term in chosen] == [True, False]


def test_a_word_is_as_common_as_its_forms_together():
    (term,) = choose_terms(search_terms(["go"], english=True), {"go": 0.2, "went": 0.3}, rows=10)
    assert term.share == pytest.approx(0.5)


@given(shares=st.lists(st.floats(0, 1), max_size=60), rows=st.integers(0, 10**7))
def test_the_choice_is_bounded(shares, rows):
    names = [f"w{number}" for number in range(len(shares))]
    chosen = choose_terms(search_terms(names, english=False), dict(zip(names, shares, strict=True)), rows)
    assert len(chosen) == min(len(names), MOST_WORDS)
    searched = [term for term in chosen if term.searched]
    assert bool(searched) == bool(chosen)
    assert len(searched) <= 1 or sum((term.share or 0) * rows for term in searched) <= MOST_ROWS
