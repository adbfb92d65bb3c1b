"""Inspecting background jobs and starting scheduled ones by hand (contract 9.5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from memctl.wire.enums import LagKind
from memd.audit.recording import record
from memd.context import Context
from memd.domain.schedule.timetable import When
from memd.domain.types import KeyScope
from memd.errors import JobRunning, NotFound
from memd.jobs import store
from memd.jobs.lag import service as lag
from memd.jobs.store import JobCounts
from memd.schedule import service as schedule
from memd.schedule.registry import entry, timetable
from memd.schedule.service import LastRun


@dataclass(frozen=True, slots=True)
class Overview:
    """Job counts by kind, the age of the oldest due job, the lag of waiting rows, the timetable and the last runs.

    `all_users` when they are those of all users.
    """

    counts: list[JobCounts]
    oldest_age_ms: int | None
    lag_ms: Mapping[LagKind, int]
    times: dict[str, When]
    last_runs: dict[str, LastRun]
    all_users: bool


async def overview(context: Context) -> Overview:
    """The queue of the caller, or of all users for a key that may administrate; the schedule is the same for all."""
    owner = None if context.principal.may(KeyScope.ADMIN) else context.user_id
    lags = await lag.lag_ms(context.services, owner)
    async with context.database.system() as session:
        return Overview(
            lag_ms=lags,
            counts=await store.counts(session, owner),
            oldest_age_ms=await store.oldest_age_ms(session, owner),
            times=timetable(context.services.settings.schedule),
            last_runs=await schedule.last_runs(session),
            all_users=owner is None,
        )


async def run_now(context: Context, name: str) -> UUID:
    """Start a scheduled job and return the id of its run. A queued one is made due; `JobRunning` if it runs already."""
    if entry(name) is None:
        raise NotFound
    async with context.database.system() as session:
        if await store.is_running(session, name):
            raise JobRunning
        waiting = await store.make_due(session, name)
        if waiting is None:
            deferral = schedule.deferral(name)
            session.defer(deferral)
            waiting = deferral.payload["run_id"]
        record(session, context, "job.run", name)
    return UUID(waiting)
