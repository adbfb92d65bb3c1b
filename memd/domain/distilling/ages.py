"""Whose age a sentence states: "My son is 11", corrected by "Sorry, he's 12"."""

import re
from typing import Final

from memd.domain.distilling.features import plain
from memd.domain.distilling.pronouns import MEANT, may_refer_to, people
from memd.domain.distilling.values import NUMBER_WORD, Sort, Value

_ONE_IS: Final = r"'s|'m| am| is| was| turned| turns"
_MANY_ARE: Final = r"'re| are| were| turned| turn"
_NOW: Final = r"(?: (?:now|already|only|just))?"
AGE_OF: Final = re.compile(
    rf"(?:(i|he|she)(?:{_ONE_IS})|(we|they)(?:{_MANY_ARE})){_NOW} (?=(?:\d{{1,3}}|{NUMBER_WORD})\b)", re.IGNORECASE
)
"""The words before an age in a correction: `he's`."""
AGE_END: Final = re.compile(r"(?:(?: years?)? old| years?)?(?: (?:now|already))?\Z", re.IGNORECASE)
_AGE: Final = re.compile(rf"\d\d?|1[01]\d|{NUMBER_WORD}", re.IGNORECASE)
_UNITS: Final = frozenset({"", "year", "years", "month", "months", "week", "weeks"})
_CLAUSES: Final = re.compile(r"[,;:]|\b(?:and|but|while|who) ")
_STATED: Final = re.compile(rf"(?P<subject>.{{1,80}}?)(?:(?P<one>{_ONE_IS})|(?:{_MANY_ARE})){_NOW}\Z", re.IGNORECASE)
_NAMED: Final = re.compile(r"\b[A-Z]\w* (?:is|was|has)\b")
_FURTHER_NUMBER: Final = re.compile(r"\W*(?:(?:and|or|to) )?\d")


def may_be_age_of(pronoun: str, sentence: str, value: Value) -> bool:
    """Whether the sentence states this number as the age of somebody whom the pronoun may refer to: `he` of `My son is 11`."""
    if value.sort is not Sort.NUMBER or value.unit not in _UNITS or not _AGE.fullmatch(value.text):
        return False
    rest = plain(sentence[value.end :])
    if _FURTHER_NUMBER.match(rest) or (pronoun in MEANT and (people(pronoun, rest) or _NAMED.search(rest))):
        return False
    stated = _STATED.fullmatch(_CLAUSES.split(plain(sentence[: value.start]))[-1].strip())
    return (
        stated is not None
        and (stated["one"] is None) == (pronoun in {"we", "they"})
        and may_refer_to(pronoun, stated[1])
    )
