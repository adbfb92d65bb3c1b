"""Ticks and runs: a tick claims its slot and defers the job in one transaction, once per slot across all replicas."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from memd.accounts.every_user import SomeUsersFailedError
from memd.context import Services
from memd.db.session import Deferral, SystemSession
from memd.domain.accounts.audit_chain import AuditEntry
from memd.domain.ids import new_id
from memd.domain.schedule.timetable import When
from memd.domain.text_analysis.analysis import VERSION
from memd.schedule import clock_jump, store
from memd.schedule.registry import SCHEDULE, Scheduled
from memd.schedule.store import LastRun

RESCAN: Final = "policy_rescan"
REINDEX: Final = "text_reindex"
CATCH_UP: Final = ("message_embedder", "graph_backfill", "recall_text_backfill")
"""Jobs for rows that wait without a job: stored by an earlier release, restored, or left after failures."""
BACKLOG_MS: Final = 10_000
"""When a job that has left work undone runs again."""
HELD_MS: Final = 900_000
"""When a held job is tried again."""
CANCELLED: Final = "cancelled"
HELD: Final = "waits: the system clock is ahead (see /readyz)"
SKEW_MS: Final = 300_000
"""How far the clocks of replicas may differ."""


def deferral(name: str) -> Deferral:
    """The job of an entry: at most one is queued and one runs. `run_id` is returned to the caller that started it."""
    return Deferral(name, {"run_id": str(new_id())}, queueing_lock=name, lock=name)


async def begin(services: Services, times: dict[str, When]) -> None:
    """Start counting slots for entries that are new, from the current slot on."""
    now = services.clock()
    async with services.database.system() as session:
        for name, when in times.items():
            await store.add_entry(session, name, when.slot(now))


async def follow_policy(services: Services) -> bool:
    """Defer a rescan of all rows if the content policy has changed since the last start; returns whether it has."""
    async with services.database.system() as session:
        changed = await store.record_change(session, "policy_version", services.policy.version)
        if changed:
            session.defer(deferral(RESCAN))
            version = {"version": services.policy.version}
            session.audit(AuditEntry(services.clock(), "policy.change", after=version))
    return changed


async def follow_text_analysis(services: Services) -> bool:
    """Defer re-indexing of all rows if the text analysis has changed since the last start; returns whether it has."""
    async with services.database.system() as session:
        changed = await store.record_change(session, "text_index_version", str(VERSION))
        if changed:
            session.defer(deferral(REINDEX))
    return changed


async def catch_up(services: Services, times: Mapping[str, When]) -> None:
    """Defer the jobs for rows that wait without one, if they are scheduled, so that they are done soon after an upgrade."""
    async with services.database.system() as session:
        for name in CATCH_UP:
            if name in times:
                session.defer(deferral(name))


async def tick(services: Services, name: str, when: When) -> bool:
    """Defer the job of the latest due slot unless that was done; returns whether it was deferred. Missed slots count once."""
    now = services.clock()
    async with services.database.system() as session:
        taken = await store.claim_slot(session, name, when.slot(now), now + SKEW_MS)
        if taken:
            session.defer(deferral(name))
    return taken


async def run(services: Services, entry: Scheduled) -> None:
    """Run the job of an entry and record the result; its errors propagate.

    Work that deletes by age is held while the system clock is ahead. It runs with the clock frozen at its start, since the
    clock may jump while it runs.
    """
    started_at = services.clock()
    frozen = replace(services, clock=lambda: started_at)
    async with services.database.system() as session:
        await store.begin_run(session, entry.name, started_at, started_at + SKEW_MS)
        held = entry.deletes_by_age and (await clock_jump.current(frozen, session)).holds_deletion
    result: dict[str, Any] = {"error": CANCELLED}
    try:
        if held:
            result = {"error": HELD}
            await _defer_again(services, entry.name, HELD_MS)
            return
        done = await entry.work(frozen if entry.deletes_by_age else services)
        result = {"users": done.users, "rows": done.rows}
        if done.more:
            await _defer_again(services, entry.name, BACKLOG_MS)
    except Exception as error:
        result = {"error": str(error) if isinstance(error, SomeUsersFailedError) else type(error).__name__}
        raise
    finally:
        async with services.database.system() as session:
            ok = "error" not in result
            await store.end_run(session, entry.name, started_at, services.clock(), result, ok=ok)


async def last_runs(session: SystemSession) -> dict[str, LastRun]:
    """The newest run of each entry that has one, by name."""
    return await store.last_runs(session, [entry.name for entry in SCHEDULE])


async def _defer_again(services: Services, name: str, delay_ms: int) -> None:
    """Defer the job again before its next slot."""
    async with services.database.system() as session:
        session.defer(replace(deferral(name), delay_ms=delay_ms))
