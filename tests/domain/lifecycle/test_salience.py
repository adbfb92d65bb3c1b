import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.lifecycle.salience import salience
from memd.domain.types import Category, Store

PLAIN = (Category.CONVERSATION, Store.SENSORY)
ONE_WORD = 0.005


def plain(title, content, tags=0):
    return salience(title, content, *PLAIN, tags)


@pytest.mark.rule("11.5 length")
def test_it_starts_at_three_tenths():
    assert plain("", "") == pytest.approx(0.3)


@pytest.mark.rule("11.5 length")
@pytest.mark.parametrize(("words", "points"), [(1, 0.005), (10, 0.05), (30, 0.15), (200, 0.15)])
def test_length_counts_a_two_hundredth_per_word_up_to_fifteen_hundredths(words, points):
    assert plain("", "tea " * words) == pytest.approx(0.3 + points)


def test_title_and_content_count_together():
    assert plain("tea cup", "tea") == pytest.approx(0.315)


@pytest.mark.rule("11.5 wording")
@pytest.mark.parametrize("word", ["decided", "agreed", "decision", "chose", "approved"])
def test_decision_wording(word):
    assert plain("", word) == pytest.approx(0.3 + 0.15 + ONE_WORD)


@pytest.mark.rule("11.5 wording")
@pytest.mark.parametrize("word", ["learned", "lesson", "mistake", "error", "always", "never"])
def test_lesson_wording(word):
    assert plain("", word) == pytest.approx(0.3 + 0.12 + ONE_WORD)


@pytest.mark.rule("11.5 wording")
@pytest.mark.parametrize("word", ["goal", "deadline", "must", "2026-03-01", "should", "target"])
def test_goal_wording(word):
    assert plain("", word) == pytest.approx(0.3 + 0.12 + ONE_WORD)


@pytest.mark.rule("11.5 wording")
def test_each_group_of_wording_counts_once():
    assert plain("", "decided agreed learned mistake goal deadline") == pytest.approx(0.3 + 0.39 + 6 * ONE_WORD)


@pytest.mark.parametrize("word", ["decisive", "errorless", "goalkeeper", "mustard"])
def test_wording_is_whole_words(word):
    assert plain("", word) == pytest.approx(0.3 + ONE_WORD)


@pytest.mark.rule("11.5 category")
@pytest.mark.parametrize(
    ("category", "points"),
    [
        (Category.DECISION, 0.20),
        (Category.LESSON, 0.18),
        (Category.GOAL, 0.15),
        (Category.SKILL, 0.14),
        (Category.PERSON, 0.12),
        (Category.RULE, 0.12),
        (Category.WORKFLOW, 0.10),
        (Category.FACT, 0.08),
        (Category.EVENT, 0.05),
        (Category.CONVERSATION, 0.0),
    ],
)
def test_category(category, points):
    assert salience("", "", category, Store.SENSORY, 0) == pytest.approx(0.3 + points)


@pytest.mark.rule("11.5 store")
@pytest.mark.parametrize(
    ("store", "points"),
    [
        (Store.SEMANTIC, 0.15),
        (Store.PROCEDURAL, 0.12),
        (Store.PROSPECTIVE, 0.10),
        (Store.EPISODIC, 0.08),
        (Store.SENSORY, 0.0),
    ],
)
def test_store(store, points):
    assert salience("", "", Category.CONVERSATION, store, 0) == pytest.approx(0.3 + points)


@pytest.mark.rule("11.5 names")
@pytest.mark.parametrize(("names", "points"), [(1, 0.05), (2, 0.08), (9, 0.08)])
def test_capitalised_words_count_a_twentieth_up_to_eight_hundredths(names, points):
    assert plain("", "Tea " * names) == pytest.approx(0.3 + names * ONE_WORD + points)


def test_a_quotation_mark_does_not_hide_a_capital():
    assert plain("", "“Tea”") == pytest.approx(0.3 + ONE_WORD + 0.05)


@pytest.mark.rule("11.5 tags")
@pytest.mark.parametrize(("tags", "points"), [(1, 0.02), (4, 0.08), (32, 0.08)])
def test_tags_count_two_hundredths_each_up_to_eight(tags, points):
    assert plain("", "", tags) == pytest.approx(0.3 + points)


@pytest.mark.rule("11.5 cut")
def test_the_sum_is_cut_to_one():
    text = "We Decided and Learned: the Goal " * 20
    assert salience("", text, Category.DECISION, Store.SEMANTIC, 9) == 1


@pytest.mark.rule("11.5 cut")
@given(st.text(), st.text(), st.sampled_from(Category), st.sampled_from(Store), st.integers(0, 40))
def test_it_stays_within_its_bounds(title, content, category, store, tags):
    assert 0.3 <= salience(title, content, category, store, tags) <= 1
