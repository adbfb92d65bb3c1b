"""Retention: decay at a full quota and the daily clean-up (contract 13).

Chunks of a knowledge base never leave this way. Times are epoch ms; scores and strengths are 0..1.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import exp
from typing import Final
from uuid import UUID

from memd.domain.accounts.credits import ALLOWANCES
from memd.domain.dates.time_window import DAY_MS
from memd.domain.types import Category, Store
from memd.domain.unit_interval import clamp

FULL_PERCENT: Final = 90
ROOMY_PERCENT: Final = 85
MIN_DECAYING: Final = (
    FULL_PERCENT * min(each.memories for each in ALLOWANCES.values() if each.memories is not None) // 100
)
"""With fewer active memories no quota is nearly full."""
DECAY_RATE: Final = 0.05
STRENGTH_WEIGHT, ACCESS_WEIGHT = 0.4, 0.6
DECAYED_STRENGTH: Final = 0.5
SENSORY_AGE_MS: Final = DAY_MS
RECALLED_MS: Final = 7 * DAY_MS
REMOVAL_MS: Final = 30 * DAY_MS
WORKFLOW_UNSEEN_MS: Final = 30 * DAY_MS
WORKFLOW_OBSERVATIONS: Final = 3
FAINT: Final = 0.1


class Fate(StrEnum):
    """The action of clean-up on a row; a row that it archives has `archivedBy: job`."""

    KEEP = "keep"
    ARCHIVE = "archive"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class DecayRow:
    """An active memory as decay reads it."""

    id: UUID
    strength: float
    last_accessed_at: int
    is_chunk: bool = False


@dataclass(frozen=True, slots=True)
class Decayed:
    """A row to archive by the job, and its strength from then on."""

    id: UUID
    strength: float


@dataclass(frozen=True, slots=True)
class CleanupRow:
    """A memory as clean-up reads it.

    `consolidated_at` is when a consolidation processed it, `last_recalled_at` when a recall last returned it, and
    `observation_count` the number of its metadata, None where it has none. `archived_by_job_at` is None unless the row
    was archived by a job.
    """

    id: UUID
    store: Store
    category: Category
    strength: float
    created_at: int
    last_accessed_at: int
    archived: bool = False
    archived_by_job_at: int | None = None
    consolidated_at: int | None = None
    last_recalled_at: int | None = None
    observation_count: float | None = None
    is_chunk: bool = False


def decay_score(strength: float, last_accessed_at: int, now: int) -> float:
    """0.4 × strength + 0.6 × exp(−.05 × days since access), 0..1 (contract 13)."""
    days = max(0, now - last_accessed_at) / DAY_MS
    return STRENGTH_WEIGHT * clamp(strength) + ACCESS_WEIGHT * exp(-DECAY_RATE * days)


def decay_excess(active: int, quota: int | None) -> int:
    """How many of `active` memories have to leave: none below 90 % of the quota, else down to 85 %; no quota, none."""
    if quota is None or 100 * active < FULL_PERCENT * quota:
        return 0
    return active - ROOMY_PERCENT * quota // 100


def decay(rows: Iterable[DecayRow], quota: int | None, now: int) -> list[Decayed]:
    """The rows that leave, lowest score first; ties: the one not accessed for longer, then the id."""
    counted = [row for row in rows if not row.is_chunk]
    counted.sort(key=lambda row: (decay_score(row.strength, row.last_accessed_at, now), row.last_accessed_at, row.id))
    leaving = counted[: decay_excess(len(counted), quota)]
    return [Decayed(row.id, clamp(row.strength) * DECAYED_STRENGTH) for row in leaving]


def fate(row: CleanupRow, now: int) -> Fate:
    """The action of clean-up on the row at `now` (contract 13)."""
    if row.is_chunk:
        return Fate.KEEP
    if row.archived:
        return Fate.REMOVE if _is_spent(row, now) else Fate.KEEP
    leaves = row.strength < FAINT or _is_consolidated(row, now) or _is_unproven(row, now)
    return Fate.ARCHIVE if leaves else Fate.KEEP


def _is_spent(row: CleanupRow, now: int) -> bool:
    """Sensory, and archived by a job 30 days ago."""
    return (
        row.store is Store.SENSORY
        and row.archived_by_job_at is not None
        and _ago(row.archived_by_job_at, now) >= REMOVAL_MS
    )


def _is_consolidated(row: CleanupRow, now: int) -> bool:
    """Sensory, older than a day, processed by a consolidation, and not recalled within the last seven days."""
    recalled = row.last_recalled_at is not None and _ago(row.last_recalled_at, now) < RECALLED_MS
    old = _ago(row.created_at, now) > SENSORY_AGE_MS
    return row.store is Store.SENSORY and old and row.consolidated_at is not None and not recalled


def _is_unproven(row: CleanupRow, now: int) -> bool:
    """A procedural workflow that was observed less than three times and not seen for 30 days."""
    few = row.observation_count is not None and row.observation_count < WORKFLOW_OBSERVATIONS
    is_workflow = row.store is Store.PROCEDURAL and row.category is Category.WORKFLOW
    return is_workflow and few and _ago(row.last_accessed_at, now) >= WORKFLOW_UNSEEN_MS


def _ago(then: int, now: int) -> int:
    return now - then
