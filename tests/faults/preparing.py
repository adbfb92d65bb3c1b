"""Databases in which a scenario can begin: made once, copied for each round."""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Final

import httpx
import psycopg

from memctl.client import MemdClient
from memd.app import build
from memd.context import Services
from memd.db.schema.migrate import migrate
from memd.embed import models
from memd.jobs import worker
from memd.resources import logins_of
from memd.schedule import service as schedule
from memd.services import running
from tests.faults.cluster import Cluster
from tests.faults.lives import Maker
from tests.faults.scenario import Facts, Scenario
from tests.faults.state import broken_rules
from tests.support.jobs import done
from tests.support.service import BASE, HOST, TestUser, add_user

START: Final = "start"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A database to copy, what the arrangement left in it, the key of its user, and rules that it breaks on purpose."""

    scenario: Scenario
    database: str
    facts: Facts
    key: str
    broken: frozenset[str]


def migrated(maker: Maker, cluster: Cluster) -> str:
    """A database without users, in which a start finds no change of the policy or of the text analysis to act upon."""
    database = cluster.create()
    conninfo = cluster.of(database)
    migrate(conninfo)

    async def note() -> None:
        async with _running(maker, conninfo, working=False) as services:
            await schedule.follow_policy(services)
            await schedule.follow_text_analysis(services)

    def work(channel: socket.socket) -> None:
        asyncio.run(note())
        channel.sendall(b"{}")

    maker.fork(work).result()
    cluster.wait_quiet(database)
    _forget(conninfo, but="")
    return database


def prepare(maker: Maker, cluster: Cluster, empty: str, scenario: Scenario) -> Prepared:
    """Arrange the data of a scenario in a copy of the empty database; of its jobs only the watched kind is left."""
    database = cluster.create(empty)
    conninfo = cluster.of(database)
    if scenario.target == START:
        return Prepared(scenario, database, {}, "", frozenset())

    def work(channel: socket.socket) -> None:
        channel.sendall(json.dumps(asyncio.run(_arrange(maker, conninfo, scenario))).encode())

    made = maker.fork(work).result()
    cluster.wait_quiet(database)
    _forget(conninfo, but=scenario.target.removeprefix("job "))
    with psycopg.connect(conninfo, autocommit=True) as connection:
        broken = frozenset(broken_rules(connection))
    cluster.wait_quiet(database)
    return Prepared(scenario, database, made["facts"], made["key"], broken)


def _forget(conninfo: str, *, but: str) -> None:
    """Delete the jobs of other kinds, and the time, which a scenario with a clock of its own would see as a jump."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("DELETE FROM service_fact WHERE name = 'clock'")
        connection.execute("DELETE FROM procrastinate_jobs WHERE task_name <> %s", [but])


@asynccontextmanager
async def _running(maker: Maker, conninfo: str, *, working: bool) -> AsyncGenerator[Services]:
    settings = maker.settings(conninfo).model_copy(update={"allowed_hosts": [HOST]})
    login = logins_of(settings, conninfo).system
    model = await asyncio.to_thread(models.claim, conninfo, maker.embedder.name, maker.embedder.dimensions)
    async with (
        running(settings, conninfo, maker.embedder, model) as services,
        worker.run_workers(services, login) if working else nullcontext(),
    ):
        yield services


async def _arrange(maker: Maker, conninfo: str, scenario: Scenario) -> dict[str, Any]:
    facts: Facts = {}
    user: TestUser | None = None
    for working, act in ((True, scenario.arrange), (False, scenario.cause)):
        async with _running(maker, conninfo, working=working) as services:
            user_id, key = (user.id, user.key) if user else await add_user(services, **scenario.user)
            transport = httpx.ASGITransport(build(services))
            headers = {"Authorization": f"Bearer {key}"}
            async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as http:
                user = TestUser(user_id, key, MemdClient(BASE, key, transport=transport), http)
                facts |= await act(services, user) or {}
                if working:
                    await done(services, user)
    assert user is not None
    return {"facts": facts, "key": user.key}
