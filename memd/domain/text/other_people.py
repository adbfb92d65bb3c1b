"""Where a sentence mentions people other than its speaker, so that a further `they` could be one of them."""

import re
from collections.abc import Sequence
from typing import Final

from memd.domain.text.names import COMMON_WORDS

_PRONOUNS: Final = frozenset({"he", "she", "him", "her", "his", "hers"})
KIN_AND_ROLES: Final = """
    wife husband spouse partner girlfriend boyfriend fiance fiancee mom mum mother dad father parents brother brothers sister
    sisters son sons daughter daughters kid kids child children aunt uncle cousin cousins niece nephew grandmother grandfather
    grandma grandpa friend friends neighbour neighbor neighbours neighbors boss manager colleague colleagues coworker mentor
    lawyer landlord landlady dentist doctor therapist teacher coach client customer recruiter accountant roommate flatmate
"""
_BEFORE_THINGS: Final = (
    "in at from near on to of for via through by using use uses used with under the a an as into onto"
)
_ACTS: Final = re.compile(
    r"(?:(?!(?:as|and|is)\b)[a-z]{2,}(?:s|ed)|is|had|left|told|said|thought|went|gave|took|got|made|knew|wrote|met|found|saw|will|can|wants?)"
)
_PEOPLE: Final = _PRONOUNS | frozenset(KIN_AND_ROLES.split())
NO_PERSON_AFTER: Final = frozenset(_BEFORE_THINGS.split())


def other_people(tokens: Sequence[str]) -> frozenset[int]:
    """The places of the words for people: pronouns, kin, roles, and names that do something."""
    return frozenset(index for index, token in enumerate(tokens) if _is_person(tokens, index, token))


def _is_person(tokens: Sequence[str], index: int, token: str) -> bool:
    low = token.lower()
    if low in _PEOPLE:
        return True
    if not token[:1].isupper() or "'" in token or low in COMMON_WORDS:
        return False
    near = [one.lower() for one in tokens[max(0, index - 2) : index] if not one.isspace()]
    following = next((one for one in tokens[index + 1 : index + 3] if not one.isspace()), "")
    return not (near and near[-1] in NO_PERSON_AFTER) and bool(_ACTS.fullmatch(following))
