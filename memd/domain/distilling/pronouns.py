"""Resolves whom a pronoun may refer to: `she` is not a son, and `they` is not one sister."""

import re
from functools import lru_cache
from typing import Final

from memd.domain.distilling.features import plain
from memd.domain.facts.facts import find_facts
from memd.domain.text.names import COMMON_WORDS, proper_names
from memd.domain.text.other_people import KIN_AND_ROLES, NO_PERSON_AFTER, other_people

_WORD: Final = re.compile(r"[^\W\d_]+")
_TOKEN: Final = re.compile(r"[^\W_]+(?:'[a-z]+)?|\s+|[^\w\s]|_", re.IGNORECASE)
_PRONOUNS: Final = frozenset({"i", "we", "he", "she", "it", "you", "they", "that", "this", "there"})
_MEN: Final = """
    son brother father dad grandfather grandpa uncle nephew husband boyfriend fiance landlord man boy grandson
"""
_WOMEN: Final = """
    daughter sister mother mom mum grandmother grandma aunt niece wife girlfriend fiancee landlady woman girl granddaughter
"""
_OTHERS: Final = """
    actor agent architect assistant author babysitter baker broker builder buyer caretaker carpenter chairman chef cleaner consultant
    cook designer developer director driver editor electrician engineer farmer gardener guest guy host instructor intern journalist
    judge lady leader lecturer mayor mechanic minister nanny neighbour nurse officer owner painter pastor pharmacist pilot plumber
    president priest professor programmer psychologist receptionist salesman scientist secretary seller singer stranger student
    technician tenant trainee trainer tutor vet waiter waitress writer
"""
_MALE: Final = frozenset(_MEN.split())
_FEMALE: Final = frozenset(_WOMEN.split())
_MANY: Final = frozenset({"children", "grandchildren", "twins", "dogs", "cats", "boys", "girls"}) | {
    word for word in KIN_AND_ROLES.split() if word.endswith("s") and word != "boss"
}
_EITHER: Final = frozenset(KIN_AND_ROLES.split()) - _MALE - _FEMALE - _MANY | {
    *_OTHERS.split(),
    "baby",
    "dog",
    "cat",
    "horse",
}
_PEOPLE: Final = _MALE | _FEMALE | _EITHER | _MANY
_PERSON: Final = "|".join(sorted(_PEOPLE))
_NAME: Final = r"(?-i:[^\W\d_a-zß-ÿ][\w-]+)"
_KIN: Final = re.compile(
    rf"\b(?:my|our) (?:[a-z-]+ ){{0,2}}?(?P<kin>{_PERSON})\b(?! (?:in|of|at)\b)(?: (?:called |named )?(?P<name>{_NAME}(?: {_NAME})?))?",
    re.IGNORECASE,
)
_OF_PEOPLE: Final = frozenset({"residence", "employer", "role", "manager", "spouse"})
_BEFORE_PEOPLE: Final = re.compile(
    r"\b(?:with|by|about|like|than|and|or|met|meet|(?:(?:talk|speak|listen)\w*|spoke|wrote|said) to)\Z"
)
"""Words before a name that may be that of a person: `works with Ada`, `spoke to Max`."""
_NEAR: Final = 80
"""Characters before a name in which these words are."""
_WHAT_SOMEBODY_IS: Final = re.compile(
    rf"(?<!there )\b(?:is|was|became|works as|worked as) an? (?:[\w-]+ ){{0,2}}?(?:{_PERSON})\b",
    re.IGNORECASE,
)
_DEED: Final = re.compile(
    r"\b(?:to|i|we|you|they|can|could|will|would|should|must|don't|didn't|never|always) "
    r"(?:author|coach|cook|host|judge|nurse|partner|pilot|tutor)\b",
    re.IGNORECASE,
)
"""What somebody does, rather than who somebody is: `what can I cook`."""
_OWNED: Final = re.compile(rf"\b\w+'s (?=(?:[\w-]+ ){{0,2}}?(?:{_PERSON})\b)", re.IGNORECASE)
"""The one to whom somebody else belongs: `son's` in `my son's wife`."""
_MAX_TEXT: Final = 8_000
"""Characters of a text in which names are looked for."""
_MAX_NAMES: Final = 20
"""A text with more unknown names than this is assumed to name a person."""
MEANT: Final = {"he": _MALE | _EITHER, "she": _FEMALE | _EITHER, "they": _MANY}

_ABSENT: Final = re.compile(
    r"([^\W\d_a-zß-ÿ][\w-]+(?: [^\W\d_a-zß-ÿ][\w-]+)?) (?:is|was|will be|goes|went|has been) "
    r"(?:(?:away |back )?(?:on|from) (?:(?:her|his|their|an?) )?(?:(?:\w+ )?leave|holidays?|vacation|(?:a )?sabbatical)|off sick|ill|sick|retir(?:ed|ing))\b"
)
"""`Ana is on parental leave` is about a person, whatever its facts."""


def mentions_another(pronoun: str, sentence: str, later: str) -> bool:
    """Whether a later text mentions somebody whom the pronoun may refer to and the sentence does not mention."""
    return bool(people(pronoun, plain(later)) - people(pronoun, plain(sentence)))


@lru_cache(maxsize=256)
def names_another(pronoun: str, sentence: str, text: str, known: frozenset[str]) -> bool:
    """Whether a text mentions somebody else whom the pronoun may refer to, by a word or a name: not in the sentence, not `known`.

    A long text is assumed to. Results are cached, since each sentence of a message is compared with the same few texts.
    """
    if len(text) > _MAX_TEXT or mentions_another(pronoun, sentence, text):
        return True
    if pronoun == "they":
        return False
    tokens = _TOKEN.findall(plain(text))
    acting = {tokens[index] for index in other_people(tokens) if _is_name(tokens[index])}
    familiar = {word for one in (sentence, *known) for word in _WORD.findall(one)}
    strange = [name for name in {*acting, *proper_names(text)} if not familiar.issuperset(_WORD.findall(name))]
    return len(strange) > _MAX_NAMES or not all(_is_told_apart(pronoun, name, text) for name in strange)


def _is_told_apart(pronoun: str, name: str, text: str) -> bool:
    """Whether the word before a name rules it out for the pronoun: `at Acme`, or for `she` `brother Jan`."""
    others = NO_PERSON_AFTER | (_PEOPLE - MEANT[pronoun])
    return all(
        (before := text[max(0, match.start() - _NEAR) : match.start()].lower().split())
        and before[-1] in others
        and not _BEFORE_PEOPLE.search(" ".join(before[-2:]))
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    )


def may_be_about(pronoun: str, sentence: str) -> bool:
    """Whether a pronoun may refer to somebody in a sentence, judged by its words for people; True if it has none."""
    found = {word.lower() for word in _WORD.findall(_OWNED.sub("", plain(sentence)))} & _PEOPLE
    return not found or bool(found & MEANT[pronoun])


def people(pronoun: str, text: str) -> set[str]:
    """The words for people whom the pronoun may refer to, except in what somebody is said to be: `is a nurse`."""
    others = _DEED.sub("", _WHAT_SOMEBODY_IS.sub("", text))
    return {word.lower() for word in _WORD.findall(others)} & MEANT.get(pronoun, frozenset())


def may_refer_to(pronoun: str, subject: str) -> bool:
    """Whether a pronoun may stand for a subject such as `My son` or `Anna`."""
    words = _WORD.findall(subject.rpartition("'s ")[2])
    low = [word.lower() for word in words]
    if pronoun not in MEANT or (low and low[0] in _PRONOUNS):
        return low == [pronoun]
    kin = [word for word in low if word in _PEOPLE]
    if kin:
        return kin[-1] in MEANT[pronoun]
    return pronoun != "they" and 0 < len(words) <= 2 and all(_is_name(word) for word in words)


def mention(pronoun: str, sentence: str) -> str | None:
    """How a sentence mentions the one person whom a pronoun may refer to: `my brother Tom`, or a name about which it states a fact.

    None without one, or with several.
    """
    kin = {match[0] for match in _KIN.finditer(plain(sentence)) if match["kin"].lower() in MEANT[pronoun]}
    if kin:
        (one, *more) = kin
        return None if more or people(pronoun, sentence) - people(pronoun, one) else one
    subjects = {fact.subject for fact in find_facts(sentence) if fact.attribute in _OF_PEOPLE}
    if absent := _ABSENT.match(sentence):
        subjects.add(absent[1])
    named = [one for one in subjects if sentence.startswith(f"{one} ") and may_refer_to(pronoun, one) and _is_name(one)]
    return named[0] if len(subjects) == len(named) == 1 and not people(pronoun, sentence) else None


def _is_name(word: str) -> bool:
    return word[:1].isupper() and word.lower() not in COMMON_WORDS
