"""Queue and schedule as rows."""

from rich.text import Text

from memctl.background import LAG_MS, schedule_of, seconds
from memctl.text import age
from memctl.wire.jobs import JobsReply, Queue, ScheduledJob

from .cells import Cell, TableRow, ago, cell, number

_MINUTE_MS = 60_000


def queue_line(queue: Queue) -> str:
    """The queue in one line."""
    if not queue.depth:
        return "empty"
    if queue.oldest_age_ms is None:
        return f"{queue.depth:,} waiting, none due yet"
    waited = "less than a minute" if queue.oldest_age_ms < _MINUTE_MS else age(0, queue.oldest_age_ms)
    return f"{queue.depth:,} waiting, the oldest for {waited}"


def lag_text(queue: Queue) -> Text:
    """The age of the oldest row that is due for each kind of work; red beyond a minute."""
    if not queue.lag_ms:
        return Text("nothing is due", "dim")
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
    remaining = job.next_run_at - now
    return "due" if remaining <= 0 else "shortly" if remaining < _MINUTE_MS else f"in {age(0, remaining)}"
