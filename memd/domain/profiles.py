"""Profiles: the facts that memories state about a subject, put together (contract 17.5, living profile)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol
from uuid import UUID

from memd.domain.entities import slug

MANY_VALUED: Final = frozenset({"uses", "role", "employer"})
"""Attributes that may have several values at a time."""


class Stated(Protocol):
    """A fact of a memory, as a profile reads it."""

    @property
    def memory_id(self) -> UUID: ...
    @property
    def subject_key(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def attribute(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def denied(self) -> bool: ...
    @property
    def seen_at(self) -> int: ...


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


def profiles(stated: Iterable[Stated]) -> list[Profile]:
    """The profile of each subject, the one seen last first; `stated` has the last seen fact first.

    A value that a later memory denies is left out.
    """
    subjects: dict[str, list[Stated]] = {}
    for fact in stated:
        subjects.setdefault(fact.subject_key, []).append(fact)
    made = [_profile(facts) for facts in subjects.values()]
    return sorted((one for one in made if one.facts), key=lambda one: -one.last_seen)


def _profile(facts: Sequence[Stated]) -> Profile:
    values: dict[tuple[str, str], list[Stated]] = {}
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
