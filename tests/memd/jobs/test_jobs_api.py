"""GET /api/jobs and POST /api/jobs/:name/run (contract 9.5): what the background does, for people to see."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from procrastinate.jobs import Job

from memd.context import Services
from memd.db.session import Deferral
from memd.domain.types import KeyScope
from memd.jobs import enqueue, service
from memd.jobs.job_queue import Backoff
from memd.schedule.registry import SCHEDULE
from tests.support.dict_rows import dict_row, dict_rows
from tests.support.jobs import context_of
from tests.support.limits import another, client
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, post, send

ADMIN = {"admin": True, "scopes": (KeyScope.READ, KeyScope.WRITE, KeyScope.ADMIN)}


async def jobs(user: TestUser) -> Json:
    return await send(user, "GET", "/api/jobs")


async def defer(services: Services, user: TestUser, kind: str, **options: Any) -> None:
    async with services.database.write(user.id) as session:
        session.defer(Deferral(kind, {}, **options))


async def until(user: TestUser, kind: str, state: str) -> Json:
    """The counts of a kind once one of its jobs is in this state."""
    for _ in range(200):
        counts = (await jobs(user))["queue"]["byKind"].get(kind, {})
        if counts.get(state):
            return counts
        await asyncio.sleep(0.05)
    raise AssertionError(f"no {kind} is {state}: {await jobs(user)}")


@pytest.mark.rule("9.5 GET /api/jobs")
async def test_a_quiet_queue(user: TestUser) -> None:
    assert (await jobs(user))["queue"] == {"depth": 0, "oldestAgeMs": None, "byKind": {}, "lagMs": {}}


@pytest.mark.rule("9.5 GET /api/jobs")
async def test_every_entry_of_the_schedule_is_listed(user: TestUser) -> None:
    listed = (await jobs(user))["scheduled"]
    assert [entry["name"] for entry in listed] == [entry.name for entry in SCHEDULE]
    assert all({"lastStartedAt", "lastEndedAt", "lastOk", "nextRunAt"} <= entry.keys() for entry in listed)


async def test_an_entry_says_when_it_runs_next(user: TestUser, services: Services) -> None:
    settings = services.settings.model_copy(update={"schedule": {"decay": "off"}})
    seen = await service.overview(
        replace(await context_of(services, user), services=replace(services, settings=settings))
    )
    assert "decay" not in seen.times
    assert seen.times["extraction"].after(0) == 900_000
    assert seen.times["stats_cache"].after(0) == 5 * 3_600_000


@pytest.mark.rule("9.5 GET /api/jobs")
async def test_an_entry_of_the_schedule_has_every_field(user: TestUser, services: Services) -> None:
    run = "INSERT INTO schedule_run (name, started_at, ended_at, ok, result) VALUES (%(name)s, 1e14, 1e14 + 5, {}, {})"
    failed, fine = run.format("false", """'{"error": "KeyError"}'"""), run.format("true", "'{}'")
    async with services.database.system() as session:
        await session.execute(failed, {"name": "decay"})
        await session.execute(fine, {"name": "stats_cache"})
    async with another(services, schedule={}) as (app, _), client(app, user.key) as http:
        scheduled = {entry["name"]: entry for entry in (await http.get("/api/jobs")).json()["scheduled"]}
    async with services.database.system() as session:
        await session.execute("DELETE FROM schedule_run WHERE started_at = 1e14")
    for entry in scheduled.values():
        assert len(entry.keys() & {"everySeconds", "at"}) == 1
        assert entry["nextRunAt"] > services.clock()
    ran = {"lastStartedAt": 10**14, "lastEndedAt": 10**14 + 5}
    after = {name: scheduled[name]["nextRunAt"] for name in ("decay", "stats_cache")}
    assert scheduled["decay"] == {"name": "decay", "everySeconds": 86_400, "nextRunAt": after["decay"]} | ran | {
        "lastOk": False,
        "lastError": "KeyError",
    }
    assert scheduled["stats_cache"] == {
        "name": "stats_cache",
        "at": "05:00",
        "nextRunAt": after["stats_cache"],
    } | ran | {"lastOk": True}


@pytest.mark.rule("9.5 GET /api/jobs")
async def test_what_the_last_run_did_is_for_administrators(
    user: TestUser, make_user: MakeUser, services: Services
) -> None:
    async with services.database.system() as session:
        await session.execute(
            "INSERT INTO schedule_run (name, started_at, ended_at, ok, result) "
            "VALUES ('decay', 1e14, 1e14 + 5, true, '{\"users\": 2, \"rows\": 7}')"
        )
    lists = [(await jobs(one))["scheduled"] for one in (user, await make_user(**ADMIN))]
    async with services.database.system() as session:
        await session.execute("DELETE FROM schedule_run WHERE started_at = 1e14")
    own, of_all = (next(entry for entry in entries if entry["name"] == "decay") for entries in lists)
    assert not {"lastUsers", "lastRows"} & own.keys()
    assert (of_all["lastUsers"], of_all["lastRows"]) == (2, 7)


@pytest.mark.rule("9.5 GET /api/jobs")
async def test_a_waiting_job_is_counted_for_its_owner_and_for_administrators(
    user: TestUser, make_user: MakeUser, services: Services
) -> None:
    await defer(services, user, "embed", delay_ms=1_800_000)
    assert (await jobs(user))["queue"] == {
        "depth": 1,
        "oldestAgeMs": None,
        "byKind": {"embed": {"queued": 1, "running": 0, "failed": 0}},
        "lagMs": {},
    }
    assert (await jobs(await make_user()))["queue"]["depth"] == 0
    assert (await jobs(await make_user(**ADMIN)))["queue"]["byKind"]["embed"]["queued"] >= 1
    assert (await jobs(await make_user(admin=True, scopes=(KeyScope.READ,))))["queue"]["depth"] == 0


@pytest.mark.rule("9.5 GET /api/jobs")
async def test_an_overdue_job_shows_its_age(user: TestUser, services: Services) -> None:
    await defer(services, user, "embed", delay_ms=3_600_000)
    async with services.database.system() as session:
        await session.execute(
            "UPDATE procrastinate_jobs SET scheduled_at = now() - interval '90 seconds', lock = 'held' "
            "WHERE args->>'user_id' = %(user)s",
            {"user": str(user.id)},
        )
        await session.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, status) "
            "VALUES ('default', 'embed', 'held', 'doing')"
        )
    age = (await jobs(user))["queue"]["oldestAgeMs"]
    async with services.database.system() as session:
        await session.execute("DELETE FROM procrastinate_jobs WHERE lock = 'held'")
    assert 89_000 < age < 200_000


async def test_reading_conversations_waits_while_anything_else_is_due(user: TestUser, services: Services) -> None:
    async with services.database.write(user.id) as session:
        enqueue.defer_extraction(session, await context_of(services, user), "t", waiting=2)
        session.defer(Deferral("embed", {}, delay_ms=3_600_000))
    async with services.database.system() as session:
        rows = await dict_rows(
            session,
            "SELECT task_name FROM procrastinate_jobs WHERE args->>'user_id' = %(user)s ORDER BY priority DESC, id",
            {"user": str(user.id)},
        )
    assert [row["task_name"] for row in rows] == ["embed", "extract_turn"]


async def test_a_job_of_an_unknown_kind_fails_and_is_seen(user: TestUser, services: Services) -> None:
    await defer(services, user, "no_such_kind")
    assert await until(user, "no_such_kind", "failed") == {"queued": 0, "running": 0, "failed": 1}


async def tried(services: Services, user: TestUser) -> Json:
    """The user's only job once it has been tried: attempts, and the seconds until the next try."""
    for _ in range(200):
        async with services.database.system() as session:
            row = await dict_row(
                session,
                "SELECT attempts, extract(epoch FROM scheduled_at - now())::float8 AS wait FROM procrastinate_jobs "
                "WHERE args->>'user_id' = %(user)s AND status = 'todo' AND attempts > 0",
                {"user": str(user.id)},
            )
        if row is not None:
            return row
        await asyncio.sleep(0.05)
    raise AssertionError("it was not tried")


async def test_a_failing_job_waits_for_another_try(user: TestUser, services: Services) -> None:
    await defer(services, user, "extract_turn")
    row = await tried(services, user)
    assert row["attempts"] == 1
    assert 0 < row["wait"] <= 10
    assert (await jobs(user))["queue"]["byKind"]["extract_turn"] == {"queued": 1, "running": 0, "failed": 0}


async def test_after_the_last_try_it_has_failed_and_is_seen(user: TestUser, services: Services) -> None:
    await defer(services, user, "extract_turn")
    await tried(services, user)
    async with services.database.system() as session:
        await session.execute(
            "UPDATE procrastinate_jobs SET scheduled_at = NULL, attempts = 4 WHERE args->>'user_id' = %(user)s",
            {"user": str(user.id)},
        )
    assert await until(user, "extract_turn", "failed") == {"queued": 0, "running": 0, "failed": 1}


@pytest.mark.parametrize(("tries_before", "wait_s"), [(0, 10), (1, 20), (2, 40), (3, 80), (4, None)])
def test_five_tries_each_twice_as_late(tries_before: int, wait_s: int | None) -> None:
    job = Job(id=1, queue="q", lock=None, queueing_lock=None, task_name="t", task_kwargs={}, attempts=tries_before)
    decision = Backoff().get_retry_decision(exception=ValueError(), job=job)
    waited = None
    if decision is not None and decision.retry_at is not None:
        waited = round((decision.retry_at - datetime.now(UTC)).total_seconds())
    assert waited == wait_s


async def test_a_job_that_fails_while_its_twin_waits_is_tried_again_too(user: TestUser, services: Services) -> None:
    await defer(services, user, "extract_turn", queueing_lock=f"twin:{user.id}")
    await tried(services, user)
    await defer(services, user, "extract_turn", queueing_lock=f"twin:{user.id}")
    for _ in range(100):
        async with services.database.system() as session:
            rows = await dict_rows(
                session,
                "SELECT status::text, attempts FROM procrastinate_jobs WHERE args->>'user_id' = %(user)s",
                {"user": str(user.id)},
            )
        if [row["attempts"] for row in rows] == [1, 1]:
            break
        await asyncio.sleep(0.05)
    assert [row["status"] for row in rows] == ["todo", "todo"]


@pytest.mark.rule("9.5 POST /api/jobs/:name/run")
async def test_running_a_job_by_hand_runs_it(make_user: MakeUser) -> None:
    admin = await make_user(**ADMIN)
    before = {entry["name"]: entry for entry in (await jobs(admin))["scheduled"]}["stats_cache"]
    reply = await post(admin, "/api/jobs/stats_cache/run")
    assert reply.keys() == {"ok", "jobId"}
    assert reply["jobId"].startswith("job_")
    for _ in range(200):
        entry = {one["name"]: one for one in (await jobs(admin))["scheduled"]}["stats_cache"]
        if entry["lastEndedAt"] and entry["lastStartedAt"] != before["lastStartedAt"]:
            break
        await asyncio.sleep(0.05)
    assert entry["lastOk"] is True
    assert entry["lastEndedAt"] >= entry["lastStartedAt"]


@pytest.mark.rule("9.5 POST /api/jobs/:name/run")
@pytest.mark.parametrize(("options", "name", "status"), [(ADMIN, "no_such_job", 404), ({}, "stats_cache", 403)])
async def test_unknown_names_and_other_users_are_refused(
    make_user: MakeUser, options: dict, name: str, status: int
) -> None:
    await post(await make_user(**options), f"/api/jobs/{name}/run", status=status)


@pytest.mark.rule("9.5 POST /api/jobs/:name/run")
async def test_a_running_job_is_not_started_again(make_user: MakeUser, services: Services) -> None:
    admin = await make_user(**ADMIN)
    async with services.database.system() as session:
        await session.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, status, lock, args) "
            "VALUES ('default', 'associate', 'doing', 'associate', '{}')"
        )
    assert await post(admin, "/api/jobs/associate/run", status=409) == {"error": "Job already running"}
    async with services.database.system() as session:
        await session.execute("DELETE FROM procrastinate_jobs WHERE task_name = 'associate'")


async def test_a_waiting_job_is_made_due_and_not_doubled(make_user: MakeUser, services: Services) -> None:
    admin = await make_user(**ADMIN)
    async with services.database.system() as session:
        session.defer(Deferral("decay", {"run_id": "01920000-0000-7000-8000-000000000001"}, queueing_lock="decay",
                               lock="held up", delay_ms=3_600_000))  # fmt: skip
        await session.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, status, lock, args) "
            "VALUES ('default', 'no_such_kind', 'doing', 'held up', '{}')"
        )
    first = await post(admin, "/api/jobs/decay/run")
    assert await post(admin, "/api/jobs/decay/run") == first
    async with services.database.system() as session:
        rows = await dict_rows(session, "SELECT scheduled_at FROM procrastinate_jobs WHERE task_name = 'decay'")
        await session.execute("DELETE FROM procrastinate_jobs WHERE lock = 'held up'")
    assert [row["scheduled_at"] for row in rows] == [None]
