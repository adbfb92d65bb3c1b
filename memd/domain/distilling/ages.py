"""Whose age a sentence states: "My son is 11", corrected by "Sorry, he's 12"."""

import re
from typing import Final

from memd.domain.distilling.features import plain
from memd.domain.distilling.other_people import KIN_AND_ROLES
from memd.domain.distilling.values import NUMBER_WORD, Sort, Value
from memd.domain.names import COMMON_WORDS

_ONE_IS: Final = r"'s|'m| am| is| was| turned| turns"
_MANY_ARE: Final = r"'re| are| were| turned| turn"
_NOW: Final = r"(?: (?:now|already|only|just))?"
AGE_OF: Final = re.compile(
    rf"(?:(i|he|she)(?:{_ONE_IS})|(we|they)(?:{_MANY_ARE})){_NOW} (?=(?:\d{{1,3}}|{NUMBER_WORD})\b)", re.IGNORECASE
)
"""What a correction says before an age: `he's`."""
AGE_END: Final = re.compile(r"(?:(?: years?)? old| years?)?(?: (?:now|already))?\Z", re.IGNORECASE)
_AGE: Final = re.compile(rf"\d\d?|1[01]\d|{NUMBER_WORD}", re.IGNORECASE)
_UNITS: Final = frozenset({"", "year", "years", "month", "months", "week", "weeks"})
_CLAUSES: Final = re.compile(r"[,;:]|\b(?:and|but|while|who) ")
_STATED: Final = re.compile(rf"(?P<subject>.{{1,80}}?)(?:(?P<one>{_ONE_IS})|(?:{_MANY_ARE})){_NOW}\Z", re.IGNORECASE)
_NAMED: Final = re.compile(r"\b[A-Z]\w* (?:is|was|has)\b")
_FURTHER_NUMBER: Final = re.compile(r"\W*(?:(?:and|or|to) )?\d")
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
_MEANT: Final = {"he": _MALE | _EITHER, "she": _FEMALE | _EITHER, "they": _MANY}


def may_be_age_of(pronoun: str, sentence: str, value: Value) -> bool:
    """Whether the sentence states this number as the age of one whom the pronoun may mean: `he` of `My son is 11`."""
    if value.sort is not Sort.NUMBER or value.unit not in _UNITS or not _AGE.fullmatch(value.text):
        return False
    rest = plain(sentence[value.end :])
    if _FURTHER_NUMBER.match(rest) or (pronoun in _MEANT and (_people(pronoun, rest) or _NAMED.search(rest))):
        return False
    stated = _STATED.fullmatch(_CLAUSES.split(plain(sentence[: value.start]))[-1].strip())
    return (
        stated is not None and (stated["one"] is None) == (pronoun in {"we", "they"}) and _may_mean(pronoun, stated[1])
    )


def means_another(pronoun: str, sentence: str, later: str) -> bool:
    """Whether somebody whom the pronoun may mean is mentioned in a later text, and not in the sentence."""
    return bool(_people(pronoun, plain(later)) - _people(pronoun, plain(sentence)))


def _people(pronoun: str, text: str) -> set[str]:
    """The words for those whom the pronoun may mean."""
    return {word.lower() for word in _WORD.findall(text)} & _MEANT.get(pronoun, frozenset())


def _may_mean(pronoun: str, subject: str) -> bool:
    """Whether a pronoun may stand for a subject such as `My son` or `Anna`."""
    words = _WORD.findall(subject.rpartition("'s ")[2])
    low = [word.lower() for word in words]
    if pronoun not in _MEANT or (low and low[0] in _PRONOUNS):
        return low == [pronoun]
    people = [word for word in low if word in _MALE | _FEMALE | _EITHER | _MANY]
    if people:
        return people[-1] in _MEANT[pronoun]
    return pronoun != "they" and 0 < len(words) <= 2 and all(_is_name(word) for word in words)


def _is_name(word: str) -> bool:
    return word[:1].isupper() and word.lower() not in COMMON_WORDS
