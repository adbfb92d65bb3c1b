"""Remembered decisions: the same as without memory, asked once a word, and bounded."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from memd.domain.text.word_memory import MAX_KEPT, MAX_KEPT_LENGTH, WordMemory


@given(st.lists(st.text(max_size=40)))
def test_memory_says_what_the_function_says(words: list[str]) -> None:
    memory = WordMemory(str.upper)
    assert [memory[word] for word in words] == [word.upper() for word in words]


def test_a_word_is_decided_once() -> None:
    asked: Counter[str] = Counter()
    memory = WordMemory(lambda word: asked.update([word]))
    for word in ["valve", "line", "valve"]:
        memory[word]
    assert asked == {"valve": 1, "line": 1}


def test_long_words_are_not_kept_and_the_number_of_words_is_bounded() -> None:
    memory = WordMemory(len)
    assert memory["x" * (MAX_KEPT_LENGTH + 1)] == MAX_KEPT_LENGTH + 1
    assert not memory
    for number in range(MAX_KEPT + 10):
        memory[str(number)]
    assert len(memory) <= MAX_KEPT
