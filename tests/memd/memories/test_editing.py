"""POST /api/mcp/update and /api/mcp/edit (contract 6.3): one handler, in place, never an old vector with new text."""

import asyncio
from typing import Any

import pytest

from memd.context import Services
from memd.domain.text.embedding_text import embedding_text
from tests.support.dict_rows import dict_row
from tests.support.service import MakeUser, TestUser
from tests.support.wire import (
    base_row,
    capture,
    chunk,
    enumerate_chunks,
    fill,
    make_base,
    memory,
    post,
    totals,
)

NOTHING = "At least one editable field is required"


async def vector_of(services: Services, user: TestUser, memory_id: str) -> list[float]:
    """The stored vector, as the answer to a replayed automatic capture shows it."""
    row = await memory(user, memory_id)
    body = {"title": "t", "content": row["content"], "store": "sensory", "category": "conversation"}
    return (await post(user, "capture", body | {"tags": ["auto-capture"], "channel": row["channel"]}))["embedding"]


async def embedded(services: Services, title: str, content: str) -> list[float]:
    return (await services.batcher.embed_many([embedding_text(title, content)]))[0].tolist()


@pytest.mark.rule("6.3 memoryId", "6.3 reply")
@pytest.mark.parametrize("path", ["update", "edit"])
@pytest.mark.parametrize("name", ["memoryId", "id"])
async def test_both_addresses_and_both_names_of_the_id_answer_alike(user: TestUser, path: str, name: str) -> None:
    memory_id = await capture(user)
    reply = await post(user, path, {name: memory_id, "content": "Something new"})
    row = await memory(user, memory_id)
    assert reply == {
        "success": True,
        "ok": True,
        "memoryId": memory_id,
        "id": memory_id,
        "title": row["title"],
        "updatedAt": reply["updatedAt"],
        "embeddingUpdated": True,
    }
    assert (row["content"], row["updatedAt"]) == ("Something new", reply["updatedAt"])


@pytest.mark.rule("6.3 content and other fields")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "A new title"),
        ("content", "A new content"),
        ("metadata", {"new": [1]}),
        ("metadata", "new"),
        ("tags", ["new"]),
        ("tags", []),
        ("actionTriggers", ["Bash"]),
        ("store", "procedural"),
        ("category", "workflow"),
        ("confidence", 0.25),
        ("strength", 1),
        ("arousal", 0),
        ("valence", -0.5),
        ("channel", "slack"),
    ],
)
async def test_each_field_alone_can_be_edited(user: TestUser, field: str, value: Any) -> None:
    memory_id = await capture(user, tags=["old"], metadata={"old": 1}, actionTriggers=["Old"])
    before = await memory(user, memory_id)
    reply = await post(user, "update", {"memoryId": memory_id, field: value})
    after = await memory(user, memory_id)
    moved = {"updatedAt", "accessCount", "lastAccessedAt", "recallText", "graphEnriched", "graphEnrichedAt", "versions"}
    assert after[field] == value
    assert {name for name in after if after[name] != before[name]} - moved == {field}
    assert reply["embeddingUpdated"] is (field in {"title", "content"})


@pytest.mark.rule("6.3 content and other fields", "6.3 agentId")
@pytest.mark.parametrize(
    "fields",
    [{}, {"agentId": "a"}, {"requestChannel": "c"}, {"content": None}, {"channel": " "}, {"unknown": 1}],
    ids=["none", "agent only", "request channel only", "null", "blank channel", "unknown"],
)
async def test_without_an_editable_field_it_is_refused(user: TestUser, fields: dict[str, Any]) -> None:
    memory_id = await capture(user)
    refusal = await post(user, "update", {"memoryId": memory_id} | fields, status=400)
    assert refusal == {"error": "Bad request", "details": NOTHING}


@pytest.mark.rule("6.3 content and other fields")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"title": " "}, "Missing required field: title"),
        ({"content": "c" * 50_001}, "Field content exceeds maximum length of 50000 characters"),
        ({"category": "gossip"}, None),
        ({"valence": 2}, "Field valence must be between -1 and 1"),
        ({"tags": [f"t{n}" for n in range(33)]}, "Field tags exceeds maximum length of 32 items"),
    ],
)
async def test_the_limits_are_those_of_capture(user: TestUser, fields: dict[str, Any], details: str | None) -> None:
    refusal = await post(user, "update", {"memoryId": await capture(user)} | fields, status=400)
    assert refusal["details"] == details if details else refusal["details"].startswith("Field category must be one of")


@pytest.mark.rule("6.3 memoryId")
async def test_the_id_is_required_and_must_be_an_identifier(user: TestUser) -> None:
    assert (await post(user, "update", {"content": "x"}, status=400))["details"] == "Missing required field: memoryId"
    refusal = await post(user, "update", {"memoryId": "mem_X", "content": "x"}, status=400)
    assert refusal["details"] == "Invalid identifier: memoryId"


async def test_unknown_is_404_and_foreign_is_403(user: TestUser, make_user: MakeUser) -> None:
    gone = await capture(user)
    await post(user, "forget", {"memoryId": gone, "permanent": True})
    foreign = await capture(await make_user())
    assert await post(user, "update", {"memoryId": gone, "content": "x"}, status=404) == {"error": "Memory not found"}
    assert await post(user, "update", {"memoryId": foreign, "content": "x"}, status=403) == {"error": "Forbidden"}


@pytest.mark.rule("6.3 re-embedding", "6.3 recallText, salience, graph")
async def test_new_text_gets_its_own_vector_and_recall_text(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, store="sensory", title="Zebra", content="Zebras live on the savannah.")
    await post(user, "update", {"memoryId": memory_id, "content": "The invoice of ACME-42 was paid in May."})
    expected = await embedded(services, "Zebra", "The invoice of ACME-42 was paid in May.")
    assert await vector_of(services, user, memory_id) == pytest.approx(expected, abs=2e-3)
    assert "ACME-42" in (await memory(user, memory_id))["recallText"]


@pytest.mark.rule("6.3 re-embedding")
async def test_a_new_title_counts_as_new_text(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, store="sensory", title="Zebra", content="It lives here.")
    await post(user, "update", {"memoryId": memory_id, "title": "Invoice"})
    expected = await embedded(services, "Invoice", "It lives here.")
    assert await vector_of(services, user, memory_id) == pytest.approx(expected, abs=2e-3)


async def test_recall_finds_the_new_words_and_not_the_old_ones(user: TestUser) -> None:
    memory_id = await capture(user, title="Note", content="Zebras live on the savannah.")
    await post(user, "update", {"memoryId": memory_id, "content": "The invoice of May is paid."})
    old, new = [await post(user, "recall", {"query": words}) for words in ("zebras savannah", "invoice May paid")]
    assert old["memories"] == [] or old["memories"][0]["rankingSignals"]["textMatchScore"] == 0
    assert [(row["id"], row["content"]) for row in new["memories"]] == [(memory_id, "The invoice of May is paid.")]


@pytest.mark.rule("6.3 re-embedding")
async def test_edits_of_title_and_content_at_once_leave_the_vector_of_what_is_stored(
    services: Services, user: TestUser
) -> None:
    memory_id = await capture(user, store="sensory", title="Old title", content="Old content")
    edits = [{"title": "Paris and its towers"}, {"content": "Bees make honey."}, {"content": "Rust has lifetimes."}]
    await asyncio.gather(*(post(user, "update", {"memoryId": memory_id} | edit) for edit in edits * 3))
    row = await memory(user, memory_id)
    expected = await embedded(services, row["title"], row["content"])
    assert await vector_of(services, user, memory_id) == pytest.approx(expected, abs=2e-3)


@pytest.mark.rule("6.3 recallText, salience, graph")
async def test_new_text_resets_salience_and_graph_marks(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, content="plain words")
    marks = "SELECT salience_score AS salience, graph_enriched AS enriched FROM memory WHERE user_id = %(user)s"
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET graph_enriched = true, graph_enriched_at = 1, salience_score = 0")
    await post(user, "update", {"memoryId": memory_id, "tags": ["a"]})
    async with services.database.read(user.id) as session:
        kept = await dict_row(session, marks, {"user": user.id})
    await post(user, "update", {"memoryId": memory_id, "content": "We decided to learn from this error."})
    async with services.database.read(user.id) as session:
        reset = await dict_row(session, marks, {"user": user.id})
    assert kept == {"salience": 0, "enriched": True}
    assert reset is not None
    assert reset["salience"] > 0.3


@pytest.mark.rule("6.3 content and other fields")
async def test_a_new_list_replaces_the_old_one(user: TestUser) -> None:
    memory_id = await capture(user, tags=["a", "b"], actionTriggers=["X", "Y"])
    await post(user, "update", {"memoryId": memory_id, "tags": ["c"], "actionTriggers": ["Z"]})
    row = await memory(user, memory_id)
    assert (row["tags"], row["actionTriggers"]) == (["c"], ["Z"])
    assert (await post(user, "triggers", {"tools": ["X"]}))["memories"] == []
    assert [hit["id"] for hit in (await post(user, "triggers", {"tools": ["Z"]}))["memories"]] == [memory_id]


@pytest.mark.rule("6.3 channel, requestChannel")
async def test_channel_is_the_new_channel_and_tests_nothing(user: TestUser) -> None:
    memory_id = await capture(user, channel="peer-coach:7")
    await post(user, "update", {"memoryId": memory_id, "channel": "slack"})
    assert (await memory(user, memory_id))["channel"] == "slack"


@pytest.mark.rule("6.3 channel, requestChannel")
@pytest.mark.parametrize(("channel", "status"), [("peer-coach:7", 200), ("peer-coach:8", 403), ("slack", 403)])
async def test_request_channel_makes_the_visibility_test(user: TestUser, channel: str, status: int) -> None:
    memory_id = await capture(user, channel="peer-coach:7")
    body = {"memoryId": memory_id, "requestChannel": channel, "strength": 0.5}
    await post(user, "update", body, status=status)
    assert (await memory(user, memory_id))["strength"] == (0.5 if status == 200 else 0.8)


@pytest.mark.rule("6.3 agentId")
@pytest.mark.parametrize(("agent", "status"), [("writer", 200), ("editor", 403)])
async def test_the_agent_counts_in_the_visibility_test_of_a_chunk(user: TestUser, agent: str, status: int) -> None:
    base = await make_base(user, agentIds=["writer"])
    (chunk_id,) = (await fill(user, base, chunk("words")))["memoryIds"]
    body = {"memoryId": chunk_id, "title": "New", "requestChannel": "slack", "agentId": agent}
    await post(user, "update", body, status=status)


@pytest.mark.rule("6.3 case: equal content")
async def test_new_content_equal_to_another_active_memory_is_refused(user: TestUser) -> None:
    first = await capture(user, content="taken")
    second = await capture(user)
    refusal = await post(user, "update", {"memoryId": second, "content": "taken\r\n"}, status=409)
    assert (refusal["error"], refusal["existingMemoryId"]) == ("Duplicate memory", first)
    assert (await memory(user, second))["content"] != "taken\r\n"


@pytest.mark.rule("6.3 case: equal content")
@pytest.mark.parametrize(
    "other", [{"store": "semantic"}, {"channel": "slack"}, {"archived": True}], ids=["store", "channel", "archived"]
)
async def test_content_of_another_store_channel_or_an_archived_one_is_free(
    user: TestUser, other: dict[str, Any]
) -> None:
    first = await capture(user, content="taken", **{k: v for k, v in other.items() if k != "archived"})
    if "archived" in other:
        await post(user, "forget", {"memoryId": first})
    second = await capture(user)
    assert (await post(user, "update", {"memoryId": second, "content": "taken"}))["ok"] is True


async def test_its_own_content_is_no_duplicate(user: TestUser) -> None:
    memory_id = await capture(user, content="mine")
    reply = await post(user, "update", {"memoryId": memory_id, "content": "mine", "title": "Mine"})
    assert reply["embeddingUpdated"] is True


async def test_of_edits_to_equal_content_at_once_one_is_taken(user: TestUser) -> None:
    ids = [await capture(user) for _ in range(4)]
    bodies = [{"memoryId": memory_id, "content": "the same for all"} for memory_id in ids]
    replies = await asyncio.gather(*(user.http.post("/api/mcp/update", json=body) for body in bodies))
    assert sorted(reply.status_code for reply in replies) == [200, 409, 409, 409]


@pytest.mark.rule("6.3 case: equal content")
async def test_chunks_may_be_equal(user: TestUser) -> None:
    base = await make_base(user)
    ids = (await fill(user, base, chunk("first"), chunk("second")))["memoryIds"]
    assert (await post(user, "update", {"memoryId": ids[0], "content": "second"}))["ok"] is True


@pytest.mark.rule("6.3 chunks")
async def test_the_total_characters_of_a_knowledge_base_move_by_the_difference(user: TestUser) -> None:
    base = await make_base(user)
    ids = (await fill(user, base, chunk("four"), chunk("seven77")))["memoryIds"]
    await post(user, "update", {"memoryId": ids[0], "content": "nine 9999"})
    row = await base_row(user, base)
    assert (row["chunkCount"], row["totalChars"]) == (2, 16)
    assert [row["content"] for row in await enumerate_chunks(user, base)] == ["nine 9999", "seven77"]


async def test_an_archived_chunk_moves_no_counter(user: TestUser) -> None:
    base = await make_base(user)
    ids = (await fill(user, base, chunk("four"), chunk("seven77")))["memoryIds"]
    await post(user, "forget", {"memoryId": ids[0]})
    await post(user, "update", {"memoryId": ids[0], "content": "a longer text"})
    assert (await base_row(user, base))["totalChars"] == 7


@pytest.mark.rule("6.3 case: archived row")
async def test_an_archived_memory_may_be_edited_and_stays_archived(user: TestUser) -> None:
    memory_id = await capture(user)
    await post(user, "forget", {"memoryId": memory_id})
    await post(user, "update", {"memoryId": memory_id, "content": "new", "actionTriggers": ["Bash"]})
    row = await memory(user, memory_id)
    assert (row["content"], row["archived"]) == ("new", True)
    assert (await post(user, "triggers", {"tools": ["Bash"]}))["memories"] == []
    assert await totals(user) == (0, 1)


async def test_blocked_text_is_refused_and_the_old_text_stays(user: TestUser) -> None:
    memory_id = await capture(user, content="harmless")
    refusal = await post(user, "update", {"memoryId": memory_id, "title": "SSN 219-09-9999"}, status=400)
    assert refusal == {"error": "Memory blocked: personal_info_exposure [pii_ssn]"}
    assert (await memory(user, memory_id))["content"] == "harmless"
