"""The SQL of the job queue: adding jobs, counting them by state, recovering jobs of dead workers."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.types.json import Jsonb

from memd.db.advisory_locks import Seed
from memd.db.session import Deferral, Statement, SystemSession
from memd.tracing.spans import TRACEPARENT, current_traceparent


class StalledJob(NamedTuple):
    """A job that was requeued, or has failed permanently, since its worker is gone."""

    id: int
    task_name: str
    status: str


class JobCounts(NamedTuple):
    """How many jobs of a kind are in which state."""

    kind: str
    queued: int
    running: int
    failed: int


# In the order of the names, so that no two transactions wait for each other.
_SHARE_QUEUEING_LOCKS = (
    f"SELECT pg_advisory_xact_lock_shared(hashtextextended('queueing:' || name, {Seed.NAMED})) "
    "FROM unnest(%(names)s::text[]) AS name"
)
_OWN = "(%(user)s::text IS NULL OR args->>'user_id' = %(user)s)"


def add_jobs(user_id: UUID | None, deferrals: Sequence[Deferral]) -> list[Statement]:
    """The statements that add the jobs of a transaction: those of its user, or of the whole service for None.

    While a job with the same queueing lock waits, another is not added; the one that waits sees the rows of this
    transaction, since `release_queueing_lock` waits for the shared lock that is held until the commit.
    """
    names = sorted({deferral.queueing_lock for deferral in deferrals if deferral.queueing_lock is not None})
    shared: list[Statement] = [(_SHARE_QUEUEING_LOCKS, {"names": names})] if names else []
    add = "SELECT memd_add_jobs(%(jobs)s, NULL)" if user_id is None else "SELECT memd_add_own_jobs(%(jobs)s)"
    return [*shared, (add, {"jobs": Jsonb([_job(deferral) for deferral in deferrals])})]


def _job(deferral: Deferral) -> dict[str, Any]:
    traceparent = current_traceparent()
    return {
        "kind": deferral.kind,
        "payload": {**deferral.payload, **({TRACEPARENT: traceparent} if traceparent else {})},
        "once": deferral.queueing_lock,
        "alone": deferral.lock,
        "delay_ms": deferral.delay_ms,
        "priority": deferral.priority,
    }


async def release_queueing_lock(session: SystemSession, job_id: int, name: str) -> None:
    """Release the queueing lock of a running job, so that the next one can be queued; retries never collide with it.

    Returns when the transactions that found the job waiting have ended: the job then sees their rows.
    """
    await session.execute_all(
        ("UPDATE procrastinate_jobs SET queueing_lock = NULL WHERE id = %(id)s", {"id": job_id}),
        (f"SELECT pg_advisory_xact_lock(hashtextextended('queueing:' || %(name)s, {Seed.NAMED}))", {"name": name}),
    )


async def requeue_stalled(session: SystemSession, silence_s: float, tries: int) -> list[StalledJob]:
    """Requeue the jobs of workers without a heartbeat for this many seconds, or fail them after the last attempt.

    A heartbeat of the future is that of a worker that has died while the clock was ahead.
    """
    return await session.rows(
        StalledJob,
        """
        UPDATE procrastinate_jobs
        SET status = CASE WHEN attempts + 1 < %(tries)s THEN 'todo' ELSE 'failed' END::procrastinate_job_status,
            attempts = attempts + 1, scheduled_at = NULL, queueing_lock = NULL, abort_requested = false
        WHERE status = 'doing' AND (worker_id IS NULL OR worker_id IN (
            SELECT id FROM procrastinate_workers
            WHERE last_heartbeat < now() - %(silence)s * interval '1 second'
               OR last_heartbeat > now() + interval '1 hour'))
        RETURNING id, task_name, status::text AS status
        """,
        {"silence": silence_s, "tries": tries},
    )


async def release_postponed(session: SystemSession, longest_s: float) -> int:
    """Make jobs due that wait for longer than any job is meant to: they were added while the clock was ahead."""
    return await session.execute(
        """
        UPDATE procrastinate_jobs SET scheduled_at = now()
        WHERE status = 'todo' AND scheduled_at > now() + %(longest)s * interval '1 second'
        """,
        {"longest": longest_s},
    )


async def counts(session: SystemSession, user_id: UUID | None) -> list[JobCounts]:
    """Jobs by kind: queued, running, failed; of one user, or of all for None."""
    return await session.rows(
        JobCounts,
        f"""
        SELECT task_name AS kind, count(*) FILTER (WHERE status = 'todo')::int AS queued,
               count(*) FILTER (WHERE status = 'doing')::int AS running,
               count(*) FILTER (WHERE status IN ('failed', 'aborted', 'cancelled'))::int AS failed
        FROM procrastinate_jobs WHERE status <> 'succeeded' AND {_OWN}
        GROUP BY task_name ORDER BY task_name
        """,
        {"user": None if user_id is None else str(user_id)},
    )


async def oldest_age_ms(session: SystemSession, user_id: UUID | None) -> int | None:
    """The age of the oldest due job; None when none is due."""
    return await session.value(
        f"""
        SELECT floor(extract(epoch FROM now() - min(coalesce(j.scheduled_at, e.at))) * 1000)::bigint
        FROM procrastinate_jobs j
        LEFT JOIN LATERAL (SELECT min(at) AS at FROM procrastinate_events WHERE job_id = j.id) e ON true
        WHERE j.status = 'todo' AND (j.scheduled_at IS NULL OR j.scheduled_at <= now()) AND {_OWN}
        """,
        {"user": None if user_id is None else str(user_id)},
    )


async def is_running(session: SystemSession, kind: str) -> bool:
    """Whether a job of this kind runs now."""
    return await session.value(
        "SELECT EXISTS (SELECT FROM procrastinate_jobs WHERE task_name = %(kind)s AND status = 'doing')", {"kind": kind}
    )


async def make_due(session: SystemSession, kind: str) -> str | None:
    """Make the queued job of this kind due now; its run id, None when there is none."""
    return await session.value(
        """
        UPDATE procrastinate_jobs SET scheduled_at = NULL WHERE task_name = %(kind)s AND status = 'todo'
        RETURNING args->>'run_id'
        """,
        {"kind": kind},
    )


async def delete_failed(session: SystemSession, before: int) -> int:
    """Delete jobs that failed before `before` (epoch ms); returns how many."""
    return await session.execute(
        """
        DELETE FROM procrastinate_jobs j WHERE status IN ('failed', 'aborted', 'cancelled')
          AND (SELECT max(at) FROM procrastinate_events WHERE job_id = j.id) < to_timestamp(%(before)s / 1000.0)
        """,
        {"before": before},
    )
