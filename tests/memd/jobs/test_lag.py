"""The lag of background work: the age of the oldest waiting row by kind, in GET /api/jobs, /readyz and /metrics."""

import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio
from starlette.types import ASGIApp

from memctl.wire.enums import LagKind
from memd.context import Services
from memd.db.session import Deferral
from memd.domain.dates.time_window import DAY_MS
from memd.domain.ids import decode, new_id
from memd.domain.types import Tier
from memd.erasure.messages.service import SESSION
from memd.erasure.store import Receipt, finish
from memd.erasure.store import add as add_receipt
from memd.jobs.lag import service as lag
from memd.jobs.lag.store import lags as lags_of_all
from tests.support.jobs import done
from tests.support.limits import client
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, chunk, fill, make_base, post, send

HOUR_MS = 3_600_000
ALONE = "held by nobody"


async def lags(user: TestUser) -> dict[str, int]:
    return (await send(user, "GET", "/api/jobs"))["queue"]["lagMs"]


@pytest_asyncio.fixture(loop_scope="session", autouse=True)
async def nothing_waits_afterwards(services: Services, user: TestUser) -> AsyncIterator[None]:
    """Leave no waiting row behind, for tests that look at all users."""
    yield
    await change(
        services, user, "UPDATE memory SET graph_enriched = true, embedding_pending = false WHERE user_id = %(user)s"
    )
    await change(services, user, "UPDATE message SET embedding_pending = false WHERE user_id = %(user)s")
    async with services.database.system() as session:
        mine = {"user": str(user.id)}
        await session.execute("DELETE FROM procrastinate_jobs WHERE args ->> 'user_id' = %(user)s", mine)


async def change(services: Services, user: TestUser, statement: str, **params: Any) -> None:
    async with services.database.write(user.id) as session:
        await session.execute(statement, {"user": user.id, "then": services.clock() - HOUR_MS, **params})


async def hold_job(services: Services, user: TestUser, kind: str, *, due_s: int) -> None:
    """A job that no worker takes, due for this many seconds; negative: in the future."""
    async with services.database.system() as session:
        await session.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, status, scheduled_at, args) "
            "VALUES ('elsewhere', %(kind)s, 'todo', now() - make_interval(secs => %(due)s), "
            "        jsonb_build_object('user_id', %(user)s::text))",
            {"kind": kind, "due": due_s, "user": str(user.id)},
        )


async def logged(user: TestUser, services: Services) -> UUID:
    reply = await post(user, "log", {"role": "user", "content": "The boiler is warm."})
    await done(services, user)
    return decode("msg", reply["id"])


@pytest.mark.rule("9.5 GET /api/jobs")
async def test_a_user_without_waiting_rows_has_no_lag(user: TestUser, services: Services) -> None:
    await capture(user, content="Anna owns the boiler.")
    await logged(user, services)
    assert await lags(user) == {}


async def test_the_oldest_waiting_row_of_each_kind_counts(user: TestUser, services: Services) -> None:
    old, young = [decode("mem", await capture(user, content=f"Anna owns boiler {n}.")) for n in range(2)]
    message = await logged(user, services)
    await change(
        services,
        user,
        "UPDATE memory SET graph_enriched = false, embedding_pending = true, updated_at = %(then)s "
        "WHERE user_id = %(user)s AND id = %(old)s",
        old=old,
    )
    await change(
        services,
        user,
        "UPDATE memory SET graph_enriched = false WHERE user_id = %(user)s AND id = %(young)s",
        young=young,
    )
    await change(
        services,
        user,
        "UPDATE message SET embedding_pending = true, created_at = %(then)s WHERE user_id = %(user)s AND id = %(message)s",
        message=message,
    )
    seen = await lags(user)
    assert seen.keys() == {LagKind.EMBED_MEMORY, LagKind.EMBED_MESSAGE, LagKind.GRAPH}
    assert min(seen.values()) >= HOUR_MS


async def test_chunks_count_unless_they_are_configuration_or_archived(user: TestUser, services: Services) -> None:
    base = await make_base(user)
    ids = (await fill(user, base, chunk("Anna owns the boiler."), chunk("Boilers are warm.")))["memoryIds"]
    await done(services, user)
    assert await lags(user) == {}
    unread = (
        "UPDATE memory SET graph_enriched = false, updated_at = %(then)s{} WHERE user_id = %(user)s AND id = %(id)s"
    )
    await change(services, user, unread.format(", archived = true"), id=decode("mem", ids[0]))
    await change(services, user, unread.format(", chunk_kind = 'config'"), id=decode("mem", ids[1]))
    assert await lags(user) == {}
    await change(services, user, unread.format(", chunk_kind = 'content'"), id=decode("mem", ids[1]))
    assert (await lags(user))[LagKind.GRAPH] >= HOUR_MS


async def test_jobs_count_from_the_time_they_are_due(user: TestUser, services: Services) -> None:
    await hold_job(services, user, "extract_turn", due_s=-600)
    assert await lags(user) == {}
    await hold_job(services, user, "extract_turn", due_s=90)
    asked = services.clock() - 5_000
    erasure = Receipt(user.id, new_id(), user.id, SESSION, {"sessionKey": "none"}, "queued", {}, asked, None)
    async with services.database.system() as session:
        await add_receipt(session, erasure)
    seen = await lags(user)
    assert seen.keys() == {LagKind.EXTRACTION, LagKind.ERASURE}
    assert seen[LagKind.EXTRACTION] >= 90_000
    assert seen[LagKind.ERASURE] >= 5_000
    async with services.database.system() as session:
        await finish(session, erasure.id, services.clock())
    assert (await lags(user)).keys() == {LagKind.EXTRACTION}


async def test_a_job_without_a_time_counts_from_its_enqueueing(user: TestUser, services: Services) -> None:
    async with services.database.write(user.id) as session:
        session.defer(Deferral("kb_delete_page", {"knowledge_base_id": "none"}, lock=ALONE, delay_ms=3_600_000))
    async with services.database.system() as session:
        await session.execute(
            "UPDATE procrastinate_jobs SET queue_name = 'elsewhere', scheduled_at = NULL WHERE args ->> 'user_id' = %(u)s",
            {"u": str(user.id)},
        )
        await session.execute(
            "UPDATE procrastinate_events SET at = now() - interval '1 hour' WHERE job_id IN "
            "(SELECT id FROM procrastinate_jobs WHERE args ->> 'user_id' = %(u)s)",
            {"u": str(user.id)},
        )
    seen = await lags(user)
    assert seen[LagKind.KB_DELETION] >= HOUR_MS


async def test_nobody_sees_the_lag_of_others_but_all_of_it_together_is_public(
    services: Services, app: ASGIApp, user: TestUser, make_user: MakeUser
) -> None:
    other = await make_user()
    message = await logged(user, services)
    long_ago = services.clock() - 100 * HOUR_MS
    await change(
        services,
        user,
        "UPDATE message SET embedding_pending = true, created_at = %(ago)s WHERE user_id = %(user)s AND id = %(message)s",
        message=message,
        ago=long_ago,
    )
    assert await lags(other) == {}
    assert (await lag.lag_ms(services, None))[LagKind.EMBED_MESSAGE] >= 100 * HOUR_MS
    services.lag.forget()
    async with client(app, None, "127.0.0.1") as visitor:
        ready = (await visitor.get("/readyz")).json()
        metrics = (await visitor.get("/metrics")).text
    assert ready["ok"], ready
    assert ready["details"]["lagSeconds"][LagKind.EMBED_MESSAGE] >= 360_000
    gauges = dict(re.findall(r'^memd_background_lag_seconds\{kind="(\w+)"\} (\S+)$', metrics, re.MULTILINE))
    assert gauges.keys() == set(LagKind)
    assert float(gauges[LagKind.EMBED_MESSAGE]) >= 360_000


async def test_rows_of_a_deactivated_user_wait_for_nothing(services: Services, user: TestUser) -> None:
    message = await logged(user, services)
    million = 10**6 * HOUR_MS // 1000
    await change(
        services,
        user,
        "UPDATE message SET embedding_pending = true, created_at = %(ago)s WHERE user_id = %(user)s AND id = %(message)s",
        message=message,
        ago=services.clock() - million,
    )
    async with services.database.system() as session:
        await session.execute("UPDATE app_user SET active = false WHERE user_id = %(user)s", {"user": user.id})
    assert (await lag.lag_ms(services, None)).get(LagKind.EMBED_MESSAGE, 0) < million


async def test_rows_that_wait_for_the_allowance_of_a_day_are_behind_nothing(
    services: Services, make_user: MakeUser
) -> None:
    limited = await make_user(tier=Tier.FREE)
    message = await logged(limited, services)
    day = 1_000  # in 1972, when the rows of other tests do not wait yet
    waiting = (
        "UPDATE message SET embedding_pending = true, created_at = %(ago)s WHERE user_id = %(user)s AND id = %(id)s"
    )
    await change(services, limited, waiting, id=message, ago=(day - 50) * DAY_MS)
    spent = (
        "INSERT INTO embedding_use (user_id, day, calls, background_calls) VALUES (%(user)s, %(day)s, %(all)s, %(half)s) "
        "ON CONFLICT (user_id, day) DO UPDATE SET calls = %(all)s, background_calls = %(half)s"
    )
    for every, half, age in ((24, 24, DAY_MS // 2), (50, 0, 0), (25, 25, 0)):
        await change(services, limited, spent, day=day, all=every, half=half)
        async with services.database.system() as session:
            rows = await lags_of_all(session, None, services.model, day * DAY_MS + DAY_MS // 2)
        assert {row.kind: row.age_ms for row in rows}.get(LagKind.EMBED_MESSAGE, 0) == age, (every, half)
        assert (await lags(limited))[LagKind.EMBED_MESSAGE] >= 50 * DAY_MS
    await change(services, limited, "UPDATE message SET embedding_pending = false WHERE user_id = %(user)s")
