"""First names and full names: "Ana" is Ana Ruiz while no other Ana is known (contract 11.2, 17.5).

A memory that states something of Ana Ruiz also has a fact that "Ana" is a first name of hers, so that her full name is
found by it. Such facts are never shown, and contradict nothing. Whether two statements contradict each other is decided by
the subjects as written: another Ana may become known later.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from memd.domain.facts.facts import Fact
from memd.domain.facts.profiles import StatedFact
from memd.domain.text.names import COMMON_WORDS

FULL_NAME: Final = "(full-name)"
"""The attribute of a first name whose value is the subject key of the full name; no text states one with brackets."""
_OF_PEOPLE: Final = re.compile(
    r"residence|employer|role|manager|boss|spouse|wife|husband|partner|allergy|diet|language|preference|likes|dislikes"
    r"|relation|email|phone-number|start-date|birthday|son|daughter|sister|brother|mother|father|uses"
)
_UPPER: Final = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĞĢĪĮİĶŁĻŃŅŇŐŒŘŚŞŠŤŪŮŰŲŹŻŽ"
_FULL: Final = re.compile(
    rf"(?P<first>[{_UPPER}][^\W\d_]+)(?: (?:(?:van|von|de|der|del|la|da) ){{0,2}}[{_UPPER}][\w'’-]+){{1,2}}"
)
_NO_PEOPLE: Final = """
    dr prof mr mrs ms st saint sir project team unit room client company group department office
"""
_NO_FIRST: Final = COMMON_WORDS.union(_NO_PEOPLE.split())


def with_full_names(facts: Sequence[Fact]) -> list[Fact]:
    """The facts, then for each person among their subjects who has a full name the first name of it."""
    people = {fact.subject: fact.subject_key for fact in facts if _OF_PEOPLE.fullmatch(fact.attribute)}
    names = [(match["first"], key) for subject, key in people.items() if (match := _FULL.fullmatch(subject))]
    return [*facts, *(Fact(first, FULL_NAME, key) for first, key in names if first.lower() not in _NO_FIRST)]


def first_name(subject_key: str) -> str:
    """The key of the first name with which the key of a full name begins; that of a first name itself."""
    return subject_key.partition("-")[0]


def about(stated: Iterable[StatedFact], keys: Collection[str], *, everybody: bool) -> list[StatedFact]:
    """Those of the facts that are about subjects with these keys; `stated` includes the first names of full names.

    A first name and the only full name that begins with it are one subject, named by the full name. If there are several,
    the first name means all of them with `everybody`, else only who has no other name.
    """
    facts = list(stated)
    full: dict[str, set[str]] = {}
    for fact in facts:
        if fact.attribute == FULL_NAME:
            full.setdefault(fact.subject_key, set()).add(fact.value)
    same = {first: next(iter(names)) for first, names in full.items() if len(names) == 1}
    wanted_keys = {same.get(key, key) for key in keys}
    if everybody:
        wanted_keys.update(name for key in keys for name in full.get(key, ()))
    written = {fact.subject_key: fact.subject for fact in reversed(facts) if fact.attribute != FULL_NAME}
    found: list[StatedFact] = []
    for fact in facts:
        key = same.get(fact.subject_key, fact.subject_key)
        if fact.attribute != FULL_NAME and key in wanted_keys:
            found.append(fact._replace(subject_key=key, subject=written.get(key, fact.subject)))
    return found
