import re

import pytest

from memd.domain.text.alternatives import any_of, either

AT_HOME = re.compile(rf"bin {any_of(' muede  zu_(?:hause|zweit) ')} heute")


@pytest.mark.parametrize(
    ("text", "matches"),
    [("bin muede heute", True), ("bin zu zweit heute", True), ("bin zu_hause heute", False), ("bin heute", False)],
)
def test_words_are_patterns_and_an_underscore_is_a_space(text, matches):
    assert bool(AT_HOME.fullmatch(text)) is matches


def test_what_follows_belongs_to_every_alternative():
    assert re.fullmatch(either("a+", "b") + "c", "aac")
    assert not re.fullmatch(either("a+", "b") + "c", "aa")
