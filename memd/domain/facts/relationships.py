"""Inverse facts: "Ana's sister Eva" also states that Eva is Ana's sister, so that she is found by her name."""

import re
from collections.abc import Sequence
from typing import Final

from memd.domain.facts.facts import Fact
from memd.domain.facts.patterns import ROLES

_PERSONAL: Final = re.compile(rf"(?:{ROLES.replace(' ', '-')}|spouse)", re.IGNORECASE)
"""An attribute whose value is a person or a pet."""
_UPPER: Final = "A-ZÀ-ÖØ-Þ"
_NAME: Final = re.compile(rf"(?:(?:Dr|Prof|Mrs?|Ms)\.? )?[{_UPPER}][\w'’-]+(?: [{_UPPER}][\w'’-]+){{0,2}}")


def with_relations(facts: Sequence[Fact]) -> list[Fact]:
    """The facts, then for each that names somebody by a role a fact about that person: whose sister or dentist they are."""
    relations = [
        Fact(fact.value, "relation", f"{_holder(fact)}'s {fact.attribute.replace('-', ' ')}", denied=fact.denied)
        for fact in facts
        if _PERSONAL.fullmatch(fact.attribute) and _NAME.fullmatch(fact.value)
    ]
    return [*facts, *relations]


def _holder(fact: Fact) -> str:
    return "the user" if fact.subject_key == "user" else fact.subject
