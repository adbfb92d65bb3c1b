"""POST /api/mcp/supersede and its alias (contract 6.4): a new row, the old one archived and pointing to it."""

import asyncio
from typing import Any

import psycopg
import pytest
import structlog

from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.domain.ids import decode
from memd.domain.types import Tier
from memd.memories import service
from memd.off_loop import INLINE_CHARACTERS
from tests.support.busy_threads import busy_after
from tests.support.locks import waiting_for
from tests.support.service import MakeUser, TestUser
from tests.support.wire import base_row, capture, chunk, enumerate_chunks, fill, make_base, memory, post, send, totals

NEW = {"title": "New title", "content": "The new words of it."}


async def supersede(user: TestUser, old: str, status: int = 200, **fields: Any) -> dict[str, Any]:
    return await post(user, "supersede", {"oldMemoryId": old} | NEW | fields, status=status)


@pytest.mark.rule("6.4 oldMemoryId", "6.4 reply")
@pytest.mark.parametrize("path", ["supersede", "supercede"])
@pytest.mark.parametrize("name", ["oldMemoryId", "memoryId"])
async def test_both_addresses_and_both_names_answer_alike(user: TestUser, path: str, name: str) -> None:
    old = await capture(user)
    reply = await post(user, path, {name: old} | NEW)
    new = reply["newMemoryId"]
    assert reply.pop("createdAt") == reply.pop("validFrom")
    assert reply == {"success": True, "action": "superseded", "oldMemoryId": old, "newMemoryId": new, "id": new}
    assert new != old


@pytest.mark.rule("5 memory active: supersede", "6.4 old row")
async def test_the_old_row_is_archived_and_both_point_to_each_other(user: TestUser) -> None:
    old = await capture(user, actionTriggers=["Bash"])
    reply = await supersede(user, old)
    was, now = await memory(user, old), await memory(user, reply["id"])
    assert (was["archived"], was["supersededByMemoryId"], was["supersedesMemoryId"]) == (True, reply["id"], None)
    assert was["supersededAt"] == now["createdAt"]
    assert (now["archived"], now["supersedesMemoryId"], now["supersededByMemoryId"]) == (False, old, None)
    assert (now["title"], now["content"]) == (NEW["title"], NEW["content"])
    assert [hit["id"] for hit in (await post(user, "triggers", {"tools": ["Bash"]}))["memories"]] == [reply["id"]]
    assert await totals(user) == (1, 1)


INHERITED: dict[str, Any] = {
    "store": "semantic",
    "category": "rule",
    "tags": ["a", "b"],
    "metadata": {"k": 1},
    "confidence": 0.5,
    "strength": 0.25,
    "valence": -0.5,
    "arousal": 0.75,
    "actionTriggers": ["Bash"],
    "channel": "slack:alice",
}
REPLACED: dict[str, Any] = {
    "store": "procedural",
    "category": "skill",
    "tags": [],
    "metadata": "text",
    "confidence": 0,
    "strength": 1,
    "valence": 0.5,
    "arousal": 0,
    "actionTriggers": ["Edit"],
    "channel": "slack",
}


@pytest.mark.rule("6.4 store and other fields")
async def test_what_is_not_sent_is_inherited(user: TestUser) -> None:
    old = await capture(user, **INHERITED, source="cron")
    row = await memory(user, (await supersede(user, old))["id"])
    assert {name: row[name] for name in INHERITED} == INHERITED
    assert row["source"] == "cron"


@pytest.mark.rule("6.4 store and other fields")
@pytest.mark.parametrize("field", REPLACED)
async def test_what_is_sent_replaces(user: TestUser, field: str) -> None:
    old = await capture(user, **INHERITED)
    row = await memory(user, (await supersede(user, old, **{field: REPLACED[field]}))["id"])
    assert {name: row[name] for name in INHERITED} == INHERITED | {field: REPLACED[field]}


@pytest.mark.rule("6.4 title, content")
@pytest.mark.parametrize("field", ["title", "content"])
async def test_title_and_content_are_required(user: TestUser, field: str) -> None:
    refusal = await supersede(user, await capture(user), 400, **{field: " "})
    assert refusal["details"] == f"Missing required field: {field}"


@pytest.mark.rule("6.4 oldMemoryId")
async def test_the_old_id_is_required(user: TestUser) -> None:
    assert (await post(user, "supersede", NEW, status=400))["details"] == "Missing required field: oldMemoryId"
    refusal = await post(user, "supersede", NEW | {"oldMemoryId": "kb_1"}, status=400)
    assert refusal["details"] == "Invalid identifier: oldMemoryId"


async def test_unknown_is_404_and_foreign_is_403(user: TestUser, make_user: MakeUser) -> None:
    gone = await capture(user)
    await post(user, "forget", {"memoryId": gone, "permanent": True})
    assert await supersede(user, gone, 404) == {"error": "Memory not found"}
    assert await supersede(user, await capture(await make_user()), 403) == {"error": "Forbidden"}


@pytest.mark.rule("6.4 reason", "6.4 reply")
async def test_the_reason_is_echoed_and_audited(user: TestUser, services: Services) -> None:
    old = await capture(user)
    reply = await supersede(user, old, reason="the office moved")
    assert reply["reason"] == "the office moved"
    async with services.database.read(user.id) as session:
        meta = await session.value("SELECT meta FROM audit_row WHERE action = 'supersede'")
    assert meta == {"newMemoryId": reply["id"], "reason": "the office moved"}
    await supersede(user, reply["id"], 400, reason="r" * 501)


@pytest.mark.rule("6.4 case: superseded already")
async def test_an_already_superseded_row_is_refused(user: TestUser) -> None:
    old = await capture(user)
    new = (await supersede(user, old))["id"]
    refusal = await supersede(user, old, 409, content="even newer")
    assert refusal == {"error": "Memory already superseded", "supersededByMemoryId": new}
    assert await totals(user) == (1, 1)


@pytest.mark.rule("6.4 case: superseded already", "6.5 permanent")
async def test_a_row_whose_successor_was_deleted_for_good_is_no_longer_superseded(user: TestUser) -> None:
    old = await capture(user)
    new = (await supersede(user, old))["id"]
    await post(user, "forget", {"memoryId": new})
    assert (await supersede(user, old, 409))["supersededByMemoryId"] == new
    await post(user, "forget", {"memoryId": new, "permanent": True})
    assert (await memory(user, old))["supersededByMemoryId"] is None
    (listed,) = (await send(user, "GET", "/api/memories/list", archived=True))["memories"]
    assert (listed["id"], listed.get("supersededByMemoryId")) == (old, None)
    await post(user, "update", {"memoryId": old, "title": "Edited"})
    assert (await supersede(user, old))["oldMemoryId"] == old
    await send(user, "POST", f"/api/memories/{old}/restore", {})
    assert (await memory(user, old))["archived"] is False


@pytest.mark.rule("6.4 case: superseded already", "6.4 one transaction")
async def test_of_many_at_once_one_supersedes(user: TestUser) -> None:
    old = await capture(user)
    bodies = [{"oldMemoryId": old, "title": "t", "content": f"words {number}"} for number in range(6)]
    replies = await asyncio.gather(*(user.http.post("/api/mcp/supersede", json=body) for body in bodies))
    assert sorted(reply.status_code for reply in replies) == [200, 409, 409, 409, 409, 409]
    new = next(reply.json()["id"] for reply in replies if reply.status_code == 200)
    others = {reply.json()["supersededByMemoryId"] for reply in replies if reply.status_code == 409}
    assert others == {new}
    assert await totals(user) == (1, 1)


@pytest.mark.rule("6.4 case: full quota")
async def test_a_full_quota_does_not_refuse(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.FREE)
    old, forgotten = await capture(user), await capture(user)
    await post(user, "forget", {"memoryId": forgotten})
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE totals SET active_memories = 500")
    await supersede(user, old)
    refusal = await supersede(user, forgotten, 403, content="would be one more")
    assert refusal == {"error": "Storage limit reached", "limit": 500, "resource": "memories"}


@pytest.mark.rule("6.4 one transaction")
async def test_when_one_of_its_writes_fails_all_of_them_do(user: TestUser, embedded_postgres: EmbeddedPostgres) -> None:
    old = await capture(user)
    with psycopg.connect(embedded_postgres.conninfo, autocommit=True) as owner:
        owner.execute("REVOKE INSERT ON trigger FROM memd_app")
        try:
            with structlog.testing.capture_logs():
                refusal = await supersede(user, old, 500, actionTriggers=["Bash"])
        finally:
            owner.execute("GRANT INSERT ON trigger TO memd_app")
    assert refusal["error"] == "Internal server error"
    assert await totals(user) == (1, 0)
    assert [row["id"] for row in (await send(user, "GET", "/api/memories"))["memories"]] == [old]
    assert (await supersede(user, old))["success"] is True


async def test_an_archived_row_gets_an_active_successor(user: TestUser) -> None:
    old = await capture(user)
    await post(user, "forget", {"memoryId": old})
    new = (await supersede(user, old))["id"]
    assert (await memory(user, old))["supersededByMemoryId"] == new
    assert await totals(user) == (1, 1)


async def test_blocked_text_changes_nothing(user: TestUser) -> None:
    old = await capture(user)
    refusal = await supersede(user, old, 400, content="-----BEGIN RSA PRIVATE KEY-----\nMIIE")
    assert refusal == {"error": "Memory blocked: personal_info_exposure [secret_private_key]"}
    assert await totals(user) == (1, 0)


async def test_a_chunk_is_succeeded_inside_its_knowledge_base(user: TestUser) -> None:
    base = await make_base(user)
    source = {"title": "Part 3", "sourceUrl": "https://a.example/doc", "chunkIndex": 2, "totalChunks": 5}
    old = (await fill(user, base, chunk("old words", dedupeKey="k", metadata=source)))["memoryIds"][0]
    new = (await supersede(user, old))["id"]
    rows = await enumerate_chunks(user, base)
    row = await base_row(user, base)
    assert [(row["id"], row["dedupeKey"]) for row in rows] == [(new, "k")]
    assert rows[0]["metadata"] == source | {"title": NEW["title"]}
    assert (row["chunkCount"], row["totalChars"]) == (1, len(NEW["content"]))
    assert await totals(user) == (0, 0)


async def test_the_key_of_an_archived_chunk_stays_with_the_active_one(user: TestUser) -> None:
    base = await make_base(user)
    old = (await fill(user, base, chunk("old words", dedupeKey="k")))["memoryIds"][0]
    await post(user, "forget", {"memoryId": old})
    current = (await fill(user, base, chunk("current words", dedupeKey="k")))["memoryIds"][0]
    new = (await supersede(user, old))["id"]
    assert {row["id"]: row["dedupeKey"] for row in await enumerate_chunks(user, base)} == {current: "k", new: None}


async def test_the_kind_of_a_chunk_follows_from_its_new_text(user: TestUser) -> None:
    base = await make_base(user)
    old = (await fill(user, base, chunk("prose", metadata={"title": "app.yaml"})))["memoryIds"][0]
    new = (await supersede(user, old, title="app.yaml", content="port: 80\nhost: a"))["id"]
    assert (await memory(user, old))["chunkKind"] == "content"
    assert (await memory(user, new))["chunkKind"] == "config"


async def test_a_long_text_waits_for_no_thread_while_the_old_row_is_locked(
    user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = await capture(user)
    async with busy_after(monkeypatch, service, "lock_visible"):
        reply = await supersede(user, old, content="The mill turns. " * (INLINE_CHARACTERS // 16 + 1))
    assert (await memory(user, old))["supersededByMemoryId"] == reply["id"]


@pytest.mark.rule("6.4 store and other fields")
async def test_what_a_concurrent_edit_wrote_is_inherited_and_searched(services: Services, user: TestUser) -> None:
    old = await capture(user, tags=["mill"])
    async with services.database.write(user.id) as session:
        pid = await session.value("SELECT pg_backend_pid()", {})
        await session.execute(
            "UPDATE memory SET tags = '{weir}' WHERE user_id = %(user)s AND id = %(id)s",
            {"user": user.id, "id": decode("mem", old)},
        )
        superseding = asyncio.create_task(supersede(user, old, content="It turns."))
        await waiting_for(services, pid)
    new = (await superseding)["id"]
    assert (await memory(user, new))["tags"] == ["weir"]
    found = await post(user, "recall", {"query": "weir", "includeGraphContext": False})
    assert found["memories"][0]["id"] == new
    assert found["memories"][0]["rankingSignals"]["textMatchScore"] == 1
