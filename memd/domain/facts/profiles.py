"""Profiles: the facts that memories state about a subject, put together (contract 17.5, living profile)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

from memd.domain.facts.facts import COEXISTING
from memd.domain.graph.entities import slug
from memd.domain.text_analysis.folding import fold

MANY_VALUED: Final = frozenset({*COEXISTING, "employer"})
"""Attributes that may have several values at a time."""


class StatedFact(NamedTuple):
    """A fact and the memory that states it; `seen_at` is when the memory was learned, or its text last edited (epoch ms).

    `first_seen_at` is when the memory first stated the value.
    `written` is the attribute as the memory writes it ("API key" of `api-key`), if it does.
    `settled` and `disputed` are the memories with which the memory has a conflict about this attribute of the subject: one
    that was decided by leaving both as they are, and one that is open.
    """

    memory_id: UUID
    subject_key: str
    subject: str
    attribute: str
    value: str
    denied: bool
    seen_at: int
    first_seen_at: int
    settled: Sequence[UUID] = ()
    disputed: Sequence[UUID] = ()
    written: str | None = None


@dataclass(frozen=True, slots=True)
class ProfileFact:
    """A value of an attribute with the memories that state it, the newest first; times in epoch ms.

    `name` is the attribute as people read it, in the words and the case of the newest memory.
    `contested` says that memories give the attribute, which has one value at a time, another value too, and that it was
    not decided to keep both; of an attribute that may have several, that a conflict with another value is open.
    """

    attribute: str
    name: str
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
    """The profile of each subject, the one seen last first; `stated` has the last learned fact first.

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
        key = (fact.attribute, fold(slug(fact.value)))
        if fact.denied:
            denied.add(key)
        elif key not in denied:
            values.setdefault(key, []).append(fact)
    of_attribute: dict[str, list[list[StatedFact]]] = {}
    for (attribute, _), group in values.items():
        of_attribute.setdefault(attribute, []).append(group)
    found = [
        ProfileFact(
            attribute=attribute,
            name=" ".join((group[0].written or attribute.replace("-", " ")).split()),
            value=group[0].value,
            evidence=tuple(dict.fromkeys(fact.memory_id for fact in group)),
            first_seen=min(fact.first_seen_at for fact in group),
            last_seen=max(fact.seen_at for fact in group),
            contested=_is_contested(attribute, group, of_attribute[attribute]),
        )
        for (attribute, _), group in values.items()
    ]
    found.sort(key=lambda fact: (fact.attribute, -fact.last_seen))
    return Profile(facts[0].subject, tuple(found), max(fact.seen_at for fact in facts))


def _is_contested(attribute: str, value: Sequence[StatedFact], values: Iterable[Sequence[StatedFact]]) -> bool:
    """Whether another one of the values of its attribute contradicts a value; each is the facts that state it.

    Values that may be true at a time contradict each other while a conflict between their memories is open.
    """
    others = [other for other in values if other is not value]
    if attribute in MANY_VALUED:
        return any(_is_disputed(value, other) for other in others)
    return any(not _both_stay(value, other) for other in others)


def _both_stay(one: Sequence[StatedFact], other: Sequence[StatedFact]) -> bool:
    """Whether the conflicts between the memories of two values, at least one, were all decided by keeping both."""
    others = {fact.memory_id for fact in other}
    is_settled = any(not others.isdisjoint(fact.settled) for fact in one)
    return is_settled and not _is_disputed(one, other)


def _is_disputed(one: Sequence[StatedFact], other: Sequence[StatedFact]) -> bool:
    """Whether a conflict between memories of two values is open."""
    others = {fact.memory_id for fact in other}
    return any(not others.isdisjoint(fact.disputed) for fact in one)
