"""What the background does, for people to see, and starting a piece of it by hand (contract 9.5)."""

from dataclasses import dataclass
from uuid import UUID

from memd.audit.acts import record
from memd.context import Context
from memd.db.session import Row
from memd.domain.timetable import When
from memd.errors import JobRunning, NotFound
from memd.jobs import store
from memd.schedule import service as schedule
from memd.schedule.registry import entry, timetable


@dataclass(frozen=True, slots=True)
class Overview:
    """The queue by kind, the age of its oldest due job, when each entry runs, and how it ran last."""

    counts: list[Row]
    oldest_age_ms: int | None
    times: dict[str, When]
    last_runs: dict[str, Row]


async def overview(context: Context) -> Overview:
    """The queue of the caller, or of everybody for an administrator; the schedule is the same for all."""
    owner = None if context.principal.admin else context.user_id
    async with context.database.system() as session:
        return Overview(
            counts=await store.counts(session, owner),
            oldest_age_ms=await store.oldest_age_ms(session, owner),
            times=timetable(context.services.settings.schedule),
            last_runs=await schedule.last_runs(session),
        )


async def run_now(context: Context, name: str) -> UUID:
    """Start a scheduled job; the id of the run. One that waits is made due; `JobRunning` for one that runs."""
    if entry(name) is None:
        raise NotFound
    async with context.database.system() as session:
        if await store.is_running(session, name):
            raise JobRunning
        waiting = await store.hasten(session, name)
        if waiting is None:
            deferral = schedule.deferral(name)
            session.defer(deferral)
            waiting = deferral.payload["run_id"]
        record(session, context, "job.run", name)
    return UUID(waiting)
