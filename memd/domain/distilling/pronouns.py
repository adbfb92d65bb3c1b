"""Whom a pronoun may mean: `she` is no son, and `they` is no sister."""

import re
from typing import Final

from memd.domain.distilling.features import plain
from memd.domain.distilling.other_people import KIN_AND_ROLES
from memd.domain.names import COMMON_WORDS

_WORD: Final = re.compile(r"[^\W\d_]+")
_PRONOUNS: Final = frozenset({"i", "we", "he", "she", "it", "you", "they", "that", "this", "there"})
_MEN: Final = """
    son brother father dad grandfather grandpa uncle nephew husband boyfriend fiance landlord man boy grandson
"""
_WOMEN: Final = """
    daughter sister mother mom mum grandmother grandma aunt niece wife girlfriend fiancee landlady woman girl granddaughter
"""
_MALE: Final = frozenset(_MEN.split())
_FEMALE: Final = frozenset(_WOMEN.split())
_MANY: Final = frozenset({"children", "grandchildren", "twins", "dogs", "cats", "boys", "girls"}) | {
    word for word in KIN_AND_ROLES.split() if word.endswith("s") and word != "boss"
}
_EITHER: Final = frozenset(KIN_AND_ROLES.split()) - _MALE - _FEMALE - _MANY | {"baby", "dog", "cat", "horse"}
_PEOPLE: Final = _MALE | _FEMALE | _EITHER | _MANY
MEANT: Final = {"he": _MALE | _EITHER, "she": _FEMALE | _EITHER, "they": _MANY}


def means_another(pronoun: str, sentence: str, later: str) -> bool:
    """Whether somebody whom the pronoun may mean is mentioned in a later text, and not in the sentence."""
    return bool(people(pronoun, plain(later)) - people(pronoun, plain(sentence)))


def people(pronoun: str, text: str) -> set[str]:
    """The words for those whom the pronoun may mean."""
    return {word.lower() for word in _WORD.findall(text)} & MEANT.get(pronoun, frozenset())


def may_mean(pronoun: str, subject: str) -> bool:
    """Whether a pronoun may stand for a subject such as `My son` or `Anna`."""
    words = _WORD.findall(subject.rpartition("'s ")[2])
    low = [word.lower() for word in words]
    if pronoun not in MEANT or (low and low[0] in _PRONOUNS):
        return low == [pronoun]
    people = [word for word in low if word in _PEOPLE]
    if people:
        return people[-1] in MEANT[pronoun]
    return pronoun != "they" and 0 < len(words) <= 2 and all(_is_name(word) for word in words)


def _is_name(word: str) -> bool:
    return word[:1].isupper() and word.lower() not in COMMON_WORDS
