"""Whether background work keeps up, read from what memd reports about its queue and its schedule: no I/O."""

from collections.abc import Collection, Mapping
from typing import Final

from memctl.text import DAY_MS, age, count
from memctl.wire.enums import LagKind
from memctl.wire.jobs import JobsReply, Queue, ScheduledJob

OLD_JOB_MS: Final = 5 * 60_000
LONG_RUN_MS: Final = 60 * 60_000
LAG_MS: Final = 60_000
"""Background work that is further behind than this is worth a warning."""
LAG_GROUPS: Final = {
    "embed": (LagKind.EMBED_MEMORY, LagKind.EMBED_MESSAGE),
    "graph": (LagKind.GRAPH,),
    "extraction": (LagKind.EXTRACTION,),
    "reflection": (LagKind.REFLECTION,),
    "deletion": (LagKind.KB_DELETION, LagKind.ERASURE),
}
"""The values of `memctl wait --kind`, with the kinds of rows that each waits for."""
_MEMORY: Final = ("memory", "memories")
_ROWS: Final[Mapping[str, tuple[str, str, str]]] = {
    "message_embedder": ("text", "texts", "embedded"),
    "extraction": ("message", "messages", "read"),
    "standing": ("question", "questions", "answered"),
    "session_snapshots": ("snapshot", "snapshots", "created"),
    "graph_backfill": (*_MEMORY, "read"),
    "recall_text_backfill": (*_MEMORY, "shortened"),
    "erasure": ("erasure", "erasures", "resumed"),
    "associate": ("link", "links", "created"),
    "consolidate": (*_MEMORY, "made"),
    "decay": (*_MEMORY, "archived"),
    "cleanup": (*_MEMORY, "archived or removed"),
    "junk": (*_MEMORY, "archived"),
    "audit_expiry": ("entry", "entries", "removed"),
    "reflection": (*_MEMORY, "written"),
    "stats_cache": ("total", "totals", "corrected"),
}
"""The rows of each job, and what it does to them."""


def troubles(reply: JobsReply, now: int) -> list[str]:
    """The problems at `now` (epoch ms), a line each; empty when background work keeps up."""
    queue = reply.queue
    found = [
        f"{count(counts.failed, 'job')} of {kind} failed permanently; memd's log says why"
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
    return DAY_MS if job.every_seconds is None else job.every_seconds * 1000


def lag(queue: Queue, groups: Collection[str] = ()) -> dict[str, int]:
    """The age in ms of the oldest waiting row of each kind that waits; of all kinds, or of those of some LAG_GROUPS."""
    kinds = {kind for group in groups for kind in LAG_GROUPS[group]}
    return {kind: ms for kind, ms in queue.lag_ms.items() if not groups or kind in kinds}


def lag_line(lags: Mapping[str, int]) -> str:
    """`graph 95 s, embed_message 2 s`, the longest first."""
    longest = sorted(lags.items(), key=lambda each: -each[1])
    return ", ".join(f"{kind} {seconds(ms)}" for kind, ms in longest)


def seconds(ms: int) -> str:
    """A length of time: seconds up to three minutes, then in its largest fitting unit."""
    return f"{ms / 1000:,.0f} s" if ms < 3 * LAG_MS else age(0, ms)


def schedule_of(job: ScheduledJob) -> str:
    """When a job runs, for people."""
    if job.every_seconds is None:
        return f"daily at {job.at} UTC" if job.at else "manual"
    return f"every {job.every_seconds} s" if job.every_seconds < 60 else f"every {age(0, job.every_seconds * 1000)}"


def outcome(job: ScheduledJob) -> str:
    """How the last run went."""
    if job.last_started_at is None:
        return ""
    if job.last_ended_at is None:
        return "running"
    return "ok" if job.last_ok else job.last_error or "failed"


def result_of(job: ScheduledJob) -> str:
    """How the last run went and how much it did: `ok, 12 messages read for 2 users`."""
    if job.last_rows is None or job.last_users is None:
        return outcome(job)
    noun, plural, done = _ROWS.get(job.name, ("row", "rows", "processed"))
    users = f" for {count(job.last_users, 'user')}" if job.last_users else ""
    return f"{outcome(job)}, {count(job.last_rows, noun, plural)} {done}{users}"
