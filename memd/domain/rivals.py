"""Which of two memories that state the same attribute is the newer one, and whether they can contradict each other."""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from memd.domain.facts import COEXISTING, Fact


class DatedMemory(NamedTuple):
    """A memory with its group, and when it was learned and became true (epoch ms)."""

    id: UUID
    channel: str | None
    project_id: str | None
    created_at: int
    valid_from: int | None
    valid_until: int | None

    @property
    def since(self) -> int:
        """When it became true; when it was learned, unless that is known."""
        return self.created_at if self.valid_from is None else self.valid_from


@dataclass(frozen=True, slots=True)
class Rival:
    """A fact of a newer memory and one of an older memory about the same attribute; both memories are active."""

    new_id: UUID
    old_id: UUID
    new: Fact
    old: Fact
    order: tuple[int, UUID, int, UUID]
    """Rivals are compared in this order: the oldest new memory first."""


def rival(one: tuple[DatedMemory, Fact], other: tuple[DatedMemory, Fact]) -> Rival | None:
    """The two facts as rivals; None where both can be true.

    The newer of two memories is the one that became true later, else the one that was learned later. Both belong to one
    channel and project, and the older one was still true when the newer one became true.
    """
    (old, old_fact), (new, new_fact) = sorted(
        (one, other), key=lambda fact: (fact[0].since, fact[0].created_at, fact[0].id)
    )
    if (old.channel, old.project_id) != (new.channel, new.project_id):
        return None
    if old.valid_until is not None and old.valid_until <= new.since:
        return None
    if new_fact.attribute in COEXISTING and not (new_fact.changed or new_fact.denied or old_fact.denied):
        return None
    return Rival(new.id, old.id, new_fact, old_fact, (new.since, new.id, old.since, old.id))
