"""Ticks and runs: a tick takes its slot and defers the job in one transaction: once for each slot over all replicas."""

from dataclasses import replace
from typing import Any, Final

from memd.accounts.rounds import RoundFailedError
from memd.context import Services
from memd.db.session import Deferral, Row, SystemSession
from memd.domain.audit_chain import AuditEntry
from memd.domain.ids import new_id
from memd.domain.text_analysis.analysis import VERSION
from memd.domain.timetable import When
from memd.schedule import store
from memd.schedule.registry import SCHEDULE, Scheduled

RESCAN: Final = "policy_rescan"
REINDEX: Final = "text_reindex"
BACKLOG_MS: Final = 10_000


def deferral(name: str) -> Deferral:
    """The job of an entry: one waits and one runs at a time. `run_id` is what its starter is told."""
    return Deferral(name, {"run_id": str(new_id())}, once=name, alone=name)


async def begin(services: Services, times: dict[str, When]) -> None:
    """Count the slots of entries that are new here, from the present one on."""
    now = services.clock()
    async with services.database.system() as session:
        for name, when in times.items():
            await store.know(session, name, when.slot(now))


async def follow_policy(services: Services) -> bool:
    """Have every row judged again when the content policy is another one than at the last start; whether it is."""
    async with services.database.system() as session:
        changed = await store.note_change(session, "policy_version", services.policy.version)
        if changed:
            session.defer(deferral(RESCAN))
            version = {"version": services.policy.version}
            session.audit(AuditEntry(services.clock(), "policy.change", after=version))
    return changed


async def follow_text_analysis(services: Services) -> bool:
    """Have every row indexed anew when the text analysis is another one than at the last start; whether it is."""
    async with services.database.system() as session:
        changed = await store.note_change(session, "text_index_version", str(VERSION))
        if changed:
            session.defer(deferral(REINDEX))
    return changed


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
        tally = await entry.work(services)
        result = {"users": tally.users, "rows": tally.rows}
        if tally.more:
            await _go_on(services, entry.name)
    except Exception as error:
        result = {"error": str(error) if isinstance(error, RoundFailedError) else type(error).__name__}
        raise
    finally:
        async with services.database.system() as session:
            ok = "error" not in result
            await store.end_run(session, entry.name, started_at, services.clock(), result, ok=ok)


async def last_runs(session: SystemSession) -> dict[str, Row]:
    """The newest run of each entry that has one, by name: started_at, ended_at, ok, result."""
    return await store.last_runs(session, [entry.name for entry in SCHEDULE])


async def _go_on(services: Services, name: str) -> None:
    """Have the next page done soon instead of at the next slot."""
    async with services.database.system() as session:
        session.defer(replace(deferral(name), delay_ms=BACKLOG_MS))
