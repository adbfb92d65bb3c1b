"""Wire types of background work (contract 9.5)."""

from typing import Literal

from pydantic import Field

from memctl.wire.base import WireModel, absent


class KindCounts(WireModel):
    """Jobs of one kind by state."""

    queued: int = 0
    running: int = 0
    failed: int = 0


class Queue(WireModel):
    """The durable queue; users see their own rows, administrators all."""

    depth: int
    oldest_age_ms: int | None = None
    by_kind: dict[str, KindCounts] = {}
    lag_ms: dict[str, int] = Field(
        default=dict[str, int](),
        description="Age in ms of the oldest row that waits, by kind; kinds without a waiting row are absent",
    )


class ScheduledJob(WireModel):
    """A job of the schedule: every so many seconds, or at a time of day (UTC).

    An administrator also sees for how many users the last run worked, and how many rows of its kind it dealt with.
    """

    name: str
    every_seconds: int | None = absent()
    at: str | None = absent()
    last_started_at: int | None = None
    last_ended_at: int | None = None
    last_ok: bool | None = None
    last_error: str | None = absent()
    last_users: int | None = absent()
    last_rows: int | None = absent()
    next_run_at: int | None = None


class JobsReply(WireModel):
    """GET /api/jobs."""

    queue: Queue
    scheduled: list[ScheduledJob] = []


class JobStarted(WireModel):
    """POST /api/jobs/:name/run."""

    ok: Literal[True] = True
    job_id: str
