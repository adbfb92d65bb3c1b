"""Whether background work keeps up, read from what memd tells about its queue and its schedule: no I/O."""

from typing import Final

from memctl.text import age, count
from memctl.wire.jobs import JobsReply, ScheduledJob

OLD_JOB_MS: Final = 5 * 60_000
LONG_RUN_MS: Final = 60 * 60_000
_DAY_MS: Final = 86_400_000


def troubles(reply: JobsReply, now: int) -> list[str]:
    """What does not go as it should at `now` (epoch ms), a line each; empty when the background keeps up."""
    queue = reply.queue
    found = [
        f"{count(counts.failed, 'job')} of {kind} failed for good; memd's log says why"
        for kind, counts in queue.by_kind.items()
        if counts.failed
    ]
    if queue.oldest_age_ms is not None and queue.oldest_age_ms >= OLD_JOB_MS:
        waited = age(now - queue.oldest_age_ms, now)
        found.append(f"the queue is stuck: the oldest job is {waited} overdue; does a memd run without --workers-off?")
    return [*found, *(trouble for job in reply.scheduled if (trouble := _trouble(job, now)))]


def _trouble(job: ScheduledJob, now: int) -> str | None:
    if job.last_started_at is None:
        return None
    if job.last_ended_at is None:
        began = now - job.last_started_at
        return f"{job.name} has been running for {age(0, began)}" if began >= LONG_RUN_MS else None
    if not job.last_ok:
        return f"{job.name} failed: {job.last_error or 'memd’s log says why'}"
    if job.next_run_at is not None and now - job.last_started_at > 2 * _period_ms(job) + OLD_JOB_MS:
        return f"{job.name} is overdue: it ran {age(job.last_started_at, now)} ago"
    return None


def _period_ms(job: ScheduledJob) -> int:
    return _DAY_MS if job.every_seconds is None else job.every_seconds * 1000


def rhythm(job: ScheduledJob) -> str:
    """When a job runs, for people."""
    if job.every_seconds is None:
        return f"{job.at} UTC" if job.at else "off"
    return f"every {job.every_seconds} s" if job.every_seconds < 60 else f"every {age(0, job.every_seconds * 1000)}"


def outcome(job: ScheduledJob) -> str:
    """How the last run went."""
    if job.last_started_at is None:
        return ""
    if job.last_ended_at is None:
        return "running"
    return "ok" if job.last_ok else job.last_error or "failed"
