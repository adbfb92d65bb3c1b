"""A later clause of a sentence about something of the user's: `Ingrid left, my new manager is Pieter` (English)."""

import re
from typing import Final

from memd.domain.facts.patterns import ROLES

_RELATIVE: Final = r"(?:parents?|family|wife|husband|partner|kids?|children|sons?|daughters?|brothers?|sisters?|team|colleagues?|friends?)"
_CLAUSE: Final = re.compile(
    r"(?:[,;]|\s[-–—]|\s(?:and|but))\s+(?:(?:and|but|so|now)\s+)?(?P<whose>the\s+user['’]s|my|our|their|the(?=\s+new\s))\s+"
    r"(?P<rest>(?:[\w-]+\s+){1,3}?(?:(?:is|are)\s|(?-i:[A-ZÀ-Þ]))[^?]*)$",
    re.IGNORECASE,
)
_NOT_SO: Final = re.compile(
    r"\b(?:if|unless|when|whenever|once|wish|imagine|suppose|assum\w+|pretend|dream\w*|thought|says?|said|asks?|asked|tells?|told|claims?|claimed|reads?|heard|hears?|thinks?|believes?|story|novel|film|movie|maybe|perhaps|would|could|might)\b",
    re.IGNORECASE,
)
"""Words before the clause that put it in doubt or attribute it to somebody else."""
_OF_THE_USER: Final = re.compile(rf"the\s+user\b(?!['’]s\s+(?:\w+\s+)?{_RELATIVE}\b)", re.IGNORECASE)
_GAVE_UP: Final = re.compile(
    r"the\s+user\s+(?:(?:has|just|recently|finally)\s+)*(?:sold|swapped|traded\s+in|got\s+rid\s+of|gave\s+away|quit|left)\b",
    re.IGNORECASE,
)
"""Before the new thing in place of the old one: `The user sold the Volvo; the new car is a Kia`."""
_CHANGED: Final = re.compile(
    r"(?:the\s+user|we|I)\s+(?:(?:has|have|just|recently|finally)\s+)*(?:changed|switched)\s+(?:(?:the|our|my|their)\s+)?"
    rf"(?P<role>{ROLES}|bank|insurer|vet|gym|supplier)s?(?:[,:;]|\s[-–—])\s+"
    r"(?:it\s+is|it['’]s|he\s+is|he['’]s|she\s+is|she['’]s|the\s+new\s+one\s+is)\s+(?:now\s+)?(?P<value>(?-i:[A-ZÀ-Þ])[^?]*)$",
    re.IGNORECASE,
)
"""`We changed dentists: it is now Dr. Amari`."""


def own_clause(sentence: str) -> str | None:
    """The later clause as a sentence about the user; None without one.

    "their" means the user where the sentence begins with the user: `The user is in Bonn, and their timezone is CET`; so
    does "the new" where the user gave up the old one.
    """
    if changed := _CHANGED.match(sentence):
        return f"The user's new {changed['role']} is {changed['value']}"
    match = _CLAUSE.search(sentence)
    if match is None or _NOT_SO.search(sentence[: match.start()]):
        return None
    needed = {"their": _OF_THE_USER, "the": _GAVE_UP}.get(match["whose"].lower())
    if needed is not None and not needed.match(sentence):
        return None
    return f"The user's {match['rest']}"
