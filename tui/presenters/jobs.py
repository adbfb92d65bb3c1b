"""Queue and schedule as rows."""

from rich.text import Text

from memctl.background import LAG_MS, schedule_of, seconds
from memctl.text import age
from memctl.wire.jobs import JobsReply, Queue, ScheduledJob

from .cells import Cell, TableRow, ago, cell, number


def duration(ms: int) -> str:
    """A length of time in its largest fitting unit."""
    return "moments" if ms < 60_000 else age(0, ms)


def queue_line(queue: Queue) -> str:
    """The queue in one line."""
    if not queue.depth:
        return "empty"
    oldest = f", the oldest for {duration(queue.oldest_age_ms)}" if queue.oldest_age_ms is not None else ""
    return f"{queue.depth:,} waiting{oldest}"


def lag_text(queue: Queue) -> Text:
    """The age of the oldest row that waits for each kind of work; red beyond a minute."""
    if not queue.lag_ms:
        return Text("nothing is waiting", "dim")
    parts = [
        Text(f"{kind} {seconds(ms)}", "bad" if ms > LAG_MS else "")
        for kind, ms in sorted(queue.lag_ms.items(), key=lambda each: -each[1])
    ]
    return Text(", ").join(parts)


def kind_rows(queue: Queue) -> list[TableRow]:
    """Kind, waiting, running, failed."""
    return [
        TableRow(
            kind,
            (
                cell(kind),
                number(counts.queued),
                number(counts.running),
                number(counts.failed, "bad" if counts.failed else ""),
            ),
        )
        for kind, counts in sorted(queue.by_kind.items())
    ]


def schedule_rows(reply: JobsReply, now: int) -> list[TableRow]:
    """Name, schedule, last run, outcome, next run."""
    return [
        TableRow(
            job.name,
            (cell(job.name), cell(schedule_of(job)), cell(_last(job, now)), outcome(job), cell(_next(job, now))),
        )
        for job in reply.scheduled
    ]


def outcome(job: ScheduledJob) -> Cell:
    """How the last run went."""
    if job.last_started_at is None:
        return cell("–", "dim")
    if job.last_ended_at is None or job.last_ended_at < job.last_started_at:
        return cell("running", "mark")
    return cell("ok", "ok") if job.last_ok else cell(job.last_error or "failed", "bad")


def _last(job: ScheduledJob, now: int) -> str:
    return "never" if job.last_started_at is None else ago(job.last_started_at, now)


def _next(job: ScheduledJob, now: int) -> str:
    if job.next_run_at is None:
        return "–"
    return f"in {duration(job.next_run_at - now)}" if job.next_run_at > now else "due"
