"""Clues of single words: exactly the literals that a text holds, and the patterns that one of its words fulfils."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.policy.word_clues import WordClues

CARD_START = re.compile("[0-9]{4}")
LITERALS = ("kill", "blow up", "-0", "0", "hang ", "é", "a b c")
CLUES = WordClues([*((literal, False) for literal in LITERALS), ("KEY", True), CARD_START], str.lower)


def found(text: str) -> set[object]:
    return set(CLUES.found(text, text.lower()))


@pytest.mark.parametrize(
    ("text", "clues"),
    [
        ("Many skills", {("kill", False)}),
        ("blow it up", set()),
        ("They BLOW UP, then", {("blow up", False)}),
        ("to hang\nthere", set()),
        ("to hang there", {("hang ", False)}),
        ("a key", set()),
        ("a KEY-0", {("KEY", True), ("-0", False), ("0", False)}),
        ("since 2015.", {CARD_START, ("0", False)}),
        ("20 15", {("0", False)}),
        ("", set()),
    ],
)
def test_clues_of_a_text(text: str, clues: set[object]) -> None:
    assert found(text) == clues


@given(st.text(alphabet="kil bowupaché-0K EY\n\t", max_size=60))
def test_literals_are_found_exactly_when_the_text_holds_them(text: str) -> None:
    expected: set[object] = {(literal, False) for literal in LITERALS if literal in text.lower()}
    expected |= {("KEY", True)} if "KEY" in text else set()
    assert found(text) - {CARD_START} == expected
