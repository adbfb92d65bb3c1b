"""Every row of the table of jobs (contract 13) does its work when its turn comes, for every user, on a clock of the test.

What each job leaves alone, and how much it does at a time, is in the tests of its room.
"""

import math
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any, NamedTuple

import httpx
import pytest
import pytest_asyncio

from memctl.client import MemdClient
from memd.app import build
from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.migrate import migrate
from memd.domain.types import Tier
from memd.schedule import service
from memd.schedule.registry import SCHEDULE, entry
from memd.settings import Settings
from tests.memd.lifecycle.rows import aged, kept
from tests.support.jobs import done, later
from tests.support.postgres import empty_database
from tests.support.service import BASE, TestUser, add_user, serving
from tests.support.wire import capture, post

DECISION = "We decided to deploy the payments service on Fridays only after the smoke tests are green."
ALIKE = math.degrees(math.acos(0.8))
SENSORY = {"store": "sensory", "category": "conversation"}
Arrange = Callable[[Services, TestUser], Awaitable[Any]]


class Row(NamedTuple):
    """How things are brought about, what is counted, and the counts before and after a run that much later."""

    arrange: Arrange
    counted: str
    before: int
    after: int
    ahead: dict[str, float]


async def log(user: TestUser, **fields: Any) -> None:
    await post(user, "log", {"role": "user", "content": DECISION, "sessionKey": "s1", "channel": "slack", **fields})


def captured(*assignments: str, **fields: Any) -> Arrange:
    """A memory, of which something is changed behind the service's back."""

    async def arrange(services: Services, user: TestUser) -> None:
        await capture(user, **fields)
        await done(services, user)
        async with services.database.write(user.id) as session:
            for assignment in assignments:
                await session.execute(assignment)

    return arrange


async def told(services: Services, user: TestUser) -> None:
    await log(user)
    await done(services, user)


async def asked_before(services: Services, user: TestUser) -> None:
    request = await user.http.post("/api/standing", json={"name": "smoke", "query": "smoke tests"})
    assert request.status_code == 201, request.text
    await log(user, content="The smoke tests are green.")
    await done(services, user)


async def small_talk_kept(services: Services, user: TestUser) -> None:
    logged = await post(user, "log", {"role": "user", "content": "Thanks, that sounds great!"})
    await kept(services, user, "Thanks, that sounds great!", [logged["id"]])
    await done(services, user)


async def two_alike(services: Services, user: TestUser) -> None:
    await aged(services, user)
    await aged(services, user, degrees=ALIKE)


async def two_impressions(services: Services, user: TestUser) -> None:
    await aged(services, user, days=2, **SENSORY)
    await aged(services, user, days=2, degrees=1, **SENSORY)


async def nearly_full(services: Services, user: TestUser) -> None:
    await capture(user)
    own = {"user": user.id}
    async with services.database.write(user.id) as session:
        await session.execute(
            """
            INSERT INTO memory (user_id, id, title, content, store, category, source, strength, confidence, valence,
                                arousal, last_accessed_at, created_at, updated_at, content_hash)
            SELECT user_id, gen_random_uuid(), title, content || n, store, category, source, strength, confidence, valence,
                   arousal, last_accessed_at, created_at, updated_at, content_hash || n
            FROM memory, generate_series(1, 449) n WHERE user_id = %(user)s
            """,
            own,
        )
        await session.execute("UPDATE totals SET active_memories = 450 WHERE user_id = %(user)s", own)


async def a_days_work(services: Services, user: TestUser) -> None:
    for number in range(3):
        await aged(services, user, days=0.5, content=f"Everybody was there. We decided on plan {number}.")


ARCHIVED = "SELECT count(*) FROM memory WHERE archived"
TABLE = {
    "message_embedder": Row(
        captured("DELETE FROM memory_vector", "UPDATE memory SET embedding_pending = true"),
        "SELECT count(*) FROM memory_vector", 0, 1, {},
    ),
    "extraction": Row(told, "SELECT count(*) FROM memory", 0, 1, {"minutes": 3}),
    "vector_index": Row(
        captured("UPDATE totals SET active_memories = 5000"),
        "SELECT count(*) FROM pg_indexes WHERE indexname LIKE 'hnsw%%'", 0, 1, {},
    ),
    "standing": Row(asked_before, "SELECT count(*) FROM standing_line", 0, 1, {"minutes": 61}),
    "session_snapshots": Row(told, "SELECT count(*) FROM snapshot", 0, 1, {"minutes": 31}),
    "graph_backfill": Row(
        captured("DELETE FROM memory_node", "UPDATE memory SET graph_enriched = false", content="Anna owns the vault."),
        "SELECT count(DISTINCT memory_id) FROM memory_node", 0, 1, {},
    ),
    "recall_text_backfill": Row(
        captured("UPDATE memory SET recall_text = NULL"), "SELECT count(recall_text) FROM memory", 0, 1, {}
    ),
    "text_reindex": Row(
        captured("UPDATE memory_index SET tsv = '', index_version = 0"),
        "SELECT count(*) FROM memory_index WHERE tsv <> '' AND index_version > 0", 0, 1, {},
    ),
    "associate": Row(two_alike, "SELECT count(*) FROM association", 0, 1, {}),
    "consolidate": Row(two_impressions, "SELECT count(*) FROM memory WHERE store = 'episodic'", 0, 1, {}),
    "decay": Row(nearly_full, ARCHIVED, 0, 25, {}),
    "cleanup": Row(captured("UPDATE memory SET strength = 0.05"), ARCHIVED, 0, 1, {}),
    "junk": Row(small_talk_kept, ARCHIVED, 0, 1, {}),
    "policy_rescan": Row(
        captured("UPDATE memory SET blocked = true, policy_version = 'older'"),
        "SELECT count(*) FROM memory WHERE NOT blocked", 0, 1, {},
    ),
    "message_expiry": Row(told, "SELECT count(*) FROM message", 1, 0, {"days": 8}),
    "reflection": Row(
        a_days_work, "SELECT count(*) FROM memory WHERE title LIKE 'Reflection summary: %%'", 0, 1, {"minutes": 1}
    ),
    "stats_cache": Row(
        captured("UPDATE totals SET active_memories = 99"), "SELECT active_memories FROM totals", 99, 1, {}
    ),
}  # fmt: skip


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def alone(embedded_postgres: EmbeddedPostgres, service_settings: Settings) -> AsyncIterator[Services]:
    """A service whose only users are those of this module."""
    with empty_database(embedded_postgres) as conninfo:
        migrate(conninfo)
        async with serving(service_settings, conninfo) as services:
            yield services


@pytest_asyncio.fixture(loop_scope="session")
async def somebody(alone: Services) -> AsyncIterator[TestUser]:
    """A user of the free tier."""
    user_id, key = await add_user(alone, tier=Tier.FREE)
    transport = httpx.ASGITransport(build(alone))
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as http:
        yield TestUser(user_id, key, MemdClient(BASE, key, transport=transport), http)


async def count(services: Services, user: TestUser, query: str) -> int:
    async with services.database.read(user.id) as session:
        return await session.value(query, {})


SHOWN_ELSEWHERE = {"audit_expiry", "erasure"}
"""Entries of the audit log and receipts of erasures belong to no user: tests/memd/audit and tests/memd/erasure."""


def test_no_row_of_the_table_is_left_out() -> None:
    assert set(TABLE) | SHOWN_ELSEWHERE == {one.name for one in SCHEDULE}


@pytest.mark.parametrize("name", list(TABLE))
async def test_a_job_has_its_effect_when_it_runs_and_none_when_it_runs_again(
    alone: Services, somebody: TestUser, name: str
) -> None:
    row, work = TABLE[name], entry(name)
    assert work is not None
    await row.arrange(alone, somebody)
    assert await count(alone, somebody, row.counted) == row.before
    then = later(alone, **row.ahead)
    await service.run(then, work)
    assert await count(alone, somebody, row.counted) == row.after
    await service.run(replace(then, clock=lambda: then.clock() + 1), work)
    assert await count(alone, somebody, row.counted) == row.after
