"""Background work over HTTP (contract 9.5)."""

from typing import Any

from memctl.wire.jobs import JobsReply, JobStarted, KindCounts, Queue, ScheduledJob
from memd.access.endpoint import Call, NoBody, Room
from memd.domain.ids import encode
from memd.domain.schedule.timetable import Daily, Every, When
from memd.domain.types import KeyScope
from memd.jobs import service
from memd.jobs.service import Overview
from memd.schedule.registry import SCHEDULE

room = Room("jobs")


@room.endpoint("GET", "/api/jobs", credits=1, scope=KeyScope.READ, reply=JobsReply)
async def overview(call: Call[NoBody]) -> JobsReply:
    """The queue and the schedule."""
    seen = await service.overview(call.context)
    kinds = {row.kind: KindCounts(queued=row.queued, running=row.running, failed=row.failed) for row in seen.counts}
    return JobsReply(
        queue=Queue(
            depth=sum(kind.queued for kind in kinds.values()),
            oldest_age_ms=seen.oldest_age_ms,
            by_kind=kinds,
            lag_ms={kind.value: ms for kind, ms in seen.lag_ms.items()},
        ),
        scheduled=[_scheduled(entry.name, seen, call.context.now) for entry in SCHEDULE],
    )


def _scheduled(name: str, seen: Overview, now: int) -> ScheduledJob:
    when, last = seen.times.get(name), seen.last_runs.get(name)
    result: dict[str, Any] = (last.result if last else None) or {}
    return ScheduledJob(
        name=name,
        **_timing(when),
        last_started_at=last.started_at if last else None,
        last_ended_at=last.ended_at if last else None,
        last_ok=last.ok if last else None,
        last_error=result.get("error"),
        last_users=result.get("users") if seen.all_users else None,
        last_rows=result.get("rows") if seen.all_users else None,
        next_run_at=when.after(now) if when else None,
    )


def _timing(when: When | None) -> dict[str, Any]:
    if isinstance(when, Every):
        return {"every_seconds": when.seconds}
    return {"at": when.text} if isinstance(when, Daily) else {}


@room.endpoint("POST", "/api/jobs/{name}/run", credits=1, scope=KeyScope.ADMIN, reply=JobStarted, errors=(404, 409))
async def run(call: Call[NoBody]) -> JobStarted:
    """Start a scheduled job now."""
    run_id = await service.run_now(call.context, call.path["name"])
    return JobStarted(job_id=encode("job", run_id))
