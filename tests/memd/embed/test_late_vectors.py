"""Vectors that are stored after their memory, by the job or by `memd reembed`, carry all that recall filters by."""

from typing import Any

import numpy as np
import pytest
from pgvector import HalfVector

from memd.context import Services
from memd.db.session import ReadSession
from memd.domain.ids import decode
from memd.embed.pending import embed_pending
from memd.embed.reembedding import store as reembed_store
from tests.support.dict_rows import dict_row
from tests.support.service import TestUser
from tests.support.wire import capture, chunk, fill, make_base, post

FILTERS = """
SELECT v.live, v.knowledge_base_id, v.channel, v.store, v.category, v.project_id, v.config, v.valid_from, v.valid_until
FROM memory_vector v WHERE v.memory_id = %(id)s AND v.model = %(model)s
"""
ENDED: dict[str, Any] = {
    "title": "Pump",
    "content": "The pump of hall two is leased from Orbis.",
    "channel": "app:hall",
    "projectId": "hall-two",
    "validFrom": 1_600_000_000_000,
    "validUntil": 1_700_000_000_000,
}


async def filters(session: ReadSession, memory_id: str, model: int) -> dict[str, Any]:
    row = await dict_row(session, FILTERS, {"id": decode("mem", memory_id), "model": model})
    assert row is not None
    return row


@pytest.mark.rule("17.5 validFrom, validUntil")
async def test_the_job_stores_the_filters_of_a_memory(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, **ENDED)
    base = await make_base(user)
    await fill(user, base, chunk("The pump of hall three is blue.", dedupeKey="p3"))
    (hit,) = (await post(user, f"/api/knowledge-bases/{base}/query", {"query": "pump"}))["results"]
    chunk_id = hit["id"]
    async with services.database.read(user.id) as session:
        at_once = [await filters(session, each, services.model) for each in (memory_id, chunk_id)]
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET embedding_pending = true")
        await session.execute("DELETE FROM memory_vector")
    await embed_pending(services, user.id, {})
    async with services.database.read(user.id) as session:
        assert [await filters(session, each, services.model) for each in (memory_id, chunk_id)] == at_once
    assert at_once[0]["valid_until"] == ENDED["validUntil"]
    request = {"query": "Who owns the pump of hall two?", "channel": "app:hall"}
    assert memory_id not in [row["id"] for row in (await post(user, "recall", request))["memories"]]


@pytest.mark.rule("17.5 validFrom, validUntil")
async def test_embedding_again_stores_the_filters_of_a_memory(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, **ENDED)
    other = services.model + 1
    async with services.database.read(user.id) as session:
        at_once = await filters(session, memory_id, services.model)
        rows = await reembed_store.memories_without(session, other, 10)
    vectors = [HalfVector(np.ones(256, dtype=np.float32))] * len(rows)
    async with services.database.write(user.id) as session:
        await reembed_store.add_memory_vectors(session, other, rows, vectors)
    async with services.database.write(user.id) as session:
        assert await filters(session, memory_id, other) == at_once
        await session.execute("DELETE FROM memory_vector WHERE model = %(model)s", {"model": other})
