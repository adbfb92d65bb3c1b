"""A system clock that jumps by a day, or by years, and back deletes nothing for good; every scheduled job is tried."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import httpx
import psycopg
import pytest
import pytest_asyncio
from psycopg import sql

from memctl.client import MemdClient
from memctl.wire.health import HealthReply
from memd.app import build
from memd.cancellation import cancel_and_wait
from memd.context import Services
from memd.db.catalogue import METADATA
from memd.db.embedded import EmbeddedPostgres
from memd.db.migrate import migrate
from memd.domain.clock_jump import COUNTED_MS, HOUR_MS, OFF_GRACE_MS, SET_GRACE_MS, Uptime
from memd.domain.ids import new_id
from memd.domain.time_window import DAY_MS
from memd.domain.types import Tier
from memd.schedule import clock_jump, service
from memd.schedule.registry import SCHEDULE, entry
from memd.schedule.scheduler import Clock
from memd.settings import Settings
from tests.memd.lifecycle.rows import aged
from tests.support.limits import client
from tests.support.postgres import empty_database
from tests.support.service import BASE, TestUser, add_user, serving
from tests.support.wire import capture, post

LONG_MS = 500 * DAY_MS
"""Everything that is ever deleted for its age is older by then."""
DELETED_FOR_THEIR_AGE = {
    "audit_expiry": {"audit_entry"},
    "cleanup": {
        "memory", "memory_index", "memory_vector", "metric_row", "recall_activity", "ranking", "device_request",
        "device_session", "procrastinate_jobs",
    },
    "message_expiry": {"message", "message_index", "message_vector", "snapshot"},
}  # fmt: skip
"""What each job that deletes by age takes from `everything_that_ages`."""


@dataclass(slots=True)
class Machine:
    """The two clocks of a machine."""

    now: int
    uptime: Uptime

    def pass_by(self, ms: int) -> None:
        self.now += ms
        self.uptime = self.uptime._replace(ms=self.uptime.ms + ms)

    def off_for(self, ms: int) -> None:
        self.now += ms
        self.uptime = Uptime(f"after {self.uptime.boot}", 0)

    def under(self, services: Services) -> Services:
        """The services under the clocks of this machine."""
        return replace(services, clock=lambda: self.now, uptime=lambda: self.uptime)

    async def run(self, services: Services, ms: int) -> None:
        """The leader checks the clock every minute."""
        for _ in range(ms // COUNTED_MS):
            self.pass_by(COUNTED_MS)
            await clock_jump.check(services)


@pytest.fixture
def own_database(embedded_postgres: EmbeddedPostgres) -> Iterator[str]:
    with empty_database(embedded_postgres) as conninfo:
        migrate(conninfo)
        yield conninfo


@asynccontextmanager
async def started(settings: Settings, conninfo: str, machine: Machine) -> AsyncGenerator[Services]:
    """A memd whose jobs run when the test says so, from its first check of the clock on."""
    async with serving(settings.model_copy(update={"workers_off": True}), conninfo) as services:
        await clock_jump.check(machine.under(services))
        yield machine.under(services)


@pytest.fixture
def machine(services: Services) -> Machine:
    return Machine(services.clock(), Uptime("first", 60_000))


@pytest_asyncio.fixture(loop_scope="session")
async def alone(service_settings: Settings, own_database: str, machine: Machine) -> AsyncGenerator[Services]:
    """Such a memd on a database with rows of everything that ages."""
    async with started(service_settings, own_database, machine) as services:
        await everything_that_ages(services, own_database)
        yield services


async def everything_that_ages(services: Services, conninfo: str) -> None:
    """Rows of everything that a job deletes once it is old."""
    user_id, key = await add_user(services, tier=Tier.FREE)
    transport = httpx.ASGITransport(build(services))
    async with httpx.AsyncClient(
        transport=transport, base_url=BASE, headers={"Authorization": f"Bearer {key}"}
    ) as http:
        user = TestUser(user_id, key, MemdClient(BASE, key, transport=transport), http)
        said = {"role": "user", "sessionKey": "s1", "channel": "slack"}
        for number in range(3):
            await post(user, "log", said | {"content": f"Kiln {number} is hot."})
        await run(services, "message_embedder")
        await post(user, "search-messages", {"query": "kiln", "channel": "slack", "limit": 1})
        for _ in range(2):
            await post(user, "forget", {"memoryId": await capture(user), "permanent": True})
        await post(
            user,
            "snapshot",
            {"sessionKey": "s1", "channel": "slack", "messages": [{"role": "user", "content": "Hot."}]},
        )
        await post(user, "metric", {"kind": "probe", "payload": {}})
        await http.post("/api/device/start", json={})
        await aged(services, user, store="sensory", category="conversation", _archived=True, _archived_by="job",
                   _archived_at=services.clock())  # fmt: skip
    await services.background_tasks.drain()
    async with services.database.write(user_id) as session:
        await session.execute(
            "INSERT INTO recall_activity SELECT user_id, id, %(request)s, %(at)s, 'recall' FROM memory",
            {"request": new_id(), "at": services.clock()},
        )
    async with services.database.system() as session:
        await session.execute(
            "INSERT INTO device_session (token_hash, key_hash, expires_at) SELECT 'token', key_hash, %(at)s FROM api_key",
            {"at": services.clock() + HOUR_MS},
        )
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as owner:
        await owner.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, status, args) VALUES ('default', 'lost', 'failed', '{}')"
        )
        await owner.execute(
            "INSERT INTO procrastinate_events (job_id, type, at) SELECT id, 'failed', now() FROM procrastinate_jobs"
            " WHERE task_name = 'lost'"
        )


async def sizes(conninfo: str) -> dict[str, int]:
    """The number of rows of every table that has some, the record of jobs aside; of the queue, those of failed jobs."""
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as owner:
        found: dict[str, int] = {}
        for name in {*METADATA.tables, "procrastinate_jobs"} - {"schedule_run"}:
            count = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name))
            if name == "procrastinate_jobs":
                count = sql.SQL("{} WHERE status = 'failed'").format(count)
            row = await (await owner.execute(count)).fetchone()
            assert row is not None
            found[name] = row[0]
        return {name: rows for name, rows in found.items() if rows}


async def taken_by_each(services: Services, conninfo: str) -> dict[str, set[str]]:
    """Run every scheduled job in turn: by job, the tables that have fewer rows than before."""
    taken: dict[str, set[str]] = {}
    for job in SCHEDULE:
        before = await sizes(conninfo)
        await service.run(services, job)
        after = await sizes(conninfo)
        taken[job.name] = {name for name, rows in before.items() if after.get(name, 0) < rows}
    return {name: tables for name, tables in taken.items() if tables}


async def run(services: Services, name: str) -> str | None:
    """Run a scheduled job; the error that its record holds."""
    job = entry(name)
    assert job is not None
    await service.run(services, job)
    async with services.database.system() as session:
        last = (await service.last_runs(session))[name]
    return (last.result or {}).get("error")


async def ready(services: Services) -> HealthReply:
    async with client(build(services), None) as visitor:
        reply = await visitor.get("/readyz")
    assert reply.status_code == 200
    return HealthReply.model_validate(reply.json())


async def test_the_rows_of_these_tests_are_of_every_table_with_an_end(alone: Services, own_database: str) -> None:
    ending = {name for name, table in METADATA.tables.items() if "expires_at" in table.columns}
    assert ending - {"api_key"} <= set.union(*DELETED_FOR_THEIR_AGE.values()) <= (await sizes(own_database)).keys()


async def test_time_that_really_passes_has_each_job_delete_what_is_old(
    alone: Services, own_database: str, machine: Machine
) -> None:
    machine.pass_by(LONG_MS)
    assert await taken_by_each(alone, own_database) == DELETED_FOR_THEIR_AGE


@pytest.mark.parametrize("checked", [True, False], ids=["after a check", "before a check"])
async def test_no_scheduled_job_deletes_by_a_clock_that_was_set_ahead(
    alone: Services, own_database: str, machine: Machine, checked: bool
) -> None:
    machine.now += LONG_MS
    if checked:
        await clock_jump.check(alone)
    assert await taken_by_each(alone, own_database) == {}
    machine.now -= LONG_MS
    assert await taken_by_each(alone, own_database) == {}


async def test_no_scheduled_job_deletes_at_once_after_a_long_time_without_power(
    alone: Services, own_database: str, machine: Machine
) -> None:
    machine.off_for(LONG_MS)
    assert await taken_by_each(alone, own_database) == {}
    await machine.run(alone, OFF_GRACE_MS + COUNTED_MS)
    assert (await taken_by_each(alone, own_database)).keys() == DELETED_FOR_THEIR_AGE.keys()


async def test_a_restart_of_memd_or_of_the_machine_does_not_end_the_hold(
    alone: Services, service_settings: Settings, own_database: str, machine: Machine
) -> None:
    machine.now += LONG_MS
    async with started(service_settings, own_database, machine) as again:
        assert await run(again, "message_expiry") == service.HELD
        machine.off_for(COUNTED_MS)
    async with started(service_settings, own_database, machine) as again:
        assert await run(again, "message_expiry") == service.HELD
        machine.now -= LONG_MS
        assert await run(again, "message_expiry") is None
    assert "message" in await sizes(own_database)


async def test_a_job_that_is_held_runs_once_the_grace_is_over(
    alone: Services, own_database: str, machine: Machine
) -> None:
    machine.now += LONG_MS
    await clock_jump.check(alone)
    assert await run(alone, "message_expiry") == service.HELD
    waiting = "SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'message_expiry' AND scheduled_at > now()"
    async with alone.database.system() as session:
        assert await session.value(waiting, {}) == 1
    await machine.run(alone, SET_GRACE_MS)
    assert await run(alone, "message_expiry") is None
    assert "message" not in await sizes(own_database)


async def test_a_clock_that_was_set_back_holds_nothing(alone: Services, own_database: str, machine: Machine) -> None:
    machine.now -= DAY_MS
    await clock_jump.check(alone)
    assert await taken_by_each(alone, own_database) == {}
    assert await run(alone, "message_expiry") is None
    assert "set back by 24 h" in ((await ready(alone)).degraded or {})["clock"]
    machine.now += DAY_MS
    await clock_jump.check(alone)
    assert (await ready(alone)).degraded is None
    assert await run(alone, "message_expiry") is None


@pytest.mark.rule("9.5 GET /healthz, /readyz")
async def test_readyz_says_what_the_clock_did_until_it_is_right_again(alone: Services, machine: Machine) -> None:
    assert (await ready(alone)).degraded is None
    machine.now += DAY_MS
    state = await ready(alone)
    assert (state.ok, (state.degraded or {})["clock"].partition(";")[0]) == (True, "set ahead by 24 h")
    await clock_jump.check(alone)
    assert await ready(alone) == state
    machine.now -= DAY_MS
    assert (await ready(alone)).degraded is None


async def test_the_leader_checks_the_clock(alone: Services, machine: Machine) -> None:
    async def ahead() -> int:
        async with alone.database.system() as session:
            return (await session.value("SELECT value FROM service_fact WHERE name = 'clock'", {}))["ahead_ms"]

    leader = Clock(alone, {})
    machine.now += DAY_MS
    await leader.start()
    assert await ahead() == DAY_MS
    following = asyncio.create_task(leader.follow_system_clock(0.01))
    try:
        machine.now -= DAY_MS
        async with asyncio.timeout(120):
            while await ahead() != 0:  # noqa: ASYNC110 -- the condition is a row's
                await asyncio.sleep(0.01)
    finally:
        await cancel_and_wait([following], again_after_s=1)
        leader.stop()
