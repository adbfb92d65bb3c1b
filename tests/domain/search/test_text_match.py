import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.search.text_match import has_token, memory_match, query_terms, text_match, tokens

TEXT = st.text(max_size=60)


@pytest.mark.rule("11.2 keyword")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Deploy THE service", ("deploy", "the", "service")),
        ("a b1 c", ("b1",)),
        ("snake_case, kebab-case", ("snake", "case", "kebab")),
        ("Größe 42", ("größe", "42")),
        ("! ?", ()),
    ],
)
def test_a_token_is_a_run_of_two_letters_or_digits_in_lower_case(text, expected):
    assert tokens(text) == expected


@pytest.mark.rule("11.2 keyword")
def test_the_whole_query_inside_the_text_counts_one():
    assert text_match(query_terms(" Blue WHALE "), "The blue whales are back") == 1


@pytest.mark.rule("11.2 keyword")
def test_the_whole_query_may_span_title_and_content():
    assert memory_match(query_terms("port 7377"), "The port", "7377 is ours", []) == 1


@pytest.mark.rule("11.2 keyword")
def test_else_the_share_of_query_tokens_found():
    assert text_match(query_terms("deploy the blue service"), "the service is up") == 0.5


@pytest.mark.rule("11.2 keyword")
def test_tags_count_too():
    assert memory_match(query_terms("billing outage"), "Monday", "It was down", ["billing"]) == 0.5


def test_a_token_is_found_as_a_whole_word_only():
    assert text_match(query_terms("cat food"), "the category of foods") == 0
    assert text_match(query_terms("cat food"), "cat_food") == 1


def test_a_repeated_query_token_counts_once():
    assert text_match(query_terms("red red blue"), "blue") == 0.5


@pytest.mark.parametrize(("query", "score"), [("", 0), ("?!", 0), ("a", 0), ("++", 1), ("x", 1)])
def test_a_query_without_tokens_matches_only_as_a_whole(query, score):
    assert text_match(query_terms(query), "The C++ unit of 1x") == score


@pytest.mark.parametrize(
    ("text", "token", "found"),
    [
        ("concat cat", "cat", True),
        ("cat", "cat", True),
        ("cats", "cat", False),
        ("9cat", "cat", False),
        ("", "a", False),
    ],
)
def test_has_token_looks_at_both_ends(text, token, found):
    assert has_token(f" {text} ", token) is found


def test_has_token_looks_at_few_places():
    assert has_token(f" {'concat ' * 9}cat ", "cat") is None


@pytest.mark.parametrize("number", [3, 100])
def test_a_token_behind_many_words_that_hold_it_is_found(number):
    words = " ".join(f"w{index}" for index in range(number))
    assert text_match(query_terms(f"cat {words}"), f"{'concat ' * 99}cat.") == pytest.approx(1 / (number + 1))


@pytest.mark.parametrize("longest", [40, 90])
def test_tokens_that_occur_everywhere_in_a_long_word_are_not_looked_for_at_each_place(longest):
    terms, calls = query_terms(" ".join("a" * length for length in range(2, longest))), Counter()
    sys.setprofile(lambda _frame, event, _function: calls.update([event]))
    try:
        assert text_match(terms, "a" * 5_000) == 0
    finally:
        sys.setprofile(None)
    assert calls["c_call"] < 40 * longest


@given(query=TEXT, texts=st.lists(TEXT, max_size=3))
def test_the_match_is_within_the_unit_interval(query, texts):
    assert 0 <= text_match(query_terms(query), *texts) <= 1


@given(text=TEXT, query=TEXT)
def test_has_token_agrees_with_the_tokens_of_the_text(text, query):
    known = set(tokens(text))
    assert all(has_token(f" {text.lower()} ", token) in {token in known, None} for token in tokens(query))
