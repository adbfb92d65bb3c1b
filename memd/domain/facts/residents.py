"""Distinguishes who lives somewhere from what is only located there: a thing has no residence."""

import re
from typing import Final

from memd.domain.text.other_people import KIN_AND_ROLES

_MORE_PEOPLE: Final = """
    user users man men woman women boy boys girl girls guy guys lady ladies person people couple family families relatives
    sibling siblings grandparents in-laws baby twin twins fiancée ex student students intern interns trainee apprentice nanny
    tenant tenants guest guests bosses managers clients customers teachers doctors cat cats dog dogs
"""
_SOMEBODY: Final = frozenset([*KIN_AND_ROLES.split(), *_MORE_PEOPLE.split()])
_DETERMINED: Final = re.compile(r"(?:the|an?|our|my|your|his|her|its|their|this|these|all)\s+", re.IGNORECASE)
_AFTER_HEAD: Final = re.compile(r"\s+(?:of|for|from|in|on|at|to|with|next)\s.*")
_PLURAL: Final = re.compile(r"\b(?:live|reside|are)\b", re.IGNORECASE)


def is_thing(phrase: str, verb: str) -> bool:
    """Whether a noun phrase, as written with its determiner, is a thing that only figuratively `lives` somewhere.

    "Our passwords live in …", "Passwords live in …" and "The API docs live in …" are; "my mother", "Lena" and "the Millers"
    are not. A noun in lower case that is not a word for people is a thing; a lone word in the singular may be a name.
    """
    determined = _DETERMINED.match(phrase)
    words = _AFTER_HEAD.sub("", phrase[determined.end() if determined else 0 :]).split()
    if not words or not _SOMEBODY.isdisjoint(word.lower() for word in words):
        return False
    is_plural = _PLURAL.search(verb) is not None and "and" not in words
    if words[-1][0].isupper():
        return is_plural and not determined and len(words) == 1 and words[0].endswith("s")
    return is_plural or determined is not None or any(word[0].isupper() for word in words)
