"""Appositions: "Ana Ruiz, our designer, lives in Lisbon" states the same residence as "Ana Ruiz lives in Lisbon"."""

import re
from typing import Final

from memd.domain.facts.roles import OCCUPATION

_NAME: Final = (
    r"(?:(?:my|our|meine?|unsere?)\s+(?:[\w-]+\s+){0,2}?)?(?-i:[A-ZÀ-ÖØ-Þ][\w'’-]+(?:\s+[A-ZÀ-ÖØ-Þ][\w'’-]+){0,2})"
)
_DETERMINER: Final = (
    r"(?:our|my|his|her|their|the|an?|unsere?[mnrs]?|meine?[mnrs]?|der|die|das|eine?|(?-i:[A-Z])[\w-]+['’]s)\s"
)
_WHO: Final = rf"(?!\d)(?:{_DETERMINER}[^,;:.!?()]{{2,50}}|(?:[a-z]+\s){{0,2}}{OCCUPATION}(?:\s+(?:at|of|for|in|from)\s[^,;:.!?()]{{2,40}})?)"
_APPOSITION: Final = re.compile(
    rf"^(?P<name>{_NAME})(?:,\s+{_WHO},|\s+\({_WHO}\),?)\s+(?=(?-i:[a-zäöü]))(?!(?:and|or|but|who|whom|whose|which|with|und|oder|aber)\b)",
    re.IGNORECASE,
)
"""A name, what follows it between commas or in brackets, and the verb; "Ana, my sister, and Ben live" names two."""


def without_apposition(sentence: str) -> str:
    """The sentence without an apposition to the name that it begins with."""
    if "," not in sentence and "(" not in sentence:
        return sentence
    return _APPOSITION.sub(r"\g<name> ", sentence)
