from itertools import combinations
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.search.terms import (
    MAX_ROWS,
    MAX_TOGETHER,
    MAX_WORDS,
    MIN_ROWS,
    SearchTerm,
    SearchTerms,
    choose_terms,
    needs_shares,
    search_terms,
)
from memd.domain.text.word_forms import word_forms
from memd.domain.text_analysis.query import QueryWord


def forms(terms):
    return [word.forms for word in terms.words]


def searched(terms):
    return [word.searched for word in terms.words]


def terms_of(*names):
    return search_terms(QueryWord((name,)) for name in names)


def chosen_of(shares, rows, **bounds):
    """The choice among words with these shares."""
    names = [f"w{number:02}" for number in range(len(shares))]
    return choose_terms(terms_of(*names), dict(zip(names, shares, strict=True)), rows, **bounds)


def test_pairs_of_characters_are_distinguished_from_words():
    assert terms_of("boat", "发布", "ปร", "мост", "12").character_pairs == 0b00110


def test_words_keep_the_order_of_the_query():
    assert forms(terms_of("boat", "red")) == [("boat",), ("red",)]


@pytest.mark.parametrize(
    ("stem", "others"),
    [
        *(("go", {"went", "gone"}), ("won", {"win"}), ("children", {"child", "kid"}), ("boat", set())),
        *(("colour", {"color"}), ("organis", {"organiz"}), ("pic", {"photo", "photograph"}), ("db", {"databas"})),
    ],
)
def test_the_forms_of_a_word(stem, others):
    assert {stem} | others <= set(word_forms(stem))
    assert all(word_forms(other) == word_forms(stem) for other in others)


@pytest.mark.parametrize(
    ("words", "rows", "needed"), [(3, 4_000, False), (3, 4_001, True), (32, 10, False), (33, 10, True)]
)
def test_words_are_chosen_among_many_rows_or_many_words(words, rows, needed):
    assert needs_shares(SearchTerms(tuple(SearchTerm((str(number),)) for number in range(words))), rows) is needed


@pytest.mark.rule("11.4 candidates")
def test_the_rarest_words_are_searched_and_the_others_only_counted():
    terms = terms_of("common", "rare", "some")
    chosen = choose_terms(terms, {"common": 0.6, "rare": 0.001, "some": 0.01}, rows=100_000)
    assert forms(chosen) == [("rare",), ("some",), ("common",)]
    assert (searched(chosen), chosen.together) == ([True, True, False], 1)
    assert [word.share for word in chosen.words] == [0.001, 0.01, 0.6]


@pytest.mark.parametrize(("shares", "max_together"), [([0.9], MAX_TOGETHER), ([0.9, 1.0], 1)])
@pytest.mark.rule("11.4 candidates")
def test_a_row_with_the_rarest_word_is_found_however_common_it_is(shares, max_together):
    chosen = chosen_of(shares, 1_000_000, max_together=max_together)
    assert (searched(chosen), chosen.together) == ([True, False][: len(shares)], 1)


@pytest.mark.parametrize(
    ("shares", "max_rows", "words", "together"),
    [
        ([0.06, 0.07], 500, 2, 2),  # 6,000 rows have the rarer one, 420 both
        ([0.06, 0.07, 0.5], 500, 2, 2),  # 6,920 have two of the three
        ([0.01, 0.06, 0.07], 600, 3, 2),  # 1,000 have the rarest, 550 two of the three
        ([0.5, 0.5, 0.5, 0.5, 0.5], 3_000, 5, 5),  # 3,125 have all five: there is no more to ask for
        ([0.03, 0.03], 500, 1, 1),  # 90 have both: fewer than are wanted
    ],
)
def test_where_the_rarest_word_is_common_rows_have_several(shares, max_rows, words, together):
    chosen = chosen_of(shares, 100_000, max_rows=max_rows, max_together=MAX_TOGETHER)
    assert (sum(searched(chosen)), chosen.together) == (words, together)


def test_a_word_is_as_common_as_its_forms_together():
    terms = search_terms([QueryWord(("go", "went"))])
    (word,) = choose_terms(terms, {"go": 0.2, "went": 0.3}, rows=10).words
    assert word.share == pytest.approx(0.5)


@given(
    shares=st.lists(st.floats(0, 1), max_size=60),
    rows=st.integers(0, 10**7),
    max_together=st.integers(1, MAX_TOGETHER),
)
def test_the_choice_is_bounded(shares, rows, max_together):
    chosen = chosen_of(shares, rows, max_together=max_together)
    assert len(chosen.words) == min(len(shares), MAX_WORDS)
    count = sum(searched(chosen))
    assert searched(chosen) == [index < count for index in range(len(chosen.words))]
    assert chosen.together <= max(1, min(count, max_together))
    assert bool(count) == bool(shares)
    assert count <= MAX_TOGETHER or chosen.together == 1
    assert count == chosen.together or expected(chosen, count, rows) <= MAX_ROWS * 1.000001


@given(shares=st.lists(st.floats(0.001, 1), min_size=2, max_size=6), rows=st.integers(1_000, 10**6))
def test_a_row_needs_another_word_only_where_enough_have_it(shares, rows):
    chosen = chosen_of(shares, rows, max_together=MAX_TOGETHER)
    assert chosen.together == 1 or expected(chosen, len(shares), rows) >= MIN_ROWS * 0.999999


def expected(chosen, count, rows):
    """The rows that would have this many words together, if words were independent, each choice of words by itself."""
    shares = [word.share or 0.0 for word in chosen.words[:count]]
    return rows * sum(prod(choice) for choice in combinations(shares, chosen.together))
