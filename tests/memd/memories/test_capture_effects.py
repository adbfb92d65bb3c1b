"""The effects of a capture besides its reply (contract 6.1): columns, counters, triggers, and the results of jobs."""

import hashlib

import pytest

from memd.context import Services
from memd.db.session import Deferral, WriteSession
from memd.domain.ids import decode
from memd.memories.group_commit import BURST, BURST_GRAPH_DELAY_MS
from tests.support.dict_rows import dict_row
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import Json, capture, memory, post, send, totals

AUTO: Json = {
    "title": "Turn",
    "content": "The valve of the boiler drips.",
    "store": "sensory",
    "category": "conversation",
    "tags": ["auto-capture"],
}


async def stored(services: Services, user: TestUser) -> Json:
    """The user's only memory as the database has it."""
    async with services.database.read(user.id) as session:
        row = await dict_row(session, "SELECT * FROM memory")
    assert row is not None
    return row


@pytest.mark.rule("6.1 agentId, projectId, repoSlug, sourceSnapshotId, sessionKey")
async def test_agent_project_snapshot_and_session_are_stored(services: Services, user: TestUser) -> None:
    snapshot = {"sessionKey": "s1", "channel": "c", "messages": [{"role": "user", "content": "hello"}]}
    snapshot_id = (await post(user, "snapshot", snapshot))["id"]
    names = {"agentId": "writer", "projectId": "p" * 200, "repoSlug": "me/boat", "sessionKey": "s1"}
    await capture(user, **names, sourceSnapshotId=snapshot_id)
    row = await stored(services, user)
    assert (row["agent_id"], row["project_id"], row["session_key"]) == ("writer", "p" * 200, "s1")
    assert row["source_snapshot_id"] == decode("snap", snapshot_id)


@pytest.mark.rule("6.1 agentId, projectId, repoSlug, sourceSnapshotId, sessionKey")
async def test_a_slug_is_hashed_in_lower_case(services: Services, user: TestUser) -> None:
    await capture(user, repoSlug="ME/Boat")
    digest = hashlib.sha256(b"repo:me/boat").hexdigest()
    assert (await stored(services, user))["project_id"] == f"proj_{digest[:24]}"


@pytest.mark.rule("6.1 reply: embedding")
async def test_a_row_without_a_vector_is_answered_as_degraded(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, **AUTO)
    async with services.database.write(user.id) as session:
        await session.execute("DELETE FROM memory_vector")
    reply = await post(user, "capture", AUTO)
    assert (reply["id"], reply["embedding"], reply["degraded"]) == (memory_id, [], True)


@pytest.mark.rule("6.1 case: a replayed automatic capture")
async def test_a_replay_is_an_access_of_now(services: Services, user: TestUser) -> None:
    await capture(user, **AUTO)
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET last_accessed_at = 1")
    before = services.clock()
    await post(user, "capture", AUTO)
    assert before <= (await stored(services, user))["last_accessed_at"] <= services.clock()


@pytest.mark.rule("6.1 after the write")
async def test_totals_triggers_salience_and_the_text_to_recall_are_there_at_once(
    services: Services, user: TestUser
) -> None:
    memory_id = await capture(user, content="We decided to buy a boiler.", actionTriggers=["Bash"], store="semantic")
    row = await memory(user, memory_id)
    assert await totals(user) == (1, 0)
    assert (await send(user, "GET", "/api/mcp/stats"))["byStore"]["semantic"] == 1
    assert [hit["id"] for hit in (await post(user, "triggers", {"tools": ["Bash"]}))["memories"]] == [memory_id]
    assert "boiler" in row["recallText"]
    assert (await stored(services, user))["salience_score"] > 0


@pytest.mark.rule("6.1 after the write")
async def test_the_graph_reads_it_soon(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, content="Anna owns the boiler.")
    await done(services, user)
    row = await memory(user, memory_id)
    assert (row["graphEnriched"], row["graphEnrichedAt"] >= row["createdAt"]) == (True, True)


@pytest.mark.parametrize(("rows", "delay_ms"), [(1, 0), (BURST - 1, 0), (BURST, BURST_GRAPH_DELAY_MS)])
async def test_the_graph_reads_a_few_memories_at_once_and_waits_for_the_end_of_a_burst(
    monkeypatch: pytest.MonkeyPatch, user: TestUser, rows: int, delay_ms: int
) -> None:
    """Jobs are enqueued as ever; their delays are written down besides."""
    delays: list[int] = []
    enqueue = WriteSession.defer

    def defer(session: WriteSession, deferral: Deferral) -> None:
        if session.user_id == user.id and deferral.kind == "graph_enrich":
            delays.append(deferral.delay_ms)
        enqueue(session, deferral)

    monkeypatch.setattr(WriteSession, "defer", defer)
    await post(user, "capture-batch", {"memories": [{"title": "t", "content": f"Row {n}."} for n in range(rows)]})
    assert delays == [delay_ms]


async def test_what_is_captured_in_a_burst_is_in_the_graph_soon(services: Services, user: TestUser) -> None:
    rows = [{"title": f"Visit {number}", "content": f"Ana visited Oslo on day {number}."} for number in range(BURST)]
    await post(user, "capture-batch", {"memories": rows})
    await done(services, user)
    async with services.database.owner(user.id) as session:
        assert await session.value("SELECT bool_and(graph_enriched) FROM memory WHERE user_id = %(u)s", {"u": user.id})
