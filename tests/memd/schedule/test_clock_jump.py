"""A system clock that jumps by a day, or by years, and back deletes nothing permanently; every scheduled job is tried."""

import asyncio
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple

import psycopg
import pytest
import pytest_asyncio
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from memctl.wire.health import HealthReply
from memd.app import build
from memd.cancellation import cancel_and_wait
from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.catalogue import METADATA
from memd.db.schema.migrate import migrate
from memd.domain.dates.time_window import DAY_MS
from memd.domain.schedule.clock_jump import COUNTED_MS, OFF_GRACE_MS, SET_GRACE_MS, Uptime
from memd.schedule import clock_jump, service
from memd.schedule.registry import SCHEDULE
from memd.schedule.scheduler import Timers
from memd.services import now_ms
from memd.settings import Settings
from tests.memd.schedule.aging import everything_that_ages, run
from tests.support.limits import client
from tests.support.postgres import empty_database
from tests.support.service import serving

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


class Filled(NamedTuple):
    """A database, and when it was filled."""

    conninfo: str
    now: int


@contextmanager
def copied_database(server: EmbeddedPostgres, conninfo: str) -> Generator[str]:
    """The conninfo of a copy of a database to which nobody is connected, dropped when the block ends."""
    original = conninfo_to_dict(conninfo)["dbname"]
    name = f"{original}_copy"
    with psycopg.connect(server.conninfo, autocommit=True) as connection:
        names = {"name": sql.Identifier(name), "original": sql.Identifier(str(original))}
        connection.execute(sql.SQL("CREATE DATABASE {name} TEMPLATE {original}").format(**names))
        yield make_conninfo(server.conninfo, dbname=name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@asynccontextmanager
async def started(settings: Settings, conninfo: str, machine: Machine) -> AsyncGenerator[Services]:
    """A memd whose jobs run when the test says so, from its first check of the clock on."""
    async with serving(settings.model_copy(update={"workers_off": True}), conninfo) as services:
        await clock_jump.check(machine.under(services))
        yield machine.under(services)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def filled(embedded_postgres: EmbeddedPostgres, service_settings: Settings) -> AsyncGenerator[Filled]:
    """A database with rows of everything that ages, to be copied, and the clocks at which it was left."""
    with empty_database(embedded_postgres) as conninfo:
        await asyncio.to_thread(migrate, conninfo)
        machine = Machine(now_ms(), Uptime("first", 60_000))
        async with started(service_settings, conninfo, machine) as services:
            await everything_that_ages(services, conninfo)
        yield Filled(conninfo, machine.now)


@pytest.fixture
def machine(filled: Filled) -> Machine:
    return Machine(filled.now, Uptime("first", 60_000))


@pytest.fixture
def own_database(embedded_postgres: EmbeddedPostgres, filled: Filled) -> Iterator[str]:
    """A copy of the filled database."""
    with copied_database(embedded_postgres, filled.conninfo) as conninfo:
        yield conninfo


@pytest_asyncio.fixture(loop_scope="session")
async def alone(service_settings: Settings, own_database: str, machine: Machine) -> AsyncGenerator[Services]:
    """Such a memd on a database with rows of everything that ages."""
    async with started(service_settings, own_database, machine) as services:
        yield services


COUNT = sql.SQL(" UNION ALL ").join(
    sql.SQL("SELECT {}, count(*) FROM {}{}").format(
        name, sql.Identifier(name), sql.SQL(" WHERE status = 'failed'" if name == "procrastinate_jobs" else "")
    )
    for name in sorted({*METADATA.tables, "procrastinate_jobs"} - {"schedule_run"})
)
"""Rows by table, the record of jobs aside; of the queue, those of failed jobs."""


async def counted(owner: psycopg.AsyncConnection[tuple[str, int]]) -> dict[str, int]:
    """The number of rows of every table that has some."""
    return {name: rows for name, rows in await (await owner.execute(COUNT)).fetchall() if rows}


async def sizes(conninfo: str) -> dict[str, int]:
    """The same, asked on a connection of its own."""
    async with await psycopg.AsyncConnection[tuple[str, int]].connect(conninfo, autocommit=True) as owner:
        return await counted(owner)


async def taken_by_each(services: Services, conninfo: str) -> dict[str, set[str]]:
    """Run every scheduled job in turn: by job, the tables that have fewer rows than before."""
    taken: dict[str, set[str]] = {}
    async with await psycopg.AsyncConnection[tuple[str, int]].connect(conninfo, autocommit=True) as owner:
        after = await counted(owner)
        for job in SCHEDULE:
            before = after
            await service.run(services, job)
            after = await counted(owner)
            taken[job.name] = {name for name, rows in before.items() if after.get(name, 0) < rows}
    return {name: tables for name, tables in taken.items() if tables}


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

    leader = Timers(alone, {})
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
