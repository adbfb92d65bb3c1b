"""Every row of the contract's table of states (5): what a trigger makes of an object, and what goes with it."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from memd.context import Services
from memd.domain.ids import decode
from memd.domain.types import Tier
from memd.lifecycle.consolidate import consolidate_and_promote
from memd.lifecycle.retention import clear_away, decay_memories, remove_expired
from tests.memd.devices.test_device_flow import TEN_MINUTES, World
from tests.memd.lifecycle.rows import active, aged, column, count
from tests.memd.lifecycle.test_leaving import fill_to
from tests.support.dict_rows import dict_row, dict_rows
from tests.support.jobs import context_of, later
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
    send,
    totals,
)

CHILDREN = ("recall_activity", "memory_node", "association", "trigger")
ATTACHED = (
    "INSERT INTO recall_activity SELECT user_id, id, id, 1, 'recall' FROM memory",
    "INSERT INTO memory_node SELECT user_id, id, id, 'topic', 1, 1 FROM memory",
    "INSERT INTO association SELECT user_id, id, gen_random_uuid(), 'supports', 1, 1, 1 FROM memory",
    "INSERT INTO association SELECT user_id, gen_random_uuid(), id, 'supports', 1, 1, 1 FROM memory",
)


async def attach(services: Services, user: TestUser) -> None:
    """Give every memory of the user activity, a graph link and associations to both sides."""
    async with services.database.write(user.id) as session:
        for statement in ATTACHED:
            await session.execute(statement)


async def children(services: Services, user: TestUser, *memory_ids: str) -> dict[str, bool]:
    """Which of the child tables have rows that name one of these memories."""
    async with services.database.read(user.id) as session:
        found = {table: str(await dict_rows(session, f"SELECT * FROM {table}")) for table in CHILDREN}
    names = [str(decode("mem", memory_id)) for memory_id in memory_ids]
    return {table: any(name in rows for name in names) for table, rows in found.items()}


async def library(user: TestUser, *contents: str) -> tuple[str, list[str]]:
    """A knowledge base of these chunks, each tied to the tool Bash."""
    base = await make_base(user, agentIds=["writer"])
    ids = (await fill(user, base, *(chunk(content) for content in contents)))["memoryIds"]
    for memory_id in ids:
        await post(user, "update", {"memoryId": memory_id, "actionTriggers": ["Bash"]})
    return base, ids


async def size(user: TestUser, base: str) -> tuple[int, int]:
    row = await base_row(user, base)
    return row["chunkCount"], row["totalChars"]


@pytest.mark.rule("5 memory active: archive of one")
async def test_an_archived_memory_loses_its_triggers_and_moves_the_totals(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, actionTriggers=["Bash", "Edit"])
    assert (await count(services, user, "trigger"), await totals(user)) == (2, (1, 0))
    await post(user, "forget", {"memoryId": memory_id})
    assert (await count(services, user, "trigger"), await totals(user)) == (0, (0, 1))
    assert await column(services, user, memory_id, "archived_by") == "user"


@pytest.mark.rule("5 memory active: archive of one")
async def test_an_archived_chunk_makes_its_knowledge_base_smaller(services: Services, user: TestUser) -> None:
    base, ids = await library(user, "four", "seven77")
    await post(user, "forget", {"memoryId": ids[1]})
    assert (await size(user, base), await count(services, user, "trigger")) == ((1, 4), 1)
    await send(user, "DELETE", f"/api/knowledge-bases/{base}")
    assert (await size(user, base), await count(services, user, "trigger")) == ((0, 0), 0)
    assert await totals(user) == (0, 0)


@pytest.mark.rule("5 memory active: supersede")
async def test_a_superseded_memory_is_archived_by_its_successor(services: Services, user: TestUser) -> None:
    old = await capture(user)
    new = (await post(user, "supersede", {"oldMemoryId": old, "title": "t", "content": "newer"}))["id"]
    assert (await memory(user, old))["archived"] is True
    assert await column(services, user, old, "archived_by") == "supersede"
    assert (await memory(user, new))["supersedesMemoryId"] == old


async def consolidated(services: Services, user: TestUser) -> list[str]:
    fields = {"store": "sensory", "category": "conversation", "actionTriggers": ["Bash"]}
    ids = [await aged(services, user, days=2, degrees=n, content=f"The build failed, {n}", **fields) for n in range(3)]
    await consolidate_and_promote(await context_of(services, user))
    return ids


async def decayed(services: Services, user: TestUser) -> list[str]:
    await fill_to(services, user, 450)
    ids = [await capture(user, strength=0.01, actionTriggers=["Bash"])]
    await decay_memories(await context_of(services, user))
    return ids


async def cleaned(services: Services, user: TestUser) -> list[str]:
    ids = [await aged(services, user, strength=0.09, actionTriggers=["Bash"])]
    await clear_away(await context_of(services, user))
    return ids


Job = Callable[[Services, TestUser], Awaitable[list[str]]]


@pytest.mark.rule("5 memory active: jobs")
@pytest.mark.parametrize("job", [consolidated, decayed, cleaned], ids=lambda job: job.__name__)
async def test_jobs_archive_as_people_do(make_user: MakeUser, services: Services, job: Job) -> None:
    user = await make_user(tier=Tier.FREE)
    ids = await job(services, user)
    for memory_id in ids:
        assert (await memory(user, memory_id))["archived"] is True
        assert await column(services, user, memory_id, "archived_by") == "job"
    assert await count(services, user, "trigger") == 0
    async with services.database.read(user.id) as session:
        states = await dict_row(
            session,
            "SELECT count(*) FILTER (WHERE archived) AS gone, count(*) FILTER (WHERE NOT archived) AS there FROM memory",
        )
    assert states is not None
    assert await totals(user) == (states["there"], states["gone"])


@pytest.mark.rule("5 memory active or archived: forget permanently")
@pytest.mark.parametrize("archived", [False, True], ids=["active", "archived"])
async def test_a_memory_that_is_deleted_takes_its_children_along(
    services: Services, user: TestUser, *, archived: bool
) -> None:
    kept, gone = [await capture(user, actionTriggers=["Bash"]) for _ in range(2)]
    await attach(services, user)
    if archived:
        await post(user, "forget", {"memoryId": gone})
    before = await totals(user)
    await post(user, "forget", {"memoryId": gone, "permanent": True})
    assert await post(user, "memory", {"memoryId": gone}, status=404) == {"error": "Memory not found"}
    assert await children(services, user, gone) == dict.fromkeys(CHILDREN, False)
    assert await children(services, user, kept) == dict.fromkeys(CHILDREN, True)
    assert (before, await totals(user)) == (((1, 1), (1, 0)) if archived else ((2, 0), (1, 0)))
    assert (await memory(user, kept))["archived"] is False


@pytest.mark.rule("5 KB active: DELETE", "5 KB archived: unarchive")
async def test_a_knowledge_base_is_archived_with_its_chunks_and_comes_back(services: Services, user: TestUser) -> None:
    base, (first, *others) = await library(user, "four", "seven77", "eleven 11 1")
    await post(user, "forget", {"memoryId": first})
    await send(user, "DELETE", f"/api/knowledge-bases/{base}")
    assert (await base_row(user, base))["isActive"] is False
    by = [await column(services, user, memory_id, "archived_by") for memory_id in (first, *others)]
    assert by == ["user", "knowledge_base", "knowledge_base"]
    assert await size(user, base) == (0, 0)
    assert (await send(user, "GET", "/api/mcp/stats"))["knowledgeBases"] == {"active": 0, "archived": 1, "chunks": 0}
    await post(user, f"/api/knowledge-bases/{base}/unarchive")
    assert (await base_row(user, base))["isActive"] is True
    assert await size(user, base) == (2, 18)
    assert (await send(user, "GET", "/api/mcp/stats"))["knowledgeBases"] == {"active": 1, "archived": 0, "chunks": 2}
    assert [row["id"] for row in await enumerate_chunks(user, base)] == others
    assert (await memory(user, first))["archived"] is True


@pytest.mark.rule("5 KB archived: permanent delete")
async def test_a_knowledge_base_that_is_deleted_for_good_leaves_nothing(services: Services, user: TestUser) -> None:
    base, ids = await library(user, "one", "two")
    await attach(services, user)
    await send(user, "DELETE", f"/api/knowledge-bases/{base}")
    await send(user, "DELETE", f"/api/knowledge-bases/{base}", permanent="true")
    await send(user, "GET", f"/api/knowledge-bases/{base}", status=404)
    assert await children(services, user, *ids) == dict.fromkeys(CHILDREN, False)
    assert [await count(services, user, table) for table in ("memory", "import_run", "knowledge_base")] == [0, 0, 0]


@pytest.mark.rule("5 KB active: empty")
async def test_an_emptied_knowledge_base_stays_with_its_id_and_agents(services: Services, user: TestUser) -> None:
    base, ids = await library(user, "one", "two")
    await attach(services, user)
    await post(user, f"/api/knowledge-bases/{base}/empty")
    row = await base_row(user, base)
    assert (row["isActive"], row["agentIds"], row["chunkCount"], row["totalChars"]) == (True, ["writer"], 0, 0)
    assert await children(services, user, *ids) == dict.fromkeys(CHILDREN, False)
    assert await count(services, user, "memory") == 0


@pytest.mark.rule("5 message stored: expired")
@pytest.mark.parametrize("timestamp", [1_600_000_000_000, None], ids=["back-filled", "now"])
async def test_a_message_lives_as_long_as_its_tier_from_receipt(
    make_user: MakeUser, services: Services, timestamp: int | None
) -> None:
    user = await make_user(tier=Tier.FREE)
    await post(user, "log", {"role": "user", "content": "words", "timestamp": timestamp})
    for days, there in ((6.9, 1), (7.1, 0)):
        await remove_expired(await context_of(later(services, days=days), user))
        assert await count(services, user, "message") == there


@pytest.mark.rule("5 device request pending")
@pytest.mark.parametrize("end", ["complete", "denied", "expired"])
async def test_a_device_request_ends_in_one_of_three_ways(services: Services, user: TestUser, end: str) -> None:
    world = World(services)
    codes = await world.start()
    assert (await world.poll(codes)).json()["status"] == "pending"
    if end == "expired":
        world.clock.now += TEN_MINUTES
    else:
        await world.decide(user, codes["user_code"], decision="approve" if end == "complete" else "deny")
    assert len((await user.http.get("/api/keys")).json()["keys"]) == 1
    assert (await world.poll(codes)).json()["status"] == end
    assert len((await user.http.get("/api/keys")).json()["keys"]) == (2 if end == "complete" else 1)


@pytest.mark.rule("5 archived rows")
async def test_archived_rows_are_shown_by_memory_and_trace_alone(user: TestUser) -> None:
    fields: dict[str, Any] = {"title": "Boiler", "actionTriggers": ["Bash"], "category": "goal"}
    gone = await capture(user, content="The boiler is warm.", **fields)
    base, (chunk_id,) = await library(user, "The boiler of the handbook.")
    for memory_id in (gone, chunk_id):
        await post(user, "forget", {"memoryId": memory_id})
    wake = await post(user, "wake")
    assert (wake["recentMemories"], wake["openGoals"]) == ([], [])
    assert (await post(user, "recall", {"query": "boiler"}))["memories"] == []
    assert (await post(user, "triggers", {"tools": ["Bash"]}))["memories"] == []
    assert (await post(user, f"/api/knowledge-bases/{base}/query", {"query": "boiler"}))["results"] == []
    assert (await enumerate_chunks(user, base), await active(user)) == ([], {})
    for memory_id in (gone, chunk_id):
        assert (await memory(user, memory_id))["archived"] is True
        assert (await post(user, "trace", {"memoryId": memory_id}))["memory"]["id"] == memory_id
