"""Background jobs: the queue, the schedule, and starting a job by hand."""

import asyncio
import time

import click

from memctl import output
from memctl.background import lag_line, outcome, result_of, schedule_of, troubles
from memctl.client import MemdClient
from memctl.commands.parameter_types import JOB
from memctl.diagnostics import CommandError, ExitCode, note, waiting
from memctl.groups import Group
from memctl.options import Form, examples, forms, remote
from memctl.run import run
from memctl.text import age, count
from memctl.wire.jobs import JobsReply, Queue, ScheduledJob

POLL_S = 0.5


@click.group(cls=Group, epilog=examples("memctl jobs list", "memctl jobs run extraction --wait"))
def jobs() -> None:
    """Show background jobs, and start a scheduled job manually."""


@jobs.command("list", epilog=examples("memctl jobs list", "memctl jobs list --json | jq .queue"))
@remote
@forms()
def list_(form: Form) -> None:
    """Show queue and schedule; exit code 7 when something is stuck, late or has failed.

    The queue is that of the key's user, or of everybody for an administrator.
    """

    async def action(client: MemdClient) -> ExitCode:
        reply = await client.jobs.list()
        now = _now(client)
        found = troubles(reply, now)
        if form is Form.JSON:
            output.document(reply)
        else:
            _show(reply, now)
        for trouble in found:
            note(f"memctl: {trouble}")
        return ExitCode.DONE_IN_PART if found else ExitCode.OK

    run(action)


def _now(client: MemdClient) -> int:
    """The server's clock if it reports it, epoch ms: ages are relative to it."""
    server_time = client.server_time
    return int((server_time.timestamp() if server_time else time.time()) * 1000)


def _show(reply: JobsReply, now: int) -> None:
    """The queue and the scheduled jobs; a pipe gets a row for each scheduled job alone, and standard error the queue."""
    say = output.say if output.is_terminal() else note
    say(_in_a_line(reply.queue, now))
    if reply.queue.lag_ms:
        say(f"oldest waiting rows: {lag_line(reply.queue.lag_ms)}")
    if output.is_terminal():
        _show_kinds(reply.queue)
        output.say()
    output.table(["job", "runs", "last run", "result", "next run"], (_cells(job, now) for job in reply.scheduled))


def _show_kinds(queue: Queue) -> None:
    if queue.by_kind:
        rows = [
            [kind, f"{counts.queued:,}", f"{counts.running:,}", f"{counts.failed:,}"]
            for kind, counts in queue.by_kind.items()
        ]
        output.say()
        output.table(["kind", "waiting", "running", "failed"], rows, right={1, 2, 3})


def _in_a_line(queue: Queue, now: int) -> str:
    if not queue.depth:
        return "the queue is empty"
    oldest = queue.oldest_age_ms
    due = "none is due" if oldest is None else f"the oldest is overdue for {age(now - oldest, now)}"
    return f"{count(queue.depth, 'job waits', 'jobs wait')}, {due}".replace("overdue for now", "due now")


def _cells(job: ScheduledJob, now: int) -> list[str]:
    last = "never" if job.last_started_at is None else f"{age(job.last_started_at, now)} ago"
    following = "" if job.next_run_at is None else f"in {age(now, max(job.next_run_at, now))}"
    return [
        job.name,
        schedule_of(job),
        last.replace("now ago", "now"),
        outcome(job),
        following.replace("in now", "now"),
    ]


@jobs.command("run", epilog=examples("memctl jobs run extraction", "memctl jobs run cleanup --wait"))
@click.argument("name", type=JOB)
@click.option("--wait", is_flag=True, help="Wait for it to finish and show the result.")
@remote
@forms()
def run_(name: str, *, wait: bool, form: Form) -> None:
    """Start the scheduled job NAME now; requires a key with the scope admin.

    With --wait --json the document has the fields of the job from `memctl jobs list --json`, with the counts of this run.
    """

    async def action(client: MemdClient) -> ExitCode:
        before = _entry(await client.jobs.list(), name)
        started = await client.jobs.run(name)
        if form is Form.TEXT:
            output.script(started.job_id)
        elif not wait:
            output.document(started)
        if not wait:
            return ExitCode.OK
        with waiting(f"{name} runs"):
            ended = await _ended(client, before)
        if form is Form.JSON:
            output.document(started.to_wire() | ended.to_wire())
        note(f"{name}: {result_of(ended)}")
        return ExitCode.OK if ended.last_ok else ExitCode.UNEXPECTED

    run(action)


def _entry(reply: JobsReply, name: str) -> ScheduledJob:
    entry = next((job for job in reply.scheduled if job.name == name), None)
    if entry is None:
        known = ", ".join(job.name for job in reply.scheduled)
        raise CommandError(f"no job {name}; there are {known}", ExitCode.NOT_FOUND)
    return entry


async def _ended(client: MemdClient, before: ScheduledJob) -> ScheduledJob:
    """The entry, as soon as a newer run than the given one has finished."""
    while True:
        entry = _entry(await client.jobs.list(), before.name)
        if entry.last_started_at != before.last_started_at and entry.last_ended_at is not None:
            return entry
        await asyncio.sleep(POLL_S)
