"""POST /api/undo (contract 17.5): the writes of a key are taken back, newest first."""

import asyncio
import time
from typing import Any
from uuid import UUID

import pytest

import memd.memories.history.undo
from memd.context import Services
from memd.domain.ids import encode
from memd.domain.types import Tier
from tests.support.jobs import done
from tests.support.service import MakeUser, TestUser
from tests.support.wire import base_row, capture, chunk, fill, make_base, memory, post, send, totals


async def undo(user: TestUser, **body: Any) -> list[tuple[str, str]]:
    """(id, action) of what was taken back; nothing may be skipped."""
    reply = await post(user, "/api/undo", body)
    assert reply["skipped"] == []
    return [(row["id"], row["action"]) for row in reply["undone"]]


async def exported(user: TestUser) -> list[dict[str, Any]]:
    return (await send(user, "GET", "/api/memories", pageSize=200))["memories"]


async def export_sent(user: TestUser) -> bytes:
    """The export as sent, byte for byte."""
    return (await user.http.get("/api/memories", params={"pageSize": 200})).content


@pytest.mark.rule("17.5 undo")
async def test_writes_are_taken_back_one_after_the_other(user: TestUser) -> None:
    one = await capture(user, title="First")
    two = await capture(user, title="Second")
    await post(user, "update", {"memoryId": one, "title": "Changed"})
    await post(user, "forget", {"memoryId": two})
    new = (await post(user, "supersede", {"oldMemoryId": one, "title": "New", "content": "New words"}))["id"]
    assert sorted(await undo(user)) == sorted([(one, "supersede"), (new, "supersede")])
    assert await undo(user) == [(two, "archive")]
    assert await undo(user) == [(one, "update")]
    assert (await memory(user, one))["title"] == "First"
    assert [row["title"] for row in await exported(user)] == ["Second", "First"]
    assert await totals(user) == (2, 1)
    assert await undo(user) == [(two, "capture")]
    assert await undo(user) == [(one, "capture")]
    assert await undo(user) == []
    assert await exported(user) == []


@pytest.mark.rule("17.5 undo")
async def test_what_was_written_after_a_listing_stays(user: TestUser) -> None:
    listed = await capture(user, title="Listed")
    plan = await post(user, "/api/undo", {"dryRun": True})
    later = await capture(user, title="Later")
    assert [row["id"] for row in plan["undone"]] == [listed]
    assert await undo(user, lastRequestId=plan["lastRequestId"]) == [(listed, "capture")]
    assert [row["title"] for row in await exported(user)] == ["Later"]
    assert await undo(user, sinceMs=0, lastRequestId=plan["lastRequestId"]) == []
    assert await undo(user) == [(later, "capture")]
    assert (await post(user, "/api/undo", {"dryRun": True}))["lastRequestId"] is None


@pytest.mark.rule("17.5 undo")
async def test_everything_since_a_moment_is_taken_back_at_once(user: TestUser) -> None:
    kept = await capture(user, title="Before", createdAt=1_000_000_000_000)
    before = await exported(user)
    since = (await memory(user, await capture(user)))["createdAt"]
    await post(user, "update", {"memoryId": kept, "content": "Once changed."})
    await post(user, "update", {"memoryId": kept, "content": "Twice changed."})
    listed = await undo(user, sinceMs=since, dryRun=True)
    undone = await undo(user, sinceMs=since)
    assert [action for _, action in undone] == ["update", "update", "capture"]
    assert listed == undone
    assert await exported(user) == before


@pytest.mark.rule("17.5 undo")
async def test_a_dry_run_changes_nothing(user: TestUser) -> None:
    one = await capture(user)
    reply = await post(user, "/api/undo", {"dryRun": True})
    assert (reply["dryRun"], [row["id"] for row in reply["undone"]]) == (True, [one])
    assert (await memory(user, one))["versions"] == 1
    assert await undo(user) == [(one, "capture")]


@pytest.mark.rule("17.5 undo")
async def test_an_import_with_edits_leaves_no_trace_in_the_export(user: TestUser) -> None:
    base = await make_base(user)
    first = [
        chunk(f"Paragraph {number} of the handbook.", dedupeKey=f"p{number}", tags=["v1"], chunkIndex=number)
        for number in range(6)
    ]
    await fill(user, base, *first)
    before, counted, sent = await exported(user), await base_row(user, base), await export_sent(user)
    edited = [dict(each, content=each["content"] + " Edited.", tags=["v2"]) for each in first[:3]]
    added = [chunk(f"New paragraph {number}.", dedupeKey=f"n{number}") for number in range(3)]
    await fill(user, base, *edited, *added)
    assert len(await undo(user)) == 6
    assert await exported(user) == before
    assert await export_sent(user) == sent
    now = await base_row(user, base)
    assert (now["chunkCount"], now["totalChars"]) == (counted["chunkCount"], counted["totalChars"])
    hits = (await post(user, f"/api/knowledge-bases/{base}/query", {"query": "Edited paragraph"}))["results"]
    assert all("Edited" not in hit["content"] for hit in hits)


@pytest.mark.rule("17.5 undo")
async def test_only_the_writes_of_the_same_key_are_taken_back(user: TestUser, services: Services) -> None:
    one = await capture(user)
    other = (await post(user, "/api/keys", {"label": "other"}, status=201))["apiKey"]
    headers = {"Authorization": f"Bearer {other}"}
    await user.http.post("/api/mcp/update", json={"memoryId": one, "title": "By the other key"}, headers=headers)
    reply = await post(user, "/api/undo")
    assert reply["undone"] == []
    assert [(row["id"], row["error"]) for row in reply["skipped"]] == [(one, "Memory changed since")]
    assert (await memory(user, one))["title"] == "By the other key"
    taken = (await user.http.post("/api/undo", json={}, headers=headers)).json()
    assert [row["action"] for row in taken["undone"]] == ["update"]
    assert await undo(user) == [(one, "capture")]


@pytest.mark.rule("17.5 undo")
async def test_a_restored_memory_is_archived_again_when_the_restoring_is_undone(user: TestUser) -> None:
    one = await capture(user)
    await post(user, "forget", {"memoryId": one})
    await send(user, "POST", f"/api/memories/{one}/restore", {})
    assert await undo(user) == [(one, "restore")]
    assert (await memory(user, one))["archived"] is True
    assert await undo(user) == [(one, "archive")]
    assert await undo(user) == [(one, "capture")]


@pytest.mark.rule("17.5 undo")
async def test_the_reply_says_since_when_and_a_span_is_refused(user: TestUser, services: Services) -> None:
    one = await capture(user)
    for span in (1, 5, 999, 60_000, "60000", 86_400_000, -1, -3_600_000):
        reply = await post(user, "/api/undo", {"sinceMs": span}, status=400)
        assert reply["details"].startswith(f"Field sinceMs must be a moment, not a span: {span} is")
        hour_ago = int(reply["details"].rpartition("(an hour ago is ")[2].rstrip(")"))
        assert services.clock() - 3_660_000 <= hour_ago <= services.clock() - 3_600_000
    before = services.clock()
    reply = await post(user, "/api/undo", {"sinceMs": "2020-01-01", "dryRun": True})
    assert before - 86_400_000 <= reply["sinceMs"] <= services.clock() - 86_400_000
    assert [row["id"] for row in reply["undone"]] == [one]
    assert (await post(user, "/api/undo", {"sinceMs": before - 5_000, "dryRun": True}))["sinceMs"] == before - 5_000
    assert "sinceMs" not in await post(user, "/api/undo", {"dryRun": True})
    assert (await memory(user, one))["archived"] is False


async def test_a_moment_that_cannot_be_read_is_refused(user: TestUser) -> None:
    reply = await post(user, "/api/undo", {"sinceMs": "yesteryear"}, status=400)
    assert reply["details"].startswith("Field sinceMs must be")


@pytest.mark.rule("17.5 undo")
async def test_undoing_gives_a_key_back_to_the_memory_that_had_it(user: TestUser) -> None:
    keyed = {"namespace": "users/7", "key": "city"}
    one = await capture(user, content="Ana lives in Oslo.", **keyed)
    await capture(user, content="Ana lives in Rome.", **keyed)
    new = (await post(user, "supersede", {"oldMemoryId": one, "title": "City", "content": "Ana lives in Kiel."}))["id"]
    assert sorted(await undo(user)) == sorted([(one, "supersede"), (new, "supersede")])
    shown = await send(user, "GET", "/api/memories/by-key", **keyed)
    assert (shown["memory"]["id"], shown["memory"]["content"]) == (one, "Ana lives in Rome.")
    assert await undo(user) == [(one, "update")]
    assert (await memory(user, one))["content"] == "Ana lives in Oslo."


@pytest.mark.rule("17.5 undo")
async def test_many_requests_are_taken_back_in_several_calls(user: TestUser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memd.memories.history.undo, "REQUESTS", 2)
    ids = [await capture(user, content=f"Kiln {number} is lit.") for number in range(5)]
    undone, last, pages = list[str](), {}, 0
    while True:
        reply = await post(user, "/api/undo", {"sinceMs": 0, **last})
        undone += [row["id"] for row in reply["undone"]]
        pages += 1
        if reply["isDone"]:
            break
        last = {"lastRequestId": reply["nextRequestId"]}
    assert (undone, pages) == (ids[::-1], 3)
    assert await exported(user) == []


@pytest.mark.rule("17.5 undo")
async def test_a_dry_run_lists_a_bounded_part_of_a_large_request(
    user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, most in (("PAGE", 2), ("WRITES", 4), ("LISTED", 5), ("MEMORIES", 5)):
        monkeypatch.setattr(memd.memories.history.undo, name, most)
    base = await make_base(user)
    await fill(user, base, *[chunk(f"Kiln {number} is lit.", dedupeKey=f"k{number}") for number in range(11)])
    listed = await post(user, "/api/undo", {"dryRun": True})
    assert (len(listed["undone"]), listed["isDone"], listed["nextRequestId"]) == (6, False, None)
    undone, last = list[str](), {}
    while last is not None:
        reply = await post(user, "/api/undo", last)
        undone += [row["id"] for row in reply["undone"]]
        last = None if reply["isDone"] else {"lastRequestId": reply["nextRequestId"]}
    assert (len(undone), len(set(undone)), undone[:6]) == (11, 11, [row["id"] for row in listed["undone"]])
    assert (await base_row(user, base))["chunkCount"] == 0


@pytest.mark.rule("17.5 undo")
async def test_requests_that_name_the_same_operation_are_taken_back_as_one_write(user: TestUser) -> None:
    alone = await capture(user)
    first = await user.http.post("/api/mcp/capture", json={"title": "First", "content": "The first of an operation"})
    operation = {"X-Operation-Id": first.headers["X-Request-Id"]}
    for number in range(3):
        body = {"title": f"Further {number}", "content": f"Number {number} of the operation"}
        (await user.http.post("/api/mcp/capture", json=body, headers=operation)).raise_for_status()
    assert len(await undo(user)) == 4
    assert await undo(user) == [(alone, "capture")]


@pytest.mark.parametrize("wrong", ["", "req_", "mem_01m7yw9thmezt8dazqksafd50e", encode("req", UUID(int=2**127))])
async def test_an_operation_is_named_by_an_earlier_request(user: TestUser, wrong: str) -> None:
    reply = await user.http.post(
        "/api/mcp/capture", json={"title": "T", "content": "C"}, headers={"X-Operation-Id": wrong}
    )
    assert (reply.status_code, "X-Operation-Id" in reply.json()["details"]) == (400, True)


@pytest.mark.rule("17.5 undo")
async def test_an_operation_of_more_than_24_hours_ago_is_refused_as_undo_would_not_find_its_writes(
    user: TestUser,
) -> None:
    now = int(time.time() * 1000)
    for hours, status in ((25, 400), (23, 200)):
        operation = {"X-Operation-Id": encode("req", UUID(int=(now - hours * 3_600_000) << 80))}
        body = {"title": "Late", "content": f"Written {hours} hours after its operation began"}
        reply = await user.http.post("/api/mcp/capture", json=body, headers=operation)
        assert reply.status_code == status
        if status == 400:
            assert reply.json()["details"].startswith("Header X-Operation-Id names a request of more than 24 hours ago")
    assert len(await undo(user)) == 1


@pytest.mark.rule("17.5 undo")
async def test_an_operation_that_began_long_before_is_taken_back_for_what_it_wrote_since(user: TestUser) -> None:
    begun = int(time.time() * 1000) - 3 * 3_600_000
    operation = {"X-Operation-Id": encode("req", UUID(int=begun << 80))}
    body = {"title": "Late", "content": "Written hours after its operation began"}
    (await user.http.post("/api/mcp/capture", json=body, headers=operation)).raise_for_status()
    assert [action for _, action in await undo(user, sinceMs=begun + 2 * 3_600_000)] == ["capture"]


@pytest.mark.rule("17.5 undo")
async def test_a_supersession_is_taken_back_at_a_full_quota(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.FREE)
    old = await capture(user, content="Ana lives in Kiel.")
    new = (await post(user, "supersede", {"oldMemoryId": old, "title": "City", "content": "Ana lives in Bonn."}))["id"]
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE totals SET active_memories = 500 WHERE user_id = %(user)s", {"user": user.id})
    assert sorted(await undo(user)) == sorted([(old, "supersede"), (new, "supersede")])
    assert [(await memory(user, each))["archived"] for each in (old, new)] == [False, True]
    refused = await post(user, f"/api/memories/{new}/restore", {}, status=403)
    assert refused["error"] == "Storage limit reached"


@pytest.mark.rule("17.5 conflicts", "17.5 undo", "17.5 history")
async def test_after_undoing_a_decision_the_newer_memory_was_captured_and_supersedes_nothing(
    services: Services, user: TestUser
) -> None:
    await capture(user, content="Ana lives in Oslo.")
    new = await capture(user, content="Ana lives in Rome.")
    await done(services, user)
    (conflict,) = (await send(user, "GET", "/api/conflicts"))["conflicts"]
    await send(user, "POST", f"/api/conflicts/{conflict['id']}", {"decision": "supersede"})
    await post(user, "/api/undo", {})
    versions = (await send(user, "GET", f"/api/memories/{new}/history"))["versions"]
    assert [version["action"] for version in versions] == ["capture", "supersede", "undo"]
    assert not (await memory(user, new)).get("supersedesMemoryId")


@pytest.mark.rule("17.5 undo")
async def test_of_calls_at_once_each_names_only_what_it_undid(user: TestUser) -> None:
    made = {await capture(user, content=f"Text {number}") for number in range(5)}
    replies = await asyncio.gather(*(post(user, "/api/undo") for _ in range(5)))
    undone = [row["id"] for reply in replies for row in reply["undone"]]
    archived = [memory_id for memory_id in made if (await memory(user, memory_id))["archived"]]
    assert sorted(undone) == sorted(archived)
    assert undone
