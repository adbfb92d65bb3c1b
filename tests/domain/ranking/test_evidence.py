import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.ranking.evidence import EvidenceQuery, RowScores, gate, name_test, weigh
from memd.domain.ranking.word_pairs import WordPair
from memd.domain.text_analysis.language import Language

PAIRS = (WordPair(0, 1, 1), WordPair(1, 2, 1))
QUERY = EvidenceQuery((1.0, 2.0, 5.0), PAIRS)
ARMS = st.builds(
    RowScores,
    st.none() | st.floats(-1, 1),
    st.integers(0, 7),
    st.integers(0, 3),
    st.booleans(),
    states=st.sampled_from((0.0, 0.5, 1.0)),
)


def arms(cosine=0.0, words=0, pairs=0, named=False):
    return RowScores(cosine, words, pairs, named)


def beside_all_words(row, query=QUERY):
    """The evidence of a row together with one that has every word of the query."""
    return weigh([row, arms(words=0b111)], query)[0]


@pytest.mark.rule("11.2 evidence")
@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (arms(), 0),
        (arms(cosine=0.6), 0.3),
        (arms(cosine=-0.6), 0),
        (arms(words=0b111), 0.5),
        (arms(words=0b111, pairs=0b11), 0.6),
        (arms(named=True), 0.1),
        (arms()._replace(states=1.0), 0.4),
        (arms(0.6, 0b111, 0b11, named=True), 1.0),
    ],
)
def test_evidence_is_half_cosine_half_words_a_tenth_of_pairs_and_of_names(row, expected):
    assert beside_all_words(row).total == pytest.approx(expected)


@pytest.mark.rule("11.2 paraphrase")
@pytest.mark.parametrize(
    ("held", "added"), [(0b000, 0.5 * 0.6), (0b001, 0.5 * 0.6 * 7 / 8), (0b011, 0.5 * 0.6 * 5 / 8), (0b111, 0)]
)
def test_the_cosine_of_a_few_rows_counts_in_place_of_words_that_no_row_holds(held, added):
    _, paraphrase, without_vector = weigh(
        [arms(words=held), arms(cosine=0.6), RowScores(None, 0, 0, named=False)], QUERY
    )
    assert (paraphrase.paraphrase, paraphrase.context) == (pytest.approx(added), pytest.approx(added))
    assert paraphrase.total == pytest.approx(0.5 * 0.6 + added)
    assert without_vector.paraphrase == 0


@pytest.mark.rule("11.2 paraphrase")
def test_among_many_rows_a_cosine_counts_in_place_of_words_as_far_as_it_stands_out():
    found = weigh([arms(cosine=0.9), arms(cosine=0.5), *[arms(cosine=0.3)] * 10, arms(cosine=0.1)], QUERY)
    assert [row.paraphrase for row in found] == pytest.approx([0.5 * 0.6, 0.5 * 0.2, *[0.0] * 11])


@pytest.mark.rule("11.2 paraphrase")
@pytest.mark.parametrize(("background", "floor"), [(0.1, 0.3), (0.35, 0.35), (0.5, 0.5)])
def test_among_many_rows_the_background_is_at_least_a_share_of_what_unrelated_rows_have(background, floor):
    rows = [arms(cosine=0.9), *[arms(cosine=background)] * 12]
    query = EvidenceQuery((1.0, 2.0, 5.0), unrelated=0.4)
    assert weigh(rows, query)[0].paraphrase == pytest.approx(0.5 * (0.9 - floor))


@pytest.mark.rule("11.2 paraphrase")
def test_among_few_rows_the_background_is_what_unrelated_rows_have():
    (row,) = weigh([arms(cosine=0.9)], EvidenceQuery((1.0, 2.0, 5.0), unrelated=0.4))
    assert row.paraphrase == pytest.approx(0.5 * 0.5)


@pytest.mark.rule("11.2 words")
@pytest.mark.parametrize(("words", "share"), [(0b001, 1 / 8), (0b010, 2 / 8), (0b110, 7 / 8), (0b1000, 0)])
def test_words_are_a_share_by_rarity(words, share):
    assert weigh([arms(words=words)], QUERY)[0].words == pytest.approx(share)


def test_a_pair_of_characters_that_no_row_has_counts_for_half():
    query = EvidenceQuery((1.0, 2.0, 5.0), character_pairs=0b110)
    one, other = weigh([arms(words=0b001), arms(words=0b010)], query)
    assert (one.words, other.words) == (pytest.approx(1 / 5.5), pytest.approx(2 / 5.5))
    assert weigh([arms(words=0b110)], query)[0].words == pytest.approx(7 / 8)


@pytest.mark.rule("11.2 evidence")
def test_without_a_vector_words_count_whole_and_the_rest_is_added():
    found, _ = weigh([RowScores(None, 0b100, 0b11, named=True), arms(words=0b011)], QUERY)
    assert found.total == pytest.approx(5 / 8 + 0.2)
    assert (found.meaning_weight, found.words_weight) == (0, 1)


@pytest.mark.rule("11.2 evidence")
def test_without_a_lexeme_the_cosine_counts_whole():
    (found,) = weigh([arms(cosine=0.6)], EvidenceQuery())
    assert (found.total, found.paraphrase) == (pytest.approx(0.6), 0)
    assert (found.meaning_weight, found.words_weight) == (1, 0)


@pytest.mark.rule("11.2 pairs")
@pytest.mark.parametrize(("held", "share"), [(0b00, 0), (0b01, 3 / 10), (0b10, 7 / 10), (0b11, 1)])
def test_pairs_are_weighted_by_the_rarity_of_both_words(held, share):
    assert weigh([arms(words=0b111, pairs=held)], QUERY)[0].pairs == pytest.approx(share)


@pytest.mark.rule("11.2 pairs")
def test_a_pair_with_a_word_that_no_row_has_does_not_count():
    rows = [arms(words=0b011, pairs=0b01), arms(words=0b001)]
    assert [row.pairs for row in weigh(rows, QUERY)] == [1, 0]
    assert weigh([arms(words=0b100)], QUERY)[0].pairs == 0


@given(st.lists(ARMS, min_size=1, max_size=8))
def test_every_part_is_within_the_unit_interval(rows):
    for row in weigh(rows, QUERY):
        assert min(row.words, row.pairs, row.names) >= 0
        assert max(row.words, row.pairs, row.names) <= 1 + 1e-9


@pytest.mark.rule("11.2 weak")
@pytest.mark.parametrize(("cosine", "weak"), [(0.69, True), (0.71, False)])
def test_less_than_035_is_weak(cosine, weak):
    assert beside_all_words(arms(cosine=cosine)).weak is weak


@pytest.mark.rule("11.2 context")
def test_words_are_lifted_towards_what_is_held_together_and_the_better_neighbour_adds():
    rows = [arms(words=0b001), arms(cosine=0.4, words=0b010), arms(cosine=0.2), arms(words=0b111)]
    own, left, right, _ = weigh(rows, QUERY, {0: [1, 2], 1: [0], 2: [0]}, gate=0.5)
    assert own.words == pytest.approx(1 / 8 + 0.7 * 0.5 * (3 / 8 - 1 / 8))
    assert left.words == pytest.approx(2 / 8 + 0.7 * 0.5 * (3 / 8 - 2 / 8))
    assert right.words == pytest.approx(0 + 0.7 * 0.5 * (1 / 8))
    assert own.context == pytest.approx(0.3 * 0.5 * (0.5 * 0.4 + 0.5 * left.words))
    assert left.context == pytest.approx(0.3 * 0.5 * 0.5 * own.words)
    assert own.total == pytest.approx(0.5 * own.words + own.context)


@pytest.mark.rule("11.2 context")
@given(st.lists(ARMS, min_size=2, max_size=9))
def test_a_closed_gate_changes_nothing(rows):
    chain = {index: [index - 1] for index in range(1, len(rows))} | {0: [1]}
    assert weigh(rows, QUERY, chain, gate=0.0) == weigh(rows, QUERY)


@pytest.mark.rule("11.2 context")
@given(rows=st.lists(ARMS, min_size=2, max_size=9), opened=st.floats(0.01, 1))
def test_context_only_lifts(rows, opened):
    chain = {index: [near for near in (index - 1, index + 1) if 0 <= near < len(rows)] for index in range(len(rows))}
    for alone, found in zip(weigh(rows, QUERY), weigh(rows, QUERY, chain, opened), strict=True):
        assert found.total >= alone.total - 1e-12
        assert 0 <= found.words <= 1 + 1e-12


@pytest.mark.rule("11.2 context")
@pytest.mark.parametrize(
    ("onward", "apart", "opened"),
    [
        (0.5, 0.5, 0),
        (0.4, 0.5, 0),
        (0.525, 0.5, 0),
        (0.55, 0.5, 0.5),
        (0.575, 0.5, 1),
        (0.9, 0.1, 1),
        (None, None, 0),
        (float("nan"), 0.5, 0),
        (1.0, 1.0, 0),
    ],
)
def test_the_gate_opens_as_far_as_neighbours_belong_together(onward, apart, opened):
    assert gate(onward, apart) == pytest.approx(opened)


@given(rows=st.lists(ARMS, max_size=12), data=st.data())
def test_the_evidence_of_a_row_does_not_depend_on_the_others(rows, data):
    order = data.draw(st.permutations(range(len(rows))))
    found = weigh(rows, QUERY)
    mixed = weigh([rows[place] for place in order], QUERY)
    assert [mixed[order.index(place)].total for place in range(len(rows))] == pytest.approx(
        [one.total for one in found]
    )


@pytest.mark.rule("11.2 names")
@pytest.mark.parametrize(
    ("query", "title", "named"),
    [
        ("What tea does Bob drink?", "Bob", True),
        ("What tea does Bob drink?", "Bob's drinks", True),
        ("What tea does bob drink?", "Bob", False),
        ("What tea does Bob drink?", "Bobby", False),
        ("What tea does Bob drink?", "What to drink", False),
        ("When is Ödön's party", "Party of Ödön", True),
        ("is it GPT-4", "The GPT-4 report", True),
        ("why", "Why", False),
        ("", "Bob", False),
    ],
)
def test_names_are_capitalised_words_that_query_and_title_share(query, title, named):
    assert name_test(query)(title) is named


@pytest.mark.rule("11.2 names")
@pytest.mark.parametrize(
    ("query", "language", "title", "named"),
    [
        ("Wie heißt der Hund?", Language.GERMAN, "Wie der Hund heißt", True),
        ("Wie heißt er?", Language.GERMAN, "Wie er heißt", False),
        ("Die neue von Anna", Language.GERMAN, "Die Garage", False),
        ("Die neue von Anna", Language.GERMAN, "Fahrrad von Anna", True),
        ("El coche de Marta", Language.SPANISH, "El alquiler", False),
        ("Wo Chang works", Language.ENGLISH, "Wo Chang", True),
    ],
)
def test_a_stop_word_of_the_querys_language_is_no_name(query, language, title, named):
    assert name_test(query, language)(title) is named
