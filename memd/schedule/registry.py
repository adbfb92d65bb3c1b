"""The table of scheduled work: name, when (UTC), and what it does (contract 13).

Each entry runs as a durable job of its name, one run at a time over all replicas. `MEMD_SCHEDULE` moves or stops one.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from memd.accounts.every_user import JobResult
from memd.audit.service import expire
from memd.context import Services
from memd.domain.schedule.timetable import Daily, Every, When, parse_when
from memd.embed.vector_index import keep_vector_indexes
from memd.erasure.jobs import resume_all
from memd.extraction.jobs import sweep
from memd.lifecycle.associate import associate_all
from memd.lifecycle.consolidate import consolidate_all
from memd.lifecycle.junk import archive_all
from memd.lifecycle.policy_rescan import rescan_all
from memd.lifecycle.retention import clean_up, decay_all, expire_messages
from memd.lifecycle.snapshots import snapshot_all
from memd.lifecycle.text_reindex import reindex_all
from memd.lifecycle.upkeep import backfill_graph, backfill_recall_texts, embed_all, recount_totals
from memd.reflection.jobs import reflect_all
from memd.standing.jobs import run_due

Work: TypeAlias = Callable[[Services], Awaitable[JobResult]]
OFF: Final = "off"
MINUTES: Final = 60
HOURS: Final = 60 * MINUTES


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A scheduled job. One that permanently deletes rows because of their age is held while the system clock is not trusted."""

    name: str
    when: When
    work: Work
    deletes_by_age: bool = False


SCHEDULE: Final = (
    Scheduled("message_embedder", Every(15 * MINUTES), embed_all),
    Scheduled("vector_index", Every(15 * MINUTES), keep_vector_indexes),
    Scheduled("extraction", Every(15 * MINUTES), sweep),
    Scheduled("standing", Every(MINUTES), run_due),
    Scheduled("session_snapshots", Every(5 * MINUTES), snapshot_all),
    Scheduled("graph_backfill", Every(HOURS), backfill_graph),
    Scheduled("recall_text_backfill", Every(HOURS), backfill_recall_texts),
    Scheduled("text_reindex", Every(HOURS), reindex_all),
    Scheduled("erasure", Every(HOURS), resume_all),
    Scheduled("associate", Every(6 * HOURS), associate_all),
    Scheduled("consolidate", Every(12 * HOURS), consolidate_all),
    Scheduled("decay", Every(24 * HOURS), decay_all),
    Scheduled("cleanup", Every(24 * HOURS), clean_up, deletes_by_age=True),
    Scheduled("junk", Daily(3, 15), archive_all),
    Scheduled("policy_rescan", Daily(3, 30), rescan_all),
    Scheduled("audit_expiry", Daily(3, 45), expire, deletes_by_age=True),
    Scheduled("message_expiry", Daily(4, 0), expire_messages, deletes_by_age=True),
    Scheduled("reflection", Daily(4, 30), reflect_all),
    Scheduled("stats_cache", Daily(5, 0), recount_totals),
)


def timetable(changes: Mapping[str, str]) -> dict[str, When]:
    """When each entry runs, by name; `changes` maps names to seconds, `HH:MM` or `off`."""
    times = {entry.name: entry.when for entry in SCHEDULE if changes.get(entry.name) != OFF}
    return times | {name: parse_when(text) for name, text in changes.items() if name in times}


def entry(name: str) -> Scheduled | None:
    """The entry of this name."""
    return next((one for one in SCHEDULE if one.name == name), None)
