"""Ticks and runs: a tick takes its slot and defers the job in one transaction, so each slot runs once over all replicas."""

from dataclasses import asdict
from typing import Any

from memd.accounts.rounds import RoundFailedError
from memd.context import Services
from memd.db.session import Deferral
from memd.domain.ids import new_id
from memd.domain.timetable import When
from memd.schedule import store
from memd.schedule.registry import Scheduled


def deferral(name: str) -> Deferral:
    """The job of an entry: one waits and one runs at a time. `run_id` is what its starter is told."""
    return Deferral(name, {"run_id": str(new_id())}, once=name, alone=name)


async def begin(services: Services, times: dict[str, When]) -> None:
    """Count the slots of entries that are new here, from the present one on."""
    now = services.clock()
    async with services.database.system() as session:
        for name, when in times.items():
            await store.know(session, name, when.slot(now))


async def tick(services: Services, name: str, when: When) -> bool:
    """Defer the job of the latest due slot unless that was done; whether it was deferred. Missed slots count once."""
    async with services.database.system() as session:
        taken = await store.take_slot(session, name, when.slot(services.clock()))
        if taken:
            session.defer(deferral(name))
    return taken


async def run(services: Services, entry: Scheduled) -> None:
    """Do the work of an entry and note how it went; what it raises is raised."""
    started_at = services.clock()
    async with services.database.system() as session:
        await store.begin_run(session, entry.name, started_at)
    result: dict[str, Any] = {}
    try:
        result = asdict(await entry.work(services))
    except Exception as error:
        result = {"error": str(error) if isinstance(error, RoundFailedError) else type(error).__name__}
        raise
    finally:
        async with services.database.system() as session:
            ok = "error" not in result
            await store.end_run(session, entry.name, started_at, services.clock(), result, ok=ok)
