"""POST /api/mcp/forget (contract 6.5, 5): archive or delete, and what follows from it."""

from typing import Any

import pytest

from memd.context import Services
from tests.support.dict_rows import dict_row
from tests.support.service import MakeUser, TestUser
from tests.support.wire import base_row, capture, chunk, enumerate_chunks, fill, make_base, memory, post, send, totals

CHILDREN = ("recall_activity", "memory_node", "association", "trigger", "memory_index", "memory_vector")


async def forget(user: TestUser, memory_id: str, status: int = 200, **fields: Any) -> dict[str, Any]:
    return await post(user, "forget", {"memoryId": memory_id} | fields, status=status)


async def rows_left(services: Services, user: TestUser, table: str) -> int:
    async with services.database.read(user.id) as session:
        return await session.value(f"SELECT count(*)::int FROM {table}")


async def add_children(services: Services, user: TestUser) -> None:
    """Give every memory of the user one row of each kind that hangs on it."""
    async with services.database.write(user.id) as session:
        for statement in (
            "INSERT INTO recall_activity SELECT user_id, id, id, 1, 'recall' FROM memory",
            "INSERT INTO memory_node SELECT user_id, id, id, 'topic', 1, 1 FROM memory",
            "INSERT INTO association SELECT user_id, id, gen_random_uuid(), 'supports', 1, 1, 1 FROM memory",
            "INSERT INTO association SELECT user_id, gen_random_uuid(), id, 'supports', 1, 1, 1 FROM memory",
        ):
            await session.execute(statement)


@pytest.mark.rule("6.5 permanent", "6.5 reply")
async def test_it_archives_unless_told_otherwise(user: TestUser) -> None:
    memory_id = await capture(user, title="Coffee")
    assert await forget(user, memory_id) == {
        "success": True,
        "memoryId": memory_id,
        "title": "Coffee",
        "action": "archived",
        "archived": True,
    }
    assert (await memory(user, memory_id))["archived"] is True
    assert await totals(user) == (0, 1)


@pytest.mark.rule("6.5 permanent")
@pytest.mark.parametrize("permanent", [False, "true", 1, None, {"a": 1}])
async def test_only_a_literal_true_deletes(user: TestUser, permanent: Any) -> None:
    memory_id = await capture(user)
    assert (await forget(user, memory_id, permanent=permanent))["action"] == "archived"
    assert (await memory(user, memory_id))["archived"] is True


@pytest.mark.rule("5 memory active or archived: forget permanently", "6.5 permanent", "6.5 reply")
async def test_permanent_deletes_the_row_and_all_that_hangs_on_it(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, title="Coffee", actionTriggers=["Bash"])
    await add_children(services, user)
    reply = await forget(user, memory_id, permanent=True)
    assert reply == {"success": True, "memoryId": memory_id, "title": "Coffee", "action": "deleted", "archived": False}
    assert await post(user, "memory", {"memoryId": memory_id}, status=404) == {"error": "Memory not found"}
    assert [await rows_left(services, user, table) for table in CHILDREN] == [0] * len(CHILDREN)
    assert await totals(user) == (0, 0)


async def test_deleting_an_archived_row_leaves_the_active_count(user: TestUser) -> None:
    await capture(user)
    memory_id = await capture(user)
    await forget(user, memory_id)
    await forget(user, memory_id, permanent=True)
    assert await totals(user) == (1, 0)


@pytest.mark.rule("6.5 case: archived again")
async def test_archiving_again_changes_no_counter(user: TestUser) -> None:
    memory_id = await capture(user)
    await forget(user, memory_id)
    assert (await forget(user, memory_id))["action"] == "archived"
    assert await totals(user) == (0, 1)


async def test_archived_rows_leave_triggers_wake_and_export(user: TestUser) -> None:
    memory_id = await capture(user, actionTriggers=["Bash"], category="goal")
    await forget(user, memory_id)
    wake = await post(user, "wake")
    assert (await post(user, "triggers", {"tools": ["Bash"]}))["memories"] == []
    assert (wake["recentMemories"], wake["openGoals"]) == ([], [])
    assert (await send(user, "GET", "/api/memories"))["memories"] == []


@pytest.mark.rule("6.5 memoryId")
async def test_the_id_has_an_alias_and_is_required(user: TestUser) -> None:
    memory_id = await capture(user)
    assert (await post(user, "forget", {"id": memory_id}))["memoryId"] == memory_id
    assert (await post(user, "forget", {}, status=400))["details"] == "Missing required field: memoryId"


@pytest.mark.parametrize(
    "text", ["mem_123", "MEM_" + "0" * 26, "mem_8" + "0" * 25, "mem_" + "u" * 26, "kb_" + "0" * 26, "mem_" + "0" * 27]
)
async def test_a_malformed_identifier_is_refused(user: TestUser, text: str) -> None:
    refusal = await forget(user, text, 400)
    assert refusal == {"error": "Bad request", "details": "Invalid identifier: memoryId"}


async def test_unknown_is_404_and_foreign_is_403(user: TestUser, make_user: MakeUser) -> None:
    foreign = await capture(await make_user())
    assert await forget(user, "mem_" + "0" * 26, 404) == {"error": "Memory not found"}
    assert await forget(user, foreign, 403, permanent=True) == {"error": "Forbidden"}


@pytest.mark.rule("6.5 channel, reason")
@pytest.mark.parametrize(
    ("stored", "named", "status"),
    [
        ("slack", "slack", 200),
        ("slack", "discord", 403),
        (None, "slack", 200),
        ("peer-coach:7", "peer-coach:8", 403),
        ("peer-coach:7", None, 200),
        ("peer-coach:7", " ", 200),
        ("peer-coach:7", "peer-coach:", 403),
    ],
)
async def test_a_named_channel_must_see_the_memory(
    user: TestUser, stored: str | None, named: str | None, status: int
) -> None:
    memory_id = await capture(user, channel=stored)
    reply = await forget(user, memory_id, status, channel=named)
    assert ("success" in reply) is (status == 200)
    assert await totals(user) == ((0, 1) if status == 200 else (1, 0))


async def test_archived_plays_no_part_in_the_channel_test(user: TestUser) -> None:
    memory_id = await capture(user, channel="slack")
    await forget(user, memory_id)
    assert (await forget(user, memory_id, channel="slack"))["success"] is True


@pytest.mark.rule("6.5 channel, reason")
@pytest.mark.parametrize(("channel", "status"), [("peer-coach:7", 200), ("peer-coach:8", 403), ("slack", 403)])
async def test_a_chunk_obeys_the_rules_of_its_knowledge_base(user: TestUser, channel: str, status: int) -> None:
    base = await make_base(user, scope="peer-coach:7", agentIds=["peer-coach"])
    chunk_id = (await fill(user, base, chunk("words")))["memoryIds"][0]
    await forget(user, chunk_id, status, channel=channel, agentId="peer-coach")


@pytest.mark.rule("6.5 channel, reason")
async def test_the_reason_is_audited(services: Services, user: TestUser) -> None:
    await forget(user, await capture(user), reason="out of date")
    async with services.database.read(user.id) as session:
        row = await dict_row(session, "SELECT meta, request_id FROM audit_row WHERE action = 'archive'")
    assert row is not None
    assert row["meta"] == {"reason": "out of date"}
    assert row["request_id"].startswith("req_")
    await forget(user, await capture(user), 400, reason="r" * 501)


@pytest.mark.rule("5 memory active: archive of one", "6.5 memoryId")
@pytest.mark.parametrize("permanent", [False, True])
async def test_a_chunk_moves_the_counters_of_its_knowledge_base(user: TestUser, *, permanent: bool) -> None:
    base = await make_base(user)
    ids = (await fill(user, base, chunk("four"), chunk("seven77")))["memoryIds"]
    await forget(user, ids[1], permanent=permanent)
    row = await base_row(user, base)
    assert (row["chunkCount"], row["totalChars"]) == (1, 4)
    assert [row["id"] for row in await enumerate_chunks(user, base)] == [ids[0]]
    await forget(user, ids[1], 404 if permanent else 200)
    assert (await base_row(user, base))["chunkCount"] == 1


@pytest.mark.rule("6.5 case: archived by its knowledge base")
async def test_a_row_that_its_knowledge_base_archived_becomes_the_users(user: TestUser) -> None:
    base = await make_base(user)
    ids = (await fill(user, base, chunk("four"), chunk("seven77")))["memoryIds"]
    await send(user, "DELETE", f"/api/knowledge-bases/{base}")
    assert (await forget(user, ids[0]))["action"] == "archived"
    await post(user, f"/api/knowledge-bases/{base}/unarchive")
    row = await base_row(user, base)
    assert (row["chunkCount"], row["totalChars"]) == (1, 7)
    assert (await memory(user, ids[0]))["archived"] is True
