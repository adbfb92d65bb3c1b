"""Nothing reports success while background work is stuck, late, failed or endless."""

import pytest

from memctl.background import lag, lag_line, outcome, result_of, schedule_of, troubles
from memctl.wire.jobs import JobsReply, KindCounts, Queue, ScheduledJob

NOW = 1_800_000_000_000
MINUTE = 60_000
HOUR = 60 * MINUTE


def reply(*jobs: ScheduledJob, **queue) -> JobsReply:
    return JobsReply(queue=Queue(**{"depth": 0} | queue), scheduled=list(jobs))


def job(started: int | None = 10 * MINUTE, took: int | None = 1_000, *, ok: bool = True, **fields) -> ScheduledJob:
    """A quarter-hourly job that began `started` ms ago."""
    began = None if started is None else NOW - started
    ended = None if began is None or took is None else began + took
    base = {"name": "extraction", "every_seconds": 900, "next_run_at": NOW + 5 * MINUTE}
    return ScheduledJob(**base | fields, last_started_at=began, last_ended_at=ended, last_ok=ok if ended else None)


@pytest.mark.parametrize(
    "well",
    [
        reply(),
        reply(depth=500, oldest_age_ms=4 * MINUTE),
        reply(depth=1, by_kind={"extract_turn": KindCounts(queued=1)}),
        reply(job(), job(None), job(30 * MINUTE)),
        reply(job(HOUR - 1, None)),
        reply(job(24 * HOUR, every_seconds=None, at="04:30")),
        reply(job(30 * 24 * HOUR, every_seconds=None, next_run_at=None)),
    ],
)
def test_a_background_that_keeps_up_is_no_trouble(well: JobsReply) -> None:
    assert troubles(well, NOW) == []


@pytest.mark.parametrize(
    ("ill", "words"),
    [
        (reply(depth=1, oldest_age_ms=5 * MINUTE), "stuck: the oldest job is 5 min overdue"),
        (reply(by_kind={"embed": KindCounts(failed=2)}), "2 jobs of embed failed permanently"),
        (reply(job(ok=False, last_error="KeyError")), "extraction failed: KeyError"),
        (reply(job(ok=False)), "extraction failed"),
        (reply(job(36 * MINUTE)), "extraction is overdue: it ran 36 min ago"),
        (reply(job(HOUR, None)), "extraction has been running for 1 h"),
        (reply(job(49 * HOUR, every_seconds=None, at="04:30")), "overdue: it ran 2 d ago"),
    ],
)
def test_what_is_stuck_late_failed_or_endless_is_reported(ill: JobsReply, words: str) -> None:
    (trouble,) = troubles(ill, NOW)
    assert words in trouble


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"every_seconds": 900}, "every 15 min"),
        ({"every_seconds": 30}, "every 30 s"),
        ({"every_seconds": None, "at": "04:30"}, "daily at 04:30 UTC"),
        ({"every_seconds": None}, "manual"),
    ],
)
def test_when_a_job_runs(fields: dict, text: str) -> None:
    assert schedule_of(job(**fields)) == text


@pytest.mark.parametrize(
    ("entry", "text"),
    [(job(None), ""), (job(1, None), "running"), (job(), "ok"), (job(ok=False), "failed")],
)
def test_how_the_last_run_went(entry: ScheduledJob, text: str) -> None:
    assert outcome(entry) == text


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (job(last_users=2, last_rows=1), "ok, 1 message read for 2 users"),
        (job(last_users=0, last_rows=0), "ok, 0 messages read"),
        (job(name="of a newer memd", last_users=1, last_rows=3), "ok, 3 rows processed for 1 user"),
        (job(ok=False, last_error="KeyError"), "KeyError"),
        (job(), "ok"),
    ],
)
def test_how_much_the_last_run_did(entry: ScheduledJob, text: str) -> None:
    assert result_of(entry) == text


def test_lag_is_shown_by_kind_the_longest_first() -> None:
    queue = Queue(depth=0, lag_ms={"graph": 2_400, "embed_message": 95_000, "erasure": 2 * HOUR})
    assert lag_line(lag(queue)) == "erasure 2 h, embed_message 95 s, graph 2 s"
    assert lag(queue, ["embed", "extraction"]) == {"embed_message": 95_000}
