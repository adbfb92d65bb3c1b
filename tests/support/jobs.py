"""Doing background work at once, in the test's own turn; the worker may do it too, which must change nothing."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from memd.accounts.service import job_context
from memd.context import Context, Services
from memd.domain.ids import decode
from memd.graph.enrichment import enrich
from tests.support.service import TestUser
from tests.support.wire import capture


async def context_of(services: Services, user: TestUser) -> Context:
    """The context of a job for this user."""
    context = await job_context(services, user.id)
    assert context is not None
    return context


async def enriched(services: Services, user: TestUser, **fields: object) -> str:
    """Store a memory and add it to the graph; its id."""
    memory_id = await capture(user, **fields)
    await enrich(await context_of(services, user), decode("mem", memory_id))
    return memory_id


def at(services: Services, now: int) -> Services:
    """The same services with the clock frozen at `now` (epoch ms), as after that much time."""
    boot, passed = services.uptime(), now - services.clock()
    return replace(services, clock=lambda: now, uptime=lambda: boot._replace(ms=boot.ms + passed))


def later(services: Services, **time: float) -> Services:
    """The same services with the clock frozen ahead, e.g. `later(services, minutes=3)`."""
    return at(services, services.clock() + int(timedelta(**time).total_seconds() * 1000))


async def done(services: Services, user: TestUser) -> None:
    """Wait until the worker has done every job of this user that is due, and the graph has read a burst of captures."""
    due = """
        SELECT task_name || ' ' || status || ' attempt ' || attempts FROM procrastinate_jobs
        WHERE args ->> 'user_id' = %(user)s AND status IN ('todo', 'doing')
          AND (scheduled_at IS NULL OR scheduled_at <= now()
               OR task_name = 'graph_enrich' AND scheduled_at <= now() + interval '1 second')
    """
    waiting: list[str] = []
    for _ in range(2_400):
        async with services.database.system() as session:
            waiting = await session.values(due, {"user": str(user.id)})
        if not waiting:
            return
        await asyncio.sleep(0.05)
    msg = f"jobs were not done within two minutes: {waiting}"
    raise AssertionError(msg)


async def now_of(services: Services) -> int:
    """A moment between what was written before and what is written after."""
    moment = services.clock() + 1
    while services.clock() <= moment:  # noqa: ASYNC110 - the clock is what is waited for
        await asyncio.sleep(0.001)
    return moment
