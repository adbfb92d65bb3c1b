"""The vector index of a large user: built and dropped by its job, found by recall, and never a reason for missing rows."""

import numpy as np
import pytest
import pytest_asyncio
from pgvector import HalfVector

from memd.accounts.service import job_context
from memd.context import Services
from memd.db.session import ReadSession
from memd.domain.ids import new_id
from memd.domain.text_analysis.language import Language
from memd.domain.types import Category, HistoryAction, Store
from memd.embed.vector_index import keep_vector_indexes, search_settings
from memd.embed.vector_index_store import is_indexed, record_index, version_counts
from memd.memories.history.recording import Cause, record_versions
from memd.memories.insertion import insert_memories
from memd.memories.new import NewMemory
from memd.recall.moment_store import RowCounts, row_counts
from memd.stats import service as stats
from tests.support.dict_rows import dict_rows
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, post

FEW = 15
MIN_MEMORIES = 1_500
"""Fewer than in service, so that less has to be stored."""
TOPICS = ("river", "engine", "bread", "music")


@pytest_asyncio.fixture(loop_scope="session")
async def large(services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch) -> TestUser:
    """A user with as many memories as an index takes, of four topics; fifteen are on a channel of their own."""
    monkeypatch.setattr("memd.embed.vector_index.MIN_MEMORIES", MIN_MEMORIES)
    rng = np.random.default_rng(1)
    topics = await services.batcher.embed_many(TOPICS)
    noise = rng.standard_normal((MIN_MEMORIES, topics.shape[1])).astype(np.float32) * (0.8 / topics.shape[1] ** 0.5)
    rows = [
        NewMemory(
            id=new_id(),
            title=f"{TOPICS[index % 4]} {index}",
            content=f"About {TOPICS[index % 4]}, note {index}.",
            content_hash=str(index),
            recall_text="",
            store=Store.SEMANTIC,
            category=Category.FACT,
            created_at=services.clock() - index * 60_000,
            channel="quiet" if index < FEW else "loud",
            vector=topics[index % 4] + noise[index],
        )
        for index in range(MIN_MEMORIES)
    ]
    async with services.database.write(user.id) as session:
        await insert_memories(session, rows, model=services.model, default_language=Language.ENGLISH)
        await stats.move(session, services.clock(), active=len(rows))
    return user


async def indexed(services: Services, user: TestUser) -> bool:
    async with services.database.read(user.id) as session:
        (row,) = await session.rows(is_indexed(user.id, services.model))
    return row.indexed


async def versions_indexed(services: Services, user: TestUser) -> bool:
    async with services.database.read(user.id) as session:
        (row,) = await session.rows(RowCounts, *row_counts(user.id, services.model, services.clock()))
    return row.versions_indexed


async def change_all(services: Services, user: TestUser) -> None:
    """End a version of every memory."""
    context = await job_context(services, user.id)
    assert context is not None
    async with services.database.write(user.id) as session:
        ids = await session.values("SELECT id FROM memory WHERE user_id = %(user)s", {"user": user.id})
        await record_versions(session, context, ids, Cause(HistoryAction.UPDATE))


async def nearest(session: ReadSession, services: Services, query: str) -> set[str]:
    """The titles of the twelve nearest memories, by looking at all."""
    vector = await services.batcher.embed_query(query)
    rows = await dict_rows(
        session,
        """
        SELECT m.title FROM memory_vector v JOIN memory m ON m.user_id = v.user_id AND m.id = v.memory_id
        WHERE v.user_id = %(user)s ORDER BY (v.embedding <=> %(vector)s) + 0 LIMIT 12
        """,
        {"user": session.user_id, "vector": HalfVector(vector.astype(np.float16))},
    )
    return {row["title"] for row in rows}


async def vector_lane(user: TestUser, query: str, **fields: object) -> list[str]:
    """The ids that the vector lane of a recall found, nearest first."""
    reply = await user.http.post(
        "/api/mcp/recall", json={"query": query, **fields}, params={"debugRecallOutput": "true"}
    )
    rows = [row for row in reply.json()["debug"]["memories"] if "vector" in row["lanes"]]
    rows.sort(key=lambda row: -row["components"]["vectorScore"])
    return [row["id"] for row in rows]


async def titles(user: TestUser, memory_ids: list[str]) -> set[str]:
    """The titles of memories."""
    shown = [await post(user, "memory", {"memoryId": memory_id}) for memory_id in memory_ids]
    return {one["memory"]["title"] for one in shown}


async def test_the_job_builds_the_index_recall_finds_what_a_full_look_finds_and_it_goes_again(
    services: Services, large: TestUser
) -> None:
    assert not await indexed(services, large)
    await keep_vector_indexes(services)
    assert await indexed(services, large)
    async with services.database.system() as session:
        await record_index(session, large.id, None)  # as if the process had ended between the build and the note
    await keep_vector_indexes(services)
    assert await indexed(services, large)
    agreed = 0
    for topic in TOPICS:
        async with services.database.read(large.id) as session:
            exact = await nearest(session, services, topic)
        agreed += len(await titles(large, (await vector_lane(large, topic))[:12]) & exact)
    assert agreed >= 0.95 * 12 * len(TOPICS)
    assert len(await vector_lane(large, "river", channel="quiet")) == FEW
    assert not await versions_indexed(services, large)
    before = services.clock()
    of_now = await vector_lane(large, "river")
    await change_all(services, large)
    await keep_vector_indexes(services)
    assert await versions_indexed(services, large)
    of_then = await vector_lane(large, "river", asOf=before)
    assert len(set(of_then) & set(of_now)) >= 0.95 * len(of_now)
    async with services.database.write(large.id) as session:
        await stats.move(session, services.clock(), active=-MIN_MEMORIES)
    await keep_vector_indexes(services)
    assert not await indexed(services, large)
    assert not await versions_indexed(services, large)


async def test_versions_of_several_users_are_counted_at_once(
    services: Services, user: TestUser, make_user: MakeUser
) -> None:
    changed = await capture(user, content="The river is high.")
    for title in ("One", "Two", "Three"):
        await post(user, "update", {"memoryId": changed, "title": title})
    other = await make_user()
    await capture(other)
    async with services.database.system() as session:
        counts = [await version_counts(session, [user.id, other.id], most) for most in (2, 10)]
    assert counts == [{user.id: 2, other.id: 0}, {user.id: 3, other.id: 0}]


@pytest.mark.parametrize(("memories", "candidates"), [(5_000, 80), (100_000, 205), (300_000, 438), (10_000_000, 1_000)])
def test_a_search_tries_more_candidates_among_more_memories(memories: int, candidates: int) -> None:
    """pgvector takes 1,000 at most, and versions take half as many again as memories do."""
    found = int(search_settings(memories)["hnsw.ef_search"])
    of_versions = int(search_settings(memories, versions=True)["hnsw.ef_search"])

    assert found == candidates
    assert found <= of_versions <= 1_000
