"""Archive, unarchive and permanent delete (contract 8.3, 5): pages that can be repeated, counters that never drift."""

import asyncio
from typing import Any

import pytest

from memd.context import Services
from memd.domain.ids import decode
from memd.knowledge_bases.archiving import service as archiving
from tests.support.dict_rows import dict_rows
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import Json, base_row, chunk, enumerate_chunks, fill, make_base, memory, post, send, totals

CHILDREN = ("recall_activity", "memory_node", "association", "trigger", "memory_index", "memory_vector", "memory")
ROWS = {"recall_activity": "1, 'recall'", "memory_node": "'topic', 1, 1", "association": "'supports', 1, 1, 1"}


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archiving, "PAGE", 20)
    monkeypatch.setattr(archiving, "REMOVAL_PAGE", 50)


async def archive(user: TestUser, base: str) -> Json:
    return await send(user, "DELETE", f"/api/knowledge-bases/{base}")


async def unarchive(user: TestUser, base: str, status: int = 200) -> Json:
    return await post(user, f"/api/knowledge-bases/{base}/unarchive", status=status)


async def remove(user: TestUser, base: str, status: int = 200) -> Json:
    return await send(user, "DELETE", f"/api/knowledge-bases/{base}", status=status, permanent="true")


async def counters(user: TestUser, base: str) -> tuple[int, int]:
    row = await base_row(user, base)
    return row["chunkCount"], row["totalChars"]


async def filled(user: TestUser, count: int, **fields: Any) -> tuple[str, list[str]]:
    base = await make_base(user, **fields)
    return base, (await fill(user, base, *(chunk(f"Number {number:04}") for number in range(count))))["memoryIds"]


@pytest.mark.rule("8.3 DELETE /:id")
async def test_archiving_takes_the_active_chunks_along(user: TestUser) -> None:
    base, ids = await filled(user, 3)
    expected = {"knowledgeBaseId": base, "archivedMemoryCount": 3, "archived": True, "isDone": True}
    assert await archive(user, base) == expected
    assert {(await memory(user, memory_id))["archived"] for memory_id in ids} == {True}
    assert await enumerate_chunks(user, base) == []
    assert await counters(user, base) == await totals(user) == (0, 0)


@pytest.mark.rule("8.3 DELETE /:id")
async def test_archiving_again_finds_nothing_left(user: TestUser) -> None:
    base, _ = await filled(user, 2)
    await archive(user, base)
    again = await archive(user, base)
    assert (again["archivedMemoryCount"], again["isDone"], again["archived"]) == (0, True, True)


async def test_an_empty_one_can_be_archived(user: TestUser) -> None:
    base = await make_base(user)
    assert (await archive(user, base))["archivedMemoryCount"] == 0
    assert (await base_row(user, base))["isActive"] is False


@pytest.mark.usefixtures("small_pages")
async def test_archiving_goes_over_pages(user: TestUser) -> None:
    base, _ = await filled(user, 45)
    assert (await archive(user, base))["archivedMemoryCount"] == 45
    restored = await unarchive(user, base)
    assert (restored["restoredMemoryCount"], restored["chunkCount"]) == (45, 45)


async def found(user: TestUser, base: str) -> list[int]:
    """How many hits recall and the query of the knowledge base have."""
    queried = await post(user, f"/api/knowledge-bases/{base}/query", {"query": "Number"})
    return [len((await post(user, "recall", {"query": "Number"}))["memories"]), len(queried["results"])]


async def test_archived_chunks_leave_recall_and_query_and_come_back(user: TestUser) -> None:
    base, _ = await filled(user, 2)
    before = await found(user, base)
    await archive(user, base)
    assert await found(user, base) == [0, 0]
    await unarchive(user, base)
    assert await found(user, base) == before == [2, 2]


async def test_archived_chunks_leave_triggers_wake_and_export(user: TestUser) -> None:
    base, ids = await filled(user, 1)
    await post(user, "update", {"memoryId": ids[0], "actionTriggers": ["Bash"]})
    await archive(user, base)
    assert (await post(user, "triggers", {"tools": ["Bash"]}))["memories"] == []
    assert (await post(user, "wake"))["recentMemories"] == []
    assert (await send(user, "GET", "/api/memories"))["memories"] == []


@pytest.mark.rule("5 KB archived: unarchive", "8.3 POST /:id/unarchive")
async def test_unarchiving_restores_chunks_counters_and_triggers(user: TestUser) -> None:
    base, ids = await filled(user, 3)
    await post(user, "update", {"memoryId": ids[1], "actionTriggers": ["Bash"]})
    before, chunks = await base_row(user, base), await enumerate_chunks(user, base)
    await archive(user, base)
    reply = await unarchive(user, base)
    after = {name: reply[name] for name in before}
    assert (reply["knowledgeBaseId"], reply["restoredMemoryCount"], reply["isDone"]) == (base, 3, True)
    assert after == before | {"updatedAt": after["updatedAt"]}
    assert await enumerate_chunks(user, base) == chunks
    assert [row["id"] for row in (await post(user, "triggers", {"tools": ["Bash"]}))["memories"]] == [ids[1]]


async def test_the_lanes_follow_both_ways(services: Services, user: TestUser) -> None:
    base, _ = await filled(user, 2)
    live = "SELECT live FROM memory_index UNION SELECT live FROM memory_vector"
    seen: list[list[bool]] = []
    for step in (archive, unarchive):
        await step(user, base)
        async with services.database.read(user.id) as session:
            seen.append([row["live"] for row in await dict_rows(session, live)])
    assert seen == [[False], [True]]


async def test_what_the_user_had_archived_stays_archived(user: TestUser) -> None:
    base, ids = await filled(user, 3)
    await post(user, "forget", {"memoryId": ids[0]})
    await archive(user, base)
    assert (await unarchive(user, base))["restoredMemoryCount"] == 2
    assert (await memory(user, ids[0]))["archived"] is True


@pytest.mark.rule("8.3 POST /:id/unarchive")
async def test_an_active_one_is_not_unarchived(user: TestUser) -> None:
    base, _ = await filled(user, 1)
    assert await unarchive(user, base, 409) == {"error": "Knowledge base is not archived"}
    await archive(user, base)
    await unarchive(user, base)
    assert await unarchive(user, base, 409) == {"error": "Knowledge base is not archived"}


async def test_a_key_can_be_imported_again_after_unarchiving(user: TestUser) -> None:
    base = await make_base(user)
    first = (await fill(user, base, chunk("old", dedupeKey="k")))["memoryIds"]
    await archive(user, base)
    await unarchive(user, base)
    reply = await fill(user, base, chunk("new", dedupeKey="k"))
    assert (reply["updatedCount"], reply["memoryIds"]) == (1, first)


@pytest.mark.rule("8.3 DELETE /:id?permanent=true")
async def test_only_an_archived_one_is_deleted_for_good(user: TestUser) -> None:
    base, ids = await filled(user, 1)
    assert await remove(user, base, 409) == {"error": "Knowledge base is not archived"}
    assert (await memory(user, ids[0]))["archived"] is False


@pytest.mark.rule("8.3 DELETE /:id?permanent=true")
async def test_permanent_delete_removes_chunks_children_and_the_knowledge_base(
    services: Services, user: TestUser
) -> None:
    base, ids = await filled(user, 3)
    other, kept = await filled(user, 1)
    await post(user, "forget", {"memoryId": ids[0]})
    await archive(user, base)
    await done(services, user)
    async with services.database.write(user.id) as session:
        for table, row in ROWS.items():
            await session.execute(f"DELETE FROM {table}")  # what the graph job has added
            await session.execute(f"INSERT INTO {table} SELECT user_id, id, id, {row} FROM memory")
    assert await remove(user, base) == {"knowledgeBaseId": base, "deletedMemories": 3, "isDone": True}
    assert await remove(user, base, 404) == {"error": "Knowledge base not found"}
    assert await post(user, "memory", {"memoryId": ids[1]}, status=404) == {"error": "Memory not found"}
    assert (await memory(user, kept[0]))["knowledgeBaseId"] == other
    async with services.database.read(user.id) as session:
        left = {table: await session.value(f"SELECT count(*)::int FROM {table}") for table in CHILDREN}
        runs = await session.value("SELECT count(*)::int FROM import_run")
    assert (left, runs) == (dict.fromkeys(CHILDREN, 1) | {"trigger": 0}, 1)


@pytest.mark.usefixtures("small_pages")
@pytest.mark.rule("5 KB archived: permanent delete", "8.3 DELETE /:id?permanent=true")
async def test_permanent_delete_is_one_page_of_work_and_is_repeated(user: TestUser) -> None:
    base, _ = await filled(user, 110)
    await archive(user, base)
    replies = [await remove(user, base)]
    while not replies[-1]["isDone"]:
        replies.append(await remove(user, base))
    assert len(replies) > 1
    assert sum(reply["deletedMemories"] for reply in replies) == 110
    await remove(user, base, 404)


async def leave_unfinished(services: Services, user: TestUser, base: str, *, chunks: int) -> None:
    """The state after the first page of an archive that came no further: the rest is still active."""
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE knowledge_base SET archived = true, archived_at = 1")
        await session.execute(
            "UPDATE memory SET archived = true, archived_by = 'knowledge_base' WHERE id IN "
            "(SELECT id FROM memory ORDER BY id LIMIT %(chunks)s)",
            {"chunks": chunks},
        )
        await session.execute(
            "UPDATE knowledge_base SET memory_count = memory_count - %(chunks)s, total_chars = total_chars - %(size)s",
            {"chunks": chunks, "size": chunks * len("Number 0000")},
        )


async def test_an_archive_that_was_cut_off_is_carried_on(services: Services, user: TestUser) -> None:
    base, _ = await filled(user, 5)
    await leave_unfinished(services, user, base, chunks=2)
    expected = {"knowledgeBaseId": base, "archivedMemoryCount": 3, "archived": True, "isDone": True}
    assert await archive(user, base) == expected
    assert await counters(user, base) == (0, 0)


@pytest.mark.rule("8.3 DELETE leftovers")
async def test_unarchiving_first_finishes_the_archive(services: Services, user: TestUser) -> None:
    base, ids = await filled(user, 5)
    await leave_unfinished(services, user, base, chunks=2)
    assert (await unarchive(user, base))["restoredMemoryCount"] == 5
    assert await counters(user, base) == (5, 55)
    assert [row["id"] for row in await enumerate_chunks(user, base)] == ids


@pytest.mark.rule("8.3 DELETE leftovers")
async def test_permanent_delete_removes_active_leftovers_too(services: Services, user: TestUser) -> None:
    base, _ = await filled(user, 5)
    await leave_unfinished(services, user, base, chunks=2)
    assert (await remove(user, base))["deletedMemories"] == 5


async def test_an_unarchive_that_was_cut_off_is_carried_on(services: Services, user: TestUser) -> None:
    base, ids = await filled(user, 5)
    await archive(user, base)
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE knowledge_base SET archived_at = NULL, memory_count = 2, total_chars = 22")
        await session.execute(
            "UPDATE memory SET archived = false, archived_by = NULL WHERE id = ANY(%(ids)s)",
            {"ids": [decode("mem", row) for row in ids[:2]]},
        )
    assert (await unarchive(user, base))["restoredMemoryCount"] == 3
    assert await counters(user, base) == (5, 55)


async def test_counters_do_not_drift_when_many_write_at_once(user: TestUser) -> None:
    base, ids = await filled(user, 20)
    keyed = [chunk(f"Keyed {number}", dedupeKey=f"k{number % 7}") for number in range(30)]
    keys = (await fill(user, base, *keyed))["memoryIds"]

    async def try_to(body: Json, path: str) -> None:
        reply = await user.http.post(path, json=body)
        assert reply.status_code in {200, 201, 404, 409}, reply.text

    work = [try_to({"memoryId": memory_id}, "/api/mcp/forget") for memory_id in ids[:8]]
    work += [try_to({"memoryId": memory_id, "permanent": True}, "/api/mcp/forget") for memory_id in keys[:3]]
    work += [try_to({"memoryId": row, "content": "x" * n}, "/api/mcp/update") for n, row in enumerate(ids[8:14], 1)]
    work += [try_to({"memoryId": row, "content": "k" * n}, "/api/mcp/update") for n, row in enumerate(keys[3:7], 1)]
    work += [
        try_to({"oldMemoryId": row, "title": "t", "content": "s" * n}, "/api/mcp/supersede")
        for n, row in enumerate(ids[10:18], 1)
    ]
    work += [try_to({"chunks": keyed}, f"/api/knowledge-bases/{base}/import") for _ in range(4)]
    await asyncio.gather(*work)
    rows = await enumerate_chunks(user, base)
    assert await counters(user, base) == (len(rows), sum(len(row["content"]) for row in rows))
    await archive(user, base)
    assert await counters(user, base) == (0, 0)
    await unarchive(user, base)
    assert await counters(user, base) == (len(rows), sum(len(row["content"]) for row in rows))
    assert await totals(user) == (0, 0)


@pytest.mark.parametrize("value", ["yes", "True"])
async def test_the_flag_in_the_url_is_checked(user: TestUser, value: str) -> None:
    base = await make_base(user)
    await send(user, "DELETE", f"/api/knowledge-bases/{base}", status=400, permanent=value)
