"""Splitting stops at a number of parts: a text of 64 MB may have 30 million of them."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.chunks.chunking import split

TEXT = st.text("ab; \n\t#", max_size=60)


@given(TEXT, st.text("ab; \n\t#", min_size=1, max_size=3))
def test_a_delimiter_of_any_characters_cuts_as_it_is_written(text, delimiter):
    assert split(text, delimiter=delimiter) == [piece.strip() for piece in text.split(delimiter) if piece.strip()]


@given(TEXT, st.integers(1, 20), st.integers(1, 9), st.sampled_from([None, "\n", "a"]))
def test_no_more_parts_are_made_than_asked_for(text, size, most, delimiter):
    every = split(text, chunk_size=size, delimiter=delimiter)
    assert split(text, chunk_size=size, delimiter=delimiter, maximum=most) == every[:most]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("ax" * 1_000_000, {"delimiter": "x"}),
        ("x" * 2_000_000, {"delimiter": "x"}),
        ("ab " * 600_000, {"chunk_size": 9}),
    ],
    ids=["a part between two delimiters", "nothing but delimiters", "small parts"],
)
def test_what_is_beyond_the_last_part_takes_no_memory(text, fields):
    tracemalloc.start()
    try:
        split(text, maximum=100, **fields)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * len(text)
