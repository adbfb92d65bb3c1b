import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.ranking.word_pairs import WordPair, word_pairs
from memd.domain.search.terms import MAX_WORDS, choose_terms, search_terms
from memd.domain.text_analysis.query import QueryWord


def terms_at(**positions):
    return search_terms(QueryWord((name,), list(places)) for name, places in positions.items())


@pytest.mark.rule("11.2 pairs")
def test_neighbours_are_at_most_three_positions_apart():
    terms = terms_at(pressure=[2], blue=[5], valve=[6], unit=[8], twelve=[12])
    assert word_pairs(terms) == (WordPair(0, 1, 3), WordPair(1, 2, 1), WordPair(2, 3, 2))


def test_a_pair_that_repeats_counts_once_with_its_widest_gap():
    assert word_pairs(terms_at(a=[1, 4], b=[2, 6])) == (WordPair(0, 1, 2), WordPair(1, 0, 2))


def test_a_word_is_no_neighbour_of_itself():
    assert word_pairs(terms_at(a=[1, 2], b=[3])) == (WordPair(0, 1, 1),)


def test_words_at_one_position_are_each_a_neighbour_of_the_next():
    assert word_pairs(terms_at(a=[1], b=[1], c=[2])) == (WordPair(0, 2, 1), WordPair(1, 2, 1))


def test_positions_of_all_forms_belong_to_the_word():
    terms = search_terms([QueryWord(("go", "went"), [1, 5]), QueryWord(("home",), [6])])
    assert [word.positions for word in terms.words] == [(1, 5), (6,)]


def test_pairs_survive_the_choice_of_words():
    terms = choose_terms(terms_at(common=[1], rare=[2]), {"common": 0.5}, rows=100_000)
    assert word_pairs(terms) == (WordPair(1, 0, 1),)


def test_a_query_without_positions_has_no_pairs():
    assert word_pairs(search_terms([QueryWord(("a",)), QueryWord(("b",))])) == ()


@given(st.lists(st.lists(st.integers(1, 60), max_size=4), max_size=MAX_WORDS))
def test_there_are_at_most_as_many_pairs_as_words(positions):
    terms = terms_at(**{f"w{number}": places for number, places in enumerate(positions)})
    assert len(word_pairs(terms)) <= len(terms.words)
