"""The timers of the schedule: APScheduler ticks in the leader. No other module imports APScheduler."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.date import DateTrigger
from apscheduler.triggers.interval import IntervalTrigger

from memd.cancellation import cancel_and_wait
from memd.context import Services
from memd.db.schema.logins import Login
from memd.domain.schedule.timetable import Every, When
from memd.schedule import clock_jump, service
from memd.schedule.leader import lead
from memd.schedule.registry import SCHEDULE, timetable

log = structlog.get_logger()
STOP_S: Final = 5.0
RETRY: Final = timedelta(minutes=1)
WATCH_S: Final = 30.0
JUMP_S: Final = 60.0
"""A clock that is set by less is only being corrected."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@asynccontextmanager
async def scheduling(services: Services, login: Login) -> AsyncGenerator[None]:
    """Run the schedule while the block lasts, whenever this process is the leader."""
    unknown = services.settings.schedule.keys() - {entry.name for entry in SCHEDULE}
    if unknown:
        log.warning("schedule.unknown_jobs", jobs=sorted(unknown))
    timers = Timers(services, timetable(services.settings.schedule))
    tasks = [
        asyncio.create_task(lead(login.conninfo, timers.start, timers.pause)),
        asyncio.create_task(timers.follow_system_clock()),
    ]
    try:
        yield
    finally:
        await cancel_and_wait(tasks, again_after_s=STOP_S)
        timers.stop()


class Timers:
    """The timers of one process; paused until `start`."""

    def __init__(self, services: Services, times: dict[str, When]) -> None:
        self._services = services
        self._times = times
        self._leading = False
        self._scheduler: Any = AsyncIOScheduler(
            timezone=UTC, job_defaults={"coalesce": True, "misfire_grace_time": None, "max_instances": 1}
        )
        for name, when in times.items():
            self._scheduler.add_job(self._tick, _trigger(when), args=[name], id=name)
        self._scheduler.start(paused=True)

    async def start(self) -> None:
        """Check the system clock, run each missed job once and those for rows without a job, then resume the timers."""
        await clock_jump.check(self._services)
        await service.begin(self._services, self._times)
        await service.follow_policy(self._services)
        await service.follow_text_analysis(self._services)
        await service.catch_up(self._services, self._times)
        for name in self._times:
            await self._tick(name)
        self._scheduler.resume()
        self._leading = True

    async def pause(self) -> None:
        """Pause the timers."""
        self._leading = False
        self._scheduler.pause()

    async def follow_system_clock(self, interval_s: float = WATCH_S) -> None:
        """Check the system clock while leading, and reschedule the timers whenever it is set.

        APScheduler has computed them from the old time. Suspending the machine has the same effect on them.
        """
        offset = self._clock_offset_s()
        while True:
            await asyncio.sleep(interval_s)
            if self._leading:
                await self._check_clock()
            offset, before = self._clock_offset_s(), offset
            if abs(offset - before) < JUMP_S and not self._is_late():
                continue
            log.info("schedule.timers_rescheduled", seconds=round(offset - before))
            for name, when in self._times.items():
                self._scheduler.reschedule_job(name, trigger=_trigger(when))
                if self._leading:
                    await self._tick(name)

    def _is_late(self) -> bool:
        """Whether a timer waits past its next slot: it was computed while the clock was ahead, if only for seconds."""
        now = self._services.clock()
        latest_s = {job: when.after(now) / 1000 + JUMP_S for job, when in self._times.items()}
        return any(self._scheduler.get_job(job).next_run_time.timestamp() > latest_s[job] for job in self._times)

    async def _check_clock(self) -> None:
        """Check the system clock; a failure must not stop the timers."""
        try:
            await clock_jump.check(self._services)
        except Exception:
            log.exception("schedule.clock_check_failed")

    def _clock_offset_s(self) -> float:
        return self._services.clock() / 1000 - time.monotonic()

    def stop(self) -> None:
        """Stop the timers."""
        self._scheduler.shutdown(wait=False)

    async def _tick(self, name: str) -> None:
        try:
            if await service.tick(self._services, name, self._times[name]):
                log.debug("schedule.deferred", job=name)
        except Exception:
            log.exception("schedule.tick_failed", job=name)
            again = datetime.now(UTC) + RETRY
            self._scheduler.add_job(
                self._tick, DateTrigger(again), args=[name], id=f"{name} again", replace_existing=True
            )


def _trigger(when: When) -> BaseTrigger:
    if isinstance(when, Every):
        return IntervalTrigger(seconds=when.seconds, start_date=_EPOCH, timezone=UTC)
    return CronTrigger(hour=when.hour, minute=when.minute, timezone=UTC)
