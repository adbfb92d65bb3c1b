"""The table of scheduled work: name, when (UTC), and what it does (contract 13).

Each entry runs as a durable job of its name, one run at a time over all replicas. `MEMD_SCHEDULE` moves or stops one.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from memd.accounts.rounds import Tally
from memd.context import Services
from memd.domain.timetable import Every, When, parse_when
from memd.extraction.jobs import sweep

Work: TypeAlias = Callable[[Services], Awaitable[Tally]]
OFF: Final = "off"
MINUTES: Final = 60
HOURS: Final = 60 * MINUTES


@dataclass(frozen=True, slots=True)
class Scheduled:
    """Work that comes round."""

    name: str
    when: When
    work: Work


SCHEDULE: Final = (Scheduled("extraction", Every(15 * MINUTES), sweep),)


def timetable(changes: Mapping[str, str]) -> dict[str, When]:
    """When each entry runs, by name; `changes` maps names to seconds, `HH:MM` or `off`."""
    times = {entry.name: entry.when for entry in SCHEDULE if changes.get(entry.name) != OFF}
    return times | {name: parse_when(text) for name, text in changes.items() if name in times}


def entry(name: str) -> Scheduled | None:
    """The entry of this name."""
    return next((one for one in SCHEDULE if one.name == name), None)
