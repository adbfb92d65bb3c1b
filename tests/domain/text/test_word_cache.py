"""Cached decisions about words: the same as without the cache, asked once a word, and bounded."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from memd.domain.text.word_cache import MAX_KEPT, MAX_KEPT_LENGTH, WordCache


@given(st.lists(st.text(max_size=40)))
def test_the_cache_says_what_the_function_says(words: list[str]) -> None:
    cache = WordCache(str.upper)
    assert [cache[word] for word in words] == [word.upper() for word in words]


def test_a_word_is_decided_once() -> None:
    asked: Counter[str] = Counter()
    cache = WordCache(lambda word: asked.update([word]))
    for word in ["valve", "line", "valve"]:
        cache[word]
    assert asked == {"valve": 1, "line": 1}


def test_long_words_are_not_kept_and_the_number_of_words_is_bounded() -> None:
    cache = WordCache(len)
    assert cache["x" * (MAX_KEPT_LENGTH + 1)] == MAX_KEPT_LENGTH + 1
    assert not cache
    for number in range(MAX_KEPT + 10):
        cache[str(number)]
    assert len(cache) <= MAX_KEPT
