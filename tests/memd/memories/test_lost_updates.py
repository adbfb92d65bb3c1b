"""Writers of one row at the same moment: what each of them wrote is there afterwards."""

import asyncio
from typing import Any

import numpy as np
import pytest
from pgvector import HalfVector

from memctl.wire.memories import CaptureRequest
from memd.context import Services
from memd.domain.ids import decode, new_id
from memd.embed import pending_store
from memd.embed.reembedding import store as reembed_store
from memd.extraction import equal_store as extraction
from memd.memories.guard import Cleared
from memd.memories.new import SOURCES_MAX, NewMemory
from memd.memories.service import new_memory
from tests.support.dict_rows import dict_row, dict_rows
from tests.support.jobs import context_of
from tests.support.service import TestUser
from tests.support.wire import base_row, capture, chunk, fill, make_base, memory, post, send

TIMES = 12
AUTO: dict[str, Any] = {
    "title": "Turn",
    "content": "We closed the mill.",
    "store": "sensory",
    "category": "conversation",
}


@pytest.mark.rule("6.1 case: a replayed automatic capture")
async def test_automatic_captures_at_the_same_moment_leave_the_tags_of_all(user: TestUser) -> None:
    tags = [f"tag-{number}" for number in range(TIMES)]
    replies = await asyncio.gather(*(post(user, "capture", AUTO | {"tags": ["auto-capture", tag]}) for tag in tags))
    (memory_id,) = {reply["id"] for reply in replies}
    assert set((await memory(user, memory_id))["tags"]) == {"auto-capture", *tags}
    for tag in tags:
        found = await post(user, "recall", {"query": "the mill", "tags": [tag]})
        assert [row["id"] for row in found["memories"]] == [memory_id]


async def test_a_replay_of_a_row_that_was_deleted_meanwhile_stores_it_again(services: Services, user: TestUser) -> None:
    fields = AUTO | {"tags": ["auto-capture"]}
    first = (await post(user, "capture", fields))["id"]
    forgetting = post(user, "forget", {"memoryId": first, "permanent": True})
    _, *replies = await asyncio.gather(forgetting, *(post(user, "capture", fields) for _ in range(TIMES)))
    kept = {reply["id"] for reply in replies} - {first}
    stored = (await send(user, "GET", "/api/memories"))["memories"]
    assert {row["id"] for row in stored} == kept or (not kept and stored == [])


async def test_edits_of_different_fields_at_the_same_moment_all_count(user: TestUser) -> None:
    memory_id = await capture(user)
    edits = [
        {"title": "Mill"},
        {"tags": ["kept"]},
        {"confidence": 0.1},
        {"strength": 0.2},
        {"arousal": 0.3},
        {"valence": -0.4},
        {"category": "rule"},
        {"metadata": {"a": 1}},
        {"actionTriggers": ["deploy"]},
        {"content": "The mill turns."},
    ]
    await asyncio.gather(*(post(user, "update", {"memoryId": memory_id} | edit) for edit in edits))
    row = await memory(user, memory_id)
    for edit in edits:
        assert row | edit == row, edit


@pytest.mark.rule("6.3 addTags, removeTags")
async def test_tags_that_are_added_and_removed_at_the_same_moment_all_count(user: TestUser) -> None:
    old, new = ([f"{word}-{number}" for number in range(TIMES)] for word in ("old", "new"))
    memory_id = await capture(user, tags=["kept", *old])
    edits = [{"removeTags": [tag]} for tag in old] + [{"addTags": [tag]} for tag in new] + [{"title": "Mill"}]
    await asyncio.gather(*(post(user, "update", {"memoryId": memory_id} | edit) for edit in edits))
    row = await memory(user, memory_id)
    assert (row["title"], row["tags"][0], set(row["tags"])) == ("Mill", "kept", {"kept", *new})


async def test_accesses_at_the_same_moment_all_count(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, content="The mill turns.")
    await asyncio.gather(*(post(user, "recall", {"query": f"mill {number}"}) for number in range(TIMES)))
    await services.background_tasks.drain()
    async with services.database.read(user.id) as session:
        count = await session.value(
            "SELECT access_count FROM memory WHERE id = %(id)s", {"id": decode("mem", memory_id)}
        )
    assert count == TIMES


async def test_imports_at_the_same_moment_all_count(user: TestUser) -> None:
    base = await make_base(user)
    texts = [f"Chapter {number} of the book on mills" for number in range(TIMES)]
    await asyncio.gather(*(fill(user, base, chunk(text)) for text in texts))
    row = await base_row(user, base)
    assert (row["memoryCount"], row["totalChars"]) == (TIMES, sum(map(len, texts)))


async def test_sources_merged_at_the_same_moment_are_all_there(services: Services, user: TestUser) -> None:
    memory_id = decode("mem", await capture(user, content="The mill turns."))
    context = await context_of(services, user)
    sources = [new_id() for _ in range(TIMES)]

    async def merge(source: Any) -> None:
        request = CaptureRequest(title="Mill", content="The mill turns.")
        row: NewMemory = new_memory(context, request, Cleared(request.title, request.content, "", []), digest)
        row.source_message_ids = [source]
        async with services.database.write(user.id) as session:
            known = await extraction.known_as(session, [row], services.settings.text_search_config)
            assert known == {row.id: memory_id}
            await extraction.add_sources(session, memory_id, row)

    query = "SELECT content_hash, source_message_ids FROM memory WHERE id = %(id)s"
    async with services.database.read(user.id) as session:
        stored = await dict_row(session, query, {"id": memory_id})
    assert stored is not None
    digest = stored["content_hash"]
    await asyncio.gather(*map(merge, sources))
    async with services.database.read(user.id) as session:
        stored = await dict_row(session, query, {"id": memory_id})
    assert stored is not None
    assert set(stored["source_message_ids"]) == set(sources)
    first = stored["source_message_ids"]
    more = [new_id() for _ in range(SOURCES_MAX)]
    for source in more:
        await merge(source)
    async with services.database.read(user.id) as session:
        stored = await dict_row(session, query, {"id": memory_id})
    assert stored is not None
    assert stored["source_message_ids"] == [*first, *more][:SOURCES_MAX]


async def test_a_vector_of_a_text_that_was_edited_meanwhile_is_not_stored(services: Services, user: TestUser) -> None:
    memory_id = decode("mem", await capture(user, content="The mill turns."))
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET embedding_pending = true WHERE id = %(id)s", {"id": memory_id})
    async with services.database.read(user.id) as session:
        (waiting,) = await pending_store.waiting_memories(session, services.model, 10)
        (without,) = await reembed_store.memories_without(session, services.model + 1, 10)
    stale = np.ones(256, dtype=np.float32)
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET content_hash = 'of another text'")
        await session.execute_all(pending_store.vector_of(session, waiting, services.model, stale))
        await reembed_store.add_memory_vectors(session, services.model, [without], [HalfVector(stale)])
    async with services.database.read(user.id) as session:
        assert await session.value("SELECT embedding_pending FROM memory WHERE id = %(id)s", {"id": memory_id})
        vectors = await dict_rows(
            session, "SELECT embedding FROM memory_vector WHERE memory_id = %(id)s", {"id": memory_id}
        )
    assert [row["embedding"].to_list() == stale.tolist() for row in vectors] == [False]
