"""Phrases and the cheap look whether a text may have one."""

import pytest

from memd.domain.ranking.update_words import LANGUAGES
from memd.domain.text.phrases import Phrase, Phrases

OFF = Phrases([Phrase("called_off cancelled", "(?:is|was) {}"), Phrase("plus", r"ne\b(?=.*\b{}\b)")])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The trip Is Called Off.", "Is Called Off"),
        ("Julien ne fume plus.", "ne"),
        ("It was cancelledness.", None),
        ("The plus side", None),
    ],
)
def test_a_phrase_is_found_as_whole_words_in_any_case(text: str, found: str | None) -> None:
    assert OFF.may_be_in(text)
    assert [match[0] for match in OFF.all(text)] == ([found] if found else [])
    assert (match[0] if (match := OFF.first(text)) else None) == found


def test_a_text_without_a_word_of_a_phrase_has_none() -> None:
    assert not OFF.may_be_in("The trip is off, they called.")


def test_the_words_of_a_phrase_are_in_its_pattern() -> None:
    for each in LANGUAGES:
        for phrase in (*each.over, *each.instead):
            assert "{}" in phrase.form
            assert phrase.words.replace("_", " ").split(" ")[0] in phrase.pattern
