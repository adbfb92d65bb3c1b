"""The schedule (contract 13): each slot once over all replicas, missed ones once, and every run on record."""

import asyncio
import itertools
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from memd.accounts.every_user import JobResult, SomeUsersFailedError, for_users
from memd.cancellation import cancel_and_wait
from memd.context import Context, Services
from memd.domain.schedule.timetable import Daily, Every, When
from memd.schedule import service, store
from memd.schedule.registry import SCHEDULE, Scheduled, timetable
from memd.schedule.scheduler import Timers
from memd.schedule.store import LastRun
from tests.support.dict_rows import dict_rows
from tests.support.jobs import at, done
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, send

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
START = 1_800_000_000_000
_numbers = itertools.count(1)


@pytest.fixture
def name() -> str:
    return f"round_{next(_numbers)}"


async def waiting(services: Services, name: str) -> int:
    async with services.database.system() as session:
        return await session.value("SELECT count(*) FROM procrastinate_jobs WHERE task_name = %(name)s", {"name": name})


async def last_run(services: Services, name: str) -> LastRun:
    async with services.database.system() as session:
        return (await store.last_runs(session, [name]))[name]


@pytest.mark.rule("11.6 input")
def test_the_table_is_the_one_of_the_contract() -> None:
    assert {entry.name: entry.when for entry in SCHEDULE} == {
        "message_embedder": Every(15 * 60),
        "extraction": Every(15 * 60),
        "standing": Every(60),
        "session_snapshots": Every(5 * 60),
        "erasure": Every(3600),
        "vector_index": Every(15 * 60),
        "graph_backfill": Every(3600),
        "recall_text_backfill": Every(3600),
        "text_reindex": Every(3600),
        "associate": Every(6 * 3600),
        "consolidate": Every(12 * 3600),
        "decay": Every(24 * 3600),
        "cleanup": Every(24 * 3600),
        "message_expiry": Daily(4, 0),
        "reflection": Daily(4, 30),
        "stats_cache": Daily(5, 0),
        "junk": Daily(3, 15),
        "policy_rescan": Daily(3, 30),
        "audit_expiry": Daily(3, 45),
    }


def test_settings_move_and_stop_entries() -> None:
    times = timetable({"extraction": "300", "cleanup": "02:15", "decay": "off", "no such job": "60"})
    assert times["extraction"] == Every(300)
    assert times["cleanup"] == Daily(2, 15)
    assert "decay" not in times
    assert "no such job" not in times
    assert len(times) == len(SCHEDULE) - 1


async def test_a_slot_is_taken_once_by_all_replicas(services: Services, name: str) -> None:
    when = Every(900)
    await service.begin(at(services, START), {name: when})
    replicas = [at(services, START + 900_000 + skew) for skew in (0, 5, 17, 900)]
    taken = await asyncio.gather(*(service.tick(replica, name, when) for replica in replicas for _ in range(3)))
    assert sorted(taken) == [False] * 11 + [True]


async def test_what_was_missed_is_caught_up_once(services: Services, name: str) -> None:
    when = Daily(4, 0)
    await service.begin(at(services, START), {name: when})
    after_a_week = at(services, START + 7 * DAY)
    await service.begin(after_a_week, {name: when})
    assert [await service.tick(after_a_week, name, when) for _ in range(3)] == [True, False, False]


async def test_a_new_service_runs_nothing_before_its_time(services: Services, name: str) -> None:
    when = Every(900)
    await service.begin(at(services, START), {name: when})
    assert await service.tick(at(services, START + 1), name, when) is False


async def test_a_clock_that_is_a_little_behind_defers_nothing(services: Services, name: str) -> None:
    when = Every(900)
    await service.begin(at(services, START), {name: when})
    assert await service.tick(at(services, START - MINUTE), name, when) is False


@pytest.mark.parametrize("when", [Every(300), Every(24 * 3600), Daily(4, 0)])
async def test_a_clock_that_is_a_day_ahead_for_a_while_costs_no_slot(services: Services, name: str, when: When) -> None:
    async def slots(moments: range) -> list[int]:
        return [when.slot(now) for now in moments if await service.tick(at(services, now), name, when)]

    await service.begin(at(services, START), {name: when})
    ahead = await slots(range(START + DAY, START + DAY + 20 * MINUTE, MINUTE))
    assert ahead == sorted(set(ahead))
    back = range(START, START + DAY + 60 * MINUTE, 15 * MINUTE)
    assert await slots(back) == sorted({when.slot(now) for now in back})


@asynccontextmanager
async def followed(services: Services, timers: Timers) -> AsyncGenerator[None]:
    """The timers are started and follow the clock; what they noted of it is removed."""
    await timers.start()
    following = asyncio.create_task(timers.follow_system_clock(0.01))
    try:
        yield
    finally:
        await cancel_and_wait([following], again_after_s=1)
        timers.stop()
        async with services.database.system() as session:
            await session.execute("DELETE FROM service_fact WHERE name = 'clock'", {})


async def until_waiting(services: Services, name: str) -> None:
    async with asyncio.timeout(120):
        while not await waiting(services, name):  # noqa: ASYNC110 -- the condition is a row's
            await asyncio.sleep(0.01)


async def test_timers_follow_a_system_clock_that_is_set(services: Services, name: str) -> None:
    moment = [START]
    timers = Timers(replace(services, clock=lambda: moment[0]), {name: Every(900)})
    async with followed(services, timers):
        for jump in (DAY, -DAY):
            async with services.database.system() as session:  # a job that still waits would keep the next one out
                await session.execute("DELETE FROM procrastinate_jobs WHERE task_name = %(name)s", {"name": name})
            moment[0] += jump
            await until_waiting(services, name)


async def test_timers_of_a_clock_that_was_ahead_between_two_checks_are_set_again(services: Services, name: str) -> None:
    """The timers are those of the real clock, which is years ahead of this one, and no check sees a jump."""
    slot = Every(900).slot(1_700_000_000_000)
    moment = [slot - 20_000]
    timers = Timers(replace(services, clock=lambda: moment[0]), {name: Every(900)})
    async with followed(services, timers):
        moment[0] = slot + 20_000
        await until_waiting(services, name)


async def test_a_run_is_on_record_with_what_it_did(services: Services, name: str) -> None:
    async def work(_: Services) -> JobResult:
        return JobResult(users=3, rows=7)

    await service.run(at(services, START), Scheduled(name, Every(900), work))
    run = await last_run(services, name)
    assert (run.ok, run.result) == (True, {"users": 3, "rows": 7})
    assert run.started_at == START


async def test_a_failed_run_is_on_record_without_contents(services: Services, name: str) -> None:
    async def work(_: Services) -> JobResult:
        raise KeyError("a secret of a user")

    with pytest.raises(KeyError):
        await service.run(services, Scheduled(name, Every(900), work))
    run = await last_run(services, name)
    assert (run.ok, run.result) == (False, {"error": "KeyError"})


async def test_a_run_that_is_cancelled_is_on_record_as_failed(services: Services, name: str) -> None:
    begun = asyncio.Event()

    async def work(_: Services) -> JobResult:
        begun.set()
        await asyncio.Event().wait()
        return JobResult()

    running = asyncio.create_task(service.run(services, Scheduled(name, Every(900), work)))
    await begun.wait()
    await cancel_and_wait([running], again_after_s=5)
    run = await last_run(services, name)
    assert (run.ok, run.result) == (False, {"error": "cancelled"})


async def test_a_hundred_runs_are_kept(services: Services, name: str) -> None:
    async def work(_: Services) -> JobResult:
        return JobResult()

    for number in range(105):
        await service.run(at(services, START + number), Scheduled(name, Every(900), work))
    async with services.database.system() as session:
        kept = await dict_rows(session, "SELECT started_at FROM schedule_run WHERE name = %(name)s", {"name": name})
    assert len(kept) == 100
    assert max(row["started_at"] for row in kept) == START + 104


async def test_runs_that_were_recorded_while_the_clock_was_ahead_leave_the_record(
    services: Services, name: str
) -> None:
    async def work(_: Services) -> JobResult:
        return JobResult()

    job = Scheduled(name, Every(900), work)
    for number in range(100):
        await service.run(at(services, START + DAY + number), job)
    await service.run(at(services, START), job)
    assert await last_run(services, name) == LastRun(name, START, START, True, {"users": 0, "rows": 0})


async def test_a_full_page_is_followed_by_another_soon(services: Services, name: str) -> None:
    async def work(_: Services) -> JobResult:
        return JobResult(more=True)

    await service.run(services, Scheduled(name, Every(900), work))
    assert await waiting(services, name) == 1


async def test_a_round_serves_the_others_when_one_user_fails(make_user: MakeUser, services: Services) -> None:
    users = [await make_user() for _ in range(3)]
    served: list[object] = []

    async def work(context: Context) -> int:
        if context.user_id == users[0].id:
            raise ZeroDivisionError
        served.append(context.user_id)
        return 1

    with pytest.raises(SomeUsersFailedError, match="1 of 3 users"):
        await for_users(services, [user.id for user in users], work)
    assert served == [users[1].id, users[2].id]


async def test_a_round_leaves_out_inactive_users(make_user: MakeUser, services: Services) -> None:
    user, other = await make_user(), await make_user()
    async with services.database.system() as session:
        await session.execute("UPDATE app_user SET active = false WHERE user_id = %(id)s", {"id": user.id})

    async def work(context: Context) -> int:
        assert context.user_id != user.id
        return 0

    assert (await for_users(services, [user.id, other.id], work)).users == 1


async def test_a_new_content_policy_has_every_row_judged_again(services: Services) -> None:
    await service.follow_policy(services)
    assert await service.follow_policy(services) is False
    other = replace(services, policy=replace(services.policy, version="another"))
    assert await service.follow_policy(other) is True
    assert await service.follow_policy(services) is True


async def test_another_text_analysis_has_every_row_indexed_anew(services: Services) -> None:
    await service.follow_text_analysis(services)
    assert await service.follow_text_analysis(services) is False
    async with services.database.system() as session:
        await store.record_change(session, "text_index_version", "an older one")
    assert await service.follow_text_analysis(services) is True


async def test_rows_that_wait_without_a_job_are_found_at_the_start(user: TestUser, services: Services) -> None:
    for _ in range(2):
        await capture(user)
    await done(services, user)
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET graph_enriched = false")
    await service.catch_up(services, timetable({"message_embedder": "off"}))
    assert await waiting(services, "message_embedder") == 0
    for _ in range(200):
        if (await send(user, "GET", "/api/mcp/graph-status"))["enrichmentPercent"] == 100:
            return
        await asyncio.sleep(0.05)
    pytest.fail("the graph has not read them")
