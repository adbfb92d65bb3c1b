"""Profiles: the facts that memories state about a subject, put together (contract 17.5, living profile)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

from memd.domain.entities import slug
from memd.domain.facts import COEXISTING

MANY_VALUED: Final = frozenset({*COEXISTING, "employer"})
"""Attributes that may have several values at a time."""


class StatedFact(NamedTuple):
    """A fact and the memory that states it; `seen_at` is when the memory was learned (epoch ms)."""

    memory_id: UUID
    subject_key: str
    subject: str
    attribute: str
    value: str
    denied: bool
    seen_at: int


@dataclass(frozen=True, slots=True)
class ProfileFact:
    """A value of an attribute with the memories that state it, the newest first; times in epoch ms.

    `contested` says that memories give the attribute, which has one value at a time, another value too.
    """

    attribute: str
    value: str
    evidence: tuple[UUID, ...]
    first_seen: int
    last_seen: int
    contested: bool


@dataclass(frozen=True, slots=True)
class Profile:
    """A subject and what is known about it, by attribute, then the last seen value first."""

    subject: str
    facts: tuple[ProfileFact, ...]
    last_seen: int


def profiles(stated: Iterable[StatedFact]) -> list[Profile]:
    """The profile of each subject, the one seen last first; `stated` has the last seen fact first.

    A value that a later memory denies is left out.
    """
    subjects: dict[str, list[StatedFact]] = {}
    for fact in stated:
        subjects.setdefault(fact.subject_key, []).append(fact)
    made = [_profile(facts) for facts in subjects.values()]
    return sorted((one for one in made if one.facts), key=lambda one: -one.last_seen)


def _profile(facts: Sequence[StatedFact]) -> Profile:
    values: dict[tuple[str, str], list[StatedFact]] = {}
    denied: set[tuple[str, str]] = set()
    for fact in facts:
        key = (fact.attribute, slug(fact.value))
        if fact.denied:
            denied.add(key)
        elif key not in denied:
            values.setdefault(key, []).append(fact)
    attributes = [attribute for attribute, _ in values]
    found = [
        ProfileFact(
            attribute=attribute,
            value=group[0].value,
            evidence=tuple(dict.fromkeys(fact.memory_id for fact in group)),
            first_seen=min(fact.seen_at for fact in group),
            last_seen=max(fact.seen_at for fact in group),
            contested=attribute not in MANY_VALUED and attributes.count(attribute) > 1,
        )
        for (attribute, _), group in values.items()
    ]
    found.sort(key=lambda fact: (fact.attribute, -fact.last_seen))
    return Profile(facts[0].subject, tuple(found), max(fact.seen_at for fact in facts))
