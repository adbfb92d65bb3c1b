"""The worker: each kind of job is a function of services, user and payload, and must be idempotent.

Three jobs run at a time, and one more of those that a user waits for (vectors, the graph of captures), so that slow
background jobs never use up all places. Deliveries to webhooks wait for external servers, so they have a
queue and a concurrency limit of their own.
The jobs of a worker that dies are requeued by any other worker within half a minute.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final, TypeAlias
from uuid import UUID

import structlog
from procrastinate import App, JobContext
from procrastinate.exceptions import ConnectorException
from psycopg import Error

from memd.cancellation import cancel_and_wait
from memd.context import Services
from memd.db.schema.logins import Login
from memd.embed.pending import embed_pending
from memd.erasure.jobs import erase
from memd.extraction.jobs import extract_turn
from memd.graph.enrichment import enrich_memories
from memd.jobs import store
from memd.jobs.enqueue import ATTEMPTS
from memd.jobs.job_queue import TRIES, Backoff, JobQueue
from memd.knowledge_bases.archiving.service import finish_removal
from memd.logs import Repeats
from memd.schedule import service as schedule
from memd.schedule.registry import SCHEDULE, Scheduled
from memd.schedule.scheduler import scheduling
from memd.standing.delivery import deliver
from memd.standing.service import DELIVER
from memd.tracing.spans import Kind, span

log = structlog.get_logger()
_LOST: Final = Repeats()
Handler: TypeAlias = Callable[[Services, UUID, Mapping[str, Any]], Awaitable[None]]
HANDLERS: Mapping[str, Handler] = {
    "embed": embed_pending,
    "graph_enrich": enrich_memories,
    "extract_turn": extract_turn,
    "kb_delete_page": finish_removal,
    "erase": erase,
    DELIVER: deliver,
}
AWAITED_QUEUE: Final = "awaited"
"""The queue of jobs with a positive priority, set by the SQL function that adds them."""
DEFAULT_QUEUE: Final = "default"
WEBHOOK_QUEUE: Final = "webhooks"
"""The queue of deliveries, set by the same function."""
POLLING_S: Final = 0.5
"""How soon a job is fetched that waited for its lock or its time: no notification announces either."""
HEARTBEAT_S: Final = 5
SILENCE_S: Final = 15
"""A worker without a heartbeat for as long is dead."""
GRACE_S: Final = 20
"""How long running jobs may go on when their worker is stopped."""
MAX_DELAY_S: Final = 3600
"""More than any job is postponed by memd itself, apart from extraction, whose delay is a setting."""


def register(app: App, services: Services) -> None:
    """Register a task for every kind of job."""
    for kind, handler in HANDLERS.items():
        app.task(name=kind, retry=Backoff(), pass_context=True)(_user_task(handler, services))
    for entry in SCHEDULE:
        app.task(name=entry.name, retry=Backoff(), pass_context=True)(_scheduled_task(entry, services))


def _user_task(handler: Handler, services: Services) -> Callable[..., Awaitable[None]]:
    async def run(job: JobContext, user_id: str, traceparent: str | None = None, **payload: Any) -> None:
        with span(f"job {job.job.task_name}", kind=Kind.CONSUMER, parent=traceparent):
            await _release_queueing_lock(services, job)
            await handler(services, UUID(user_id), {**payload, ATTEMPTS: job.job.attempts})

    return run


def _scheduled_task(entry: Scheduled, services: Services) -> Callable[..., Awaitable[None]]:
    async def run(job: JobContext, run_id: str, traceparent: str | None = None) -> None:
        with span(f"job {entry.name}", kind=Kind.CONSUMER, parent=traceparent):
            await _release_queueing_lock(services, job)
            log.debug("job.scheduled", job=entry.name, runId=run_id)
            await schedule.run(services, entry)

    return run


async def _release_queueing_lock(services: Services, job: JobContext) -> None:
    if job.job.queueing_lock is not None and job.job.id is not None:
        async with services.database.system() as session:
            await store.release_queueing_lock(session, job.job.id, job.job.queueing_lock)


@asynccontextmanager
async def run_workers(services: Services, login: Login) -> AsyncGenerator[None]:
    """Run jobs in this process while the block lasts; at its end running jobs are waited for.

    `login` is the one of the system. All sessions of jobs have the statement timeout of jobs.
    """
    services = replace(services, database=services.database.for_jobs())
    async with JobQueue(login, services.settings.database_job_timeout_s) as job_queue:
        register(job_queue.app, services)
        tasks = [
            asyncio.create_task(_work(job_queue, [AWAITED_QUEUE, DEFAULT_QUEUE], concurrency=3)),
            asyncio.create_task(_work(job_queue, [AWAITED_QUEUE], concurrency=1)),
            asyncio.create_task(_work(job_queue, [WEBHOOK_QUEUE], concurrency=16, notified=False)),
            asyncio.create_task(_recover(services)),
        ]
        try:
            async with scheduling(services, login):
                yield
        finally:
            await cancel_and_wait(tasks, again_after_s=GRACE_S + 2)


async def _work(job_queue: JobQueue, queues: Sequence[str], *, concurrency: int, notified: bool = True) -> None:
    """Run a worker of these queues until cancelled; restart it when it loses the database or fails.

    Being `notified` of new jobs takes a connection; without it they are looked for every `POLLING_S`.
    """
    while True:
        try:
            await job_queue.app.run_worker_async(
                queues=queues,
                concurrency=concurrency,
                fetch_job_polling_interval=POLLING_S,
                listen_notify=notified,
                install_signal_handlers=False,
                delete_jobs="successful",
                shutdown_graceful_timeout=GRACE_S,
                update_heartbeat_interval=HEARTBEAT_S,
                stalled_worker_timeout=SILENCE_S,
            )
        except (ConnectorException, Error) as error:
            _lost_database(error)
        except Exception:
            log.exception("worker.failed")
        if (task := asyncio.current_task()) is not None and task.cancelling():
            return  # the worker ended on a cancellation that it swallowed
        await asyncio.sleep(1)


def _lost_database(error: Exception) -> None:
    """Log it now and then: each worker tries again every second."""
    if _LOST.is_new("database"):
        log.warning("worker.lost_database", error=type(error).__name__)


async def _recover(services: Services) -> None:
    """Requeue the jobs of dead workers and those postponed by a clock that was ahead, periodically."""
    longest_s = max(MAX_DELAY_S, 2 * services.settings.extraction_delay_s)
    while True:
        try:
            async with services.database.system() as session:
                for row in await store.requeue_stalled(session, SILENCE_S, TRIES):
                    log.warning("job.stalled", jobId=row.id, kind=row.task_name, now=row.status)
                if released := await store.release_postponed(session, longest_s):
                    log.warning("job.clock_set", released=released)
        except Error as error:
            _lost_database(error)
        except Exception:
            log.exception("worker.recovery_failed")
        await asyncio.sleep(HEARTBEAT_S)
