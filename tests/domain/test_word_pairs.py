import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.search_terms import MOST_WORDS, choose_terms, search_terms
from memd.domain.text_analysis.query import QueryWord
from memd.domain.word_pairs import WordPair, pair_share, word_pairs


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


@pytest.mark.rule("11.2 pairs")
def test_the_share_is_weighted_by_the_rarity_of_both_words():
    pairs = (WordPair(0, 1, 1), WordPair(1, 2, 1))
    assert pair_share(pairs, 0b01, [1.0, 2.0, 3.0]) == pytest.approx(3 / 8)
    assert pair_share(pairs, 0b11, [1.0, 2.0, 3.0]) == 1
    assert pair_share(pairs, 0, [1.0, 2.0, 3.0]) == 0
    assert pair_share((), 0, []) == 0


@given(st.lists(st.lists(st.integers(1, 60), max_size=4), max_size=MOST_WORDS), st.integers(0, 2**40))
def test_the_share_is_within_0_and_1(positions, held):
    terms = terms_at(**{f"w{number}": places for number, places in enumerate(positions)})
    pairs = word_pairs(terms)
    assert len(pairs) <= len(terms.words)
    assert 0 <= pair_share(pairs, held, [1.0] * len(positions)) <= 1
