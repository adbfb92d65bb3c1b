"""Memories that all speak of the same entities: what they cost is bounded, whatever the planner knows (11.10, 17.5)."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, Final, LiteralString
from uuid import UUID

import pytest
import pytest_asyncio
from psycopg import AsyncConnection
from starlette.types import ASGIApp

from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.session import WriteSession
from memd.domain.types import Policy
from memd.graph.associating import CANDIDATES, WINDOW
from memd.graph.edge_store import sharing
from memd.graph.enrichment_store import lock_graph
from memd.memories.conflicts.detection import MAX_RIVALS, SCANNED, find_conflicts
from tests.support.dict_rows import dict_rows
from tests.support.jobs import done
from tests.support.service import MakeUser, TestUser, making_users
from tests.support.talk import log
from tests.support.wire import chunk, fill, make_base, post

MANY = 300
EDGES = "SELECT from_node_id, to_node_id FROM graph_relation WHERE user_id = %(user)s"
TABLES: Final[tuple[LiteralString, ...]] = ("memory", "memory_node", "memory_fact", "association", "graph_relation")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def crowded(services: Services, app: ASGIApp, embedded_postgres: EmbeddedPostgres) -> AsyncIterator[TestUser]:
    """A user whose memories all say nearly the same; no test changes them."""
    async with making_users(services, app) as make_user:
        yield await crowd(await make_user(policy=Policy.SELF_HOSTED_UNMETERED), services, embedded_postgres)


async def crowd(user: TestUser, services: Services, embedded_postgres: EmbeddedPostgres) -> TestUser:
    for start in range(0, MANY, 100):
        rows: list[dict[str, Any]] = [
            {
                "title": f"Note {number}",
                "content": f"Alice Johnson works at Acme {number}. The Orion Server uses Kafka. Alice Johnson owns the "
                "Orion Server.",
            }
            for number in range(start, start + 100)
        ]
        await post(user, "capture-batch", {"memories": rows})
    await done(services, user)
    async with await AsyncConnection.connect(embedded_postgres.conninfo, autocommit=True) as owner:
        for table in TABLES:
            await owner.execute(f"ANALYZE {table}")
    return user


async def rows_read(session: WriteSession) -> int:
    """How many rows this transaction has fetched from user tables."""
    return await session.value("SELECT sum(seq_tup_read + idx_tup_fetch)::bigint FROM pg_stat_xact_user_tables")


@pytest.mark.rule("11.10 associations")
async def test_associations_look_at_the_newest_memories_of_a_node_only(crowded: TestUser, services: Services) -> None:
    own = {"user": crowded.id}
    async with services.database.write(crowded.id) as session:
        pairs = [(row["from_node_id"], row["to_node_id"]) for row in await dict_rows(session, EDGES, own)]
        await session.execute("SET LOCAL enable_seqscan = off")  # rows of other tests are not counted
        before = await rows_read(session)
        found = await sharing(session, pairs, [], WINDOW, CANDIDATES)
        read = await rows_read(session) - before
    assert len(found) >= CANDIDATES * 2
    assert read <= len(pairs) * 2 * WINDOW * 2


@pytest.mark.rule("17.5 conflicts")
async def test_a_fact_is_compared_with_the_last_ones_about_its_attribute(crowded: TestUser, services: Services) -> None:
    own = {"user": crowded.id}
    async with services.database.write(crowded.id) as session:
        ids: list[UUID] = await session.values(
            "SELECT DISTINCT memory_id FROM memory_fact WHERE user_id = %(user)s", own
        )
        facts: int = await session.value("SELECT count(*) FROM memory_fact WHERE user_id = %(user)s", own)
        await session.execute("SET LOCAL enable_seqscan = off")  # rows of other tests are not counted
        before = await rows_read(session)
        found = await find_conflicts(session, ids, facts)
        read = await rows_read(session) - before
    assert len(ids) == MANY
    assert 0 < len(found) <= MAX_RIVALS
    assert read <= facts * 2 * (1 + SCANNED) + 2 * MANY


async def test_a_user_whose_graph_jobs_wait_takes_one_place_of_the_worker(
    make_user: MakeUser, services: Services
) -> None:
    crowd, other = await make_user(), await make_user()
    base = await make_base(crowd)
    async with services.database.write(crowd.id) as holder:
        lock_graph(holder)
        await holder.value("SELECT 1")
        for number in range(6):
            await fill(crowd, base, chunk(f"Anna owns the service {number}.", dedupeKey=f"p{number}"))
            await fill(other, await make_base(other), chunk(f"Bob owns the service {number}."))
            await done(services, other)
    await done(services, crowd)


async def test_what_a_user_waits_for_has_a_place_that_slow_jobs_of_others_cannot_take(
    make_user: MakeUser, services: Services
) -> None:
    crowd, other = [await make_user() for _ in range(5)], await make_user()
    async with AsyncExitStack() as held:
        for user in crowd:
            holder = await held.enter_async_context(services.database.write(user.id))
            lock_graph(holder)
            await holder.value("SELECT 1")
            await fill(user, await make_base(user), chunk("Anna owns the service."))
        await log(other, "a message")
        await done(services, other)
    for user in crowd:
        await done(services, user)
