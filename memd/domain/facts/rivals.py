"""Decides which of two memories with the same attribute is newer, and whether they can contradict each other."""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from memd.domain.facts.activities import HIDDEN_PREFIX
from memd.domain.facts.facts import COEXISTING, Fact
from memd.domain.facts.succession import DatedStatement, is_backdated, replaces
from memd.domain.facts.versions import is_other_version


class DatedMemory(NamedTuple):
    """A memory with its group, and when it was learned, or last said, and became true (epoch ms).

    `said_in` is the message that says it last, else the memory itself: what comes later has a greater id.
    """

    id: UUID
    channel: str | None
    project_id: str | None
    said_at: int
    valid_from: int | None
    valid_until: int | None
    said_in: UUID

    @property
    def place(self) -> tuple[UUID, UUID]:
        """Its order among those of the same time."""
        return self.said_in, self.id

    def statement(self, fact: Fact) -> DatedStatement:
        """The fact with the times of the memory; a plan counts from when it was said, not from when it will take place."""
        valid_from = None if fact.attribute.startswith(HIDDEN_PREFIX) else self.valid_from
        return DatedStatement(self.said_at, valid_from, self.valid_until, fact.changed)


@dataclass(frozen=True, slots=True)
class Rival:
    """A fact of a newer memory and one of an older memory about the same attribute; both memories are active.

    `backdated`: the newer one was recorded later, but names a time before the older one was recorded as true.
    """

    new_id: UUID
    old_id: UUID
    new: Fact
    old: Fact
    order: tuple[int, UUID, int, UUID]
    """Rivals are compared in this order: the oldest new memory first."""
    backdated: bool = False


def rival(one: tuple[DatedMemory, Fact], other: tuple[DatedMemory, Fact]) -> Rival | None:
    """The two facts as rivals; None where both can be true.

    Which memory is the newer one is decided by `succession.replaces`. Both belong to one channel and project, and the older
    one was still true when the newer one became true.
    """
    first, second = sorted((one, other), key=lambda fact: (fact[0].said_at, fact[0].place))
    if not replaces(second[0].statement(second[1]), first[0].statement(first[1])):
        first, second = second, first
    (old, old_fact), (new, new_fact) = first, second
    if (old.channel, old.project_id) != (new.channel, new.project_id):
        return None
    before, after = old.statement(old_fact), new.statement(new_fact)
    if old.valid_until is not None and old.valid_until <= after.since:
        return None
    states_change = new_fact.changed or new_fact.denied or old_fact.denied
    if new_fact.attribute in COEXISTING and not (states_change or is_other_version(new_fact.value, old_fact.value)):
        return None
    order = (after.since, new.id, before.since, old.id)
    return Rival(new.id, old.id, new_fact, old_fact, order, backdated=is_backdated(after, before))
