"""The sentence form of roles: "Ben is the tech lead of Kestrel and reports to Ana" (English).

Only nouns of offices and occupations are roles: Oslo is the capital of Norway, and Rex the love of somebody's life.
"""

import re
from typing import Final

from memd.domain.text.alternatives import any_of
from memd.domain.text.names import COMMON_WORDS
from memd.domain.text.other_people import KIN_AND_ROLES

_OCCUPATIONS: Final = """
    lead leader head chief manager director supervisor maintainer founder co-founder cofounder owner co-owner ceo cto cfo coo
    president vice-president vp svp evp cio cmo cpo chair chairman chairwoman chairperson engineer developer programmer designer architect analyst
    scientist researcher teacher professor lecturer tutor principal dean coach trainer captain editor journalist reporter
    coordinator organizer organiser administrator secretary treasurer accountant auditor consultant advisor adviser officer chef
    cook barista nurse doctor physician surgeon dentist therapist psychologist counselor counsellor pharmacist lawyer attorney
    paralegal producer curator librarian mayor minister bishop pastor spokesperson spokeswoman spokesman receptionist assistant
    intern trainee apprentice student member mechanic electrician plumber carpenter bookkeeper translator salesperson recruiter
"""
OCCUPATION: Final = any_of(_OCCUPATIONS)
_KIND: Final = r"(?:(?!(?:of|the|an?|to|and|or|in|on|by|with|for|at|from|as|not|who|that)\b)[a-z][\w&/-]*\s+){0,3}?"
_SHORT_KIND: Final = r"(?:(?:senior|junior|deputy|vice|managing|executive|team|tech|product|project|software)\s+)?"
_NO_ROLE: Final = (
    r"(?!(?:former|ex|previous|late|future|next|potential|retired|incoming|outgoing|designated|would-be|alleged|only|best|worst"
    r"|real|true|right|wrong|good|great|big|huge|bad|perfect|born|natural|kind|sort|type|bit|lot)\b)"
)
"""How good somebody is in a role, or that they are not in it."""
_ADVERB: Final = r"(?:(?:now|currently|still|also)\s+)?"
_ARTICLE: Final = r"(?:the|an?)\s+(?:(?:new|current)\s+)?"
_ROLE: Final = rf"(?:{_ARTICLE}(?={_NO_ROLE}{_KIND}{OCCUPATION}\s)|(?={_SHORT_KIND}{OCCUPATION}\s))"
"""Words before a role; without an article only if there are few: `is hoping to become manager of` states no role."""
_NOWHERE: Final = (
    r"(?!(?:all|any|nothing|nobody|least|best|sorts|night|home|heart|course|choice|your|great|me|us|you|him|them|it|this|that"
    r"|these|those|what|which|whom|(?:their|his|her|my|our)\s+own|the\s+(?:moment|time|year))\b|\d)"
)
"""Words after a preposition that name no team, company or thing."""
NO_MANAGER: Final = (
    r"(?!\s+(?:work|duty|no\s+one|nobody|none|(?:the\s+)?(?:police|authorities|public|press|tax\s+office|city|council)\b)"
    r"|(?:\s+(?!(?:and|but|who|since)\b)[\w.'’-]+){1,4}?\s+(?:that|about|whether|whenever|every|each|once|twice)\b)"
)
"""After `reports to`: no place or authority, nor words for what or when is reported."""
_GROUPS: Final = """
    user team group squad unit department division crew staff office branch committee driver employee worker volunteer contractor
    freelancer
"""
_REPORTING: Final = frozenset(
    f"{_OCCUPATIONS} {KIN_AND_ROLES} user team group squad unit department division crew staff".split()
)


def may_have_manager(subject: str) -> bool:
    """Whether a subject is somebody or a group of people: "the exporter reports to Grafana" names no manager.

    A phrase that ends in lower case is a thing, unless the last word is one for people.
    """
    last = subject.rsplit(maxsplit=1)[-1]
    return last[0].isupper() or last.lower().removesuffix("s") in _REPORTING


_NAME: Final = rf"(?P<subject>the\s+user|(?!(?:{'|'.join(sorted(COMMON_WORDS))})\b)(?-i:(?:(?:Dr|Prof|Mrs?|Ms)\.?\s)?[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+){{0,2}}))"
_IN_ROLE: Final = (
    rf"{_ROLE}(?P<value>{_KIND}{OCCUPATION}\s+(?:of|at)\s+{_NOWHERE}\S(?:(?!\s(?:if|unless|for\s+now)\b).)*)"
    r"(?!\s(?:if|unless)\b)"
)
ROLE_FORMS: Final = (
    # whether the words deny the role, the form
    (False, rf"^{_NAME}\s+is\s+{_ADVERB}{_IN_ROLE}"),
    (True, rf"^{_NAME}\s+is\s+no\s+longer\s+{_IN_ROLE}"),
)
"""A new role may be one more: no role states a change."""
ALSO_REPORTS: Final = re.compile(
    rf"^{_NAME}\s+is\s+{_ADVERB}{_ROLE}{_KIND}{OCCUPATION}\b"
    r"(?:(?!\s(?:that|who|whom|which|where|when|while|because|if)\b)[^.,;:!?()]){0,60}?,?\s+and\s+(?P<rest>(?:now\s+)?reports\s+to"
    rf"{NO_MANAGER}\s+\S.*)",
    re.IGNORECASE,
)
"""A second clause about the same person."""
