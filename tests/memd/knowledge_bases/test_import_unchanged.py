"""A chunk that is imported again with the text that is stored: what is kept of it, and what it costs (contract 8.4.1)."""

import pytest

from memd.context import Services
from memd.domain.types import Tier
from memd.graph.enrichment import enrich_memories
from memd.jobs.enqueue import CHUNKS
from tests.support.dict_rows import dict_rows
from tests.support.jobs import done
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, chunk, enumerate_chunks, fill, make_base

ALLOWANCE = 50
"""Embedding calls a day of the tier free (contract 2.1)."""


def numbered(count: int, **metadata: object) -> list[Json]:
    return [
        chunk(f"Valve {number} opens.", dedupeKey=f"k{number}", metadata={"title": f"Valve {number}", **metadata})
        for number in range(count)
    ]


async def vectors(services: Services, user: TestUser) -> list[Json]:
    async with services.database.read(user.id) as session:
        return await dict_rows(
            session, "SELECT memory_id, embedding::text AS vector FROM memory_vector ORDER BY memory_id", {}
        )


async def read_by_graph(services: Services, user: TestUser) -> Json:
    """When the graph has read each chunk, by its key."""
    await enrich_memories(services, user.id, {"of": CHUNKS})
    await done(services, user)
    async with services.database.read(user.id) as session:
        rows = await dict_rows(session, "SELECT dedupe_key, graph_enriched_at FROM memory ORDER BY dedupe_key", {})
    assert all(row["graph_enriched_at"] for row in rows)
    return {row["dedupe_key"]: row["graph_enriched_at"] for row in rows}


@pytest.mark.rule("8.4.1")
async def test_a_text_that_is_stored_already_is_not_embedded_again(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.FREE)
    base = await make_base(user)
    await fill(user, base, *numbered(ALLOWANCE))
    before = await vectors(services, user)
    reply = await fill(user, base, *numbered(ALLOWANCE, chunkIndex=7, sourceUrl="valves.md"))
    assert (reply["updatedCount"], reply["pendingEmbeddings"]) == (ALLOWANCE, 0)
    assert "embeddingCap" not in reply
    assert await vectors(services, user) == before
    rows = await enumerate_chunks(user, base)
    assert {(row["metadata"]["chunkIndex"], row["metadata"]["sourceUrl"]) for row in rows} == {(7, "valves.md")}


@pytest.mark.rule("8.4.1")
async def test_only_chunks_with_another_text_or_title_count_against_the_days_embeddings(
    make_user: MakeUser, services: Services
) -> None:
    user = await make_user(tier=Tier.FREE)
    base = await make_base(user)
    first = numbered(ALLOWANCE - 2)
    await fill(user, base, *first)
    retitled = chunk(first[0]["content"], dedupeKey="k0", metadata={"title": "Boiler"})
    edited = chunk("Pump 1 stops.", dedupeKey="k1", metadata={"title": "Valve 1"})
    unkeyed = chunk(first[2]["content"], metadata={"title": "Valve 2"})
    before = {row["memory_id"]: row["vector"] for row in await vectors(services, user)}
    reply = await fill(user, base, retitled, edited, *first[2:], unkeyed)
    after = {row["memory_id"]: row["vector"] for row in await vectors(services, user)}
    assert (reply["updatedCount"], reply["importedCount"], reply["pendingEmbeddings"]) == (ALLOWANCE - 2, 1, 1)
    assert sum(after[memory_id] != vector for memory_id, vector in before.items()) == 2


@pytest.mark.rule("8.4.1")
async def test_chunks_without_a_vector_get_one_when_they_are_imported_again(
    make_user: MakeUser, services: Services
) -> None:
    user = await make_user()
    base = await make_base(user)
    await fill(user, base, *numbered(3))
    async with services.database.write(user.id) as session:
        await session.execute("DELETE FROM memory_vector", {})
        await session.execute("UPDATE memory SET embedding_pending = true", {})
    reply = await fill(user, base, *numbered(3))
    assert reply["pendingEmbeddings"] == 0
    assert len(await vectors(services, user)) == 3


@pytest.mark.rule("8.4.1")
async def test_the_graph_reads_again_only_the_chunks_whose_text_or_channel_has_changed(
    user: TestUser, services: Services
) -> None:
    base = await make_base(user)
    first = numbered(3)
    await fill(user, base, *first)
    before = await read_by_graph(services, user)
    edited = chunk("Pump 1 stops.", dedupeKey="k1", metadata={"title": "Valve 1"})
    moved = {**first[2], "channel": "team"}
    await fill(user, base, *numbered(1, chunkIndex=7), edited, moved)
    after = await read_by_graph(services, user)
    assert [key for key in before if after[key] != before[key]] == ["k1", "k2"]
