"""Rows that a rescan has marked (contract 12, 6.2 rule 5): silently left out, still their owner's to see and remove."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio

from memd.context import Services
from memd.domain.ids import decode
from memd.memories import visibility
from tests.support.service import TestUser
from tests.support.wire import base_row, capture, chunk, enumerate_chunks, fill, make_base, memory, post

GOOD, BAD = "The harvest festival begins on Sunday.", "The harvest festival is a fraud, and this is how."


@dataclass(frozen=True, slots=True)
class Shelf:
    """Two memories and two chunks about one thing; one of each is blocked."""

    user: TestUser
    good: str
    bad: str
    good_chunk: str
    bad_chunk: str
    base: str


async def mark(services: Services, user: TestUser, *ids: str, blocked: bool = True) -> None:
    """Do what the rescan does with rows that a changed rule catches, or no longer does."""
    wanted = [decode("mem", memory_id) for memory_id in ids]
    async with services.database.write(user.id) as session:
        await session.execute(
            "UPDATE memory SET blocked = %(blocked)s WHERE id = ANY(%(ids)s)", {"blocked": blocked, "ids": wanted}
        )
        await visibility.sync(session, wanted)


@pytest_asyncio.fixture(loop_scope="session")
async def shelf(services: Services, user: TestUser) -> AsyncIterator[Shelf]:
    good, bad = [
        await capture(user, title=f"Festival {n}", content=text, category="goal", actionTriggers=["Bash"])
        for n, text in enumerate((GOOD, BAD))
    ]
    base = await make_base(user)
    chunks = (await fill(user, base, chunk(f"{GOOD} Bring bread."), chunk(f"{BAD} Bring money.")))["memoryIds"]
    for chunk_id in chunks:
        await post(user, "update", {"memoryId": chunk_id, "actionTriggers": ["Bash"]})
    await mark(services, user, bad, chunks[1])
    yield Shelf(user, good, bad, chunks[0], chunks[1], base)


@pytest.mark.rule("12 marked rows")
async def test_recall_leaves_them_out(shelf: Shelf) -> None:
    found = (await post(shelf.user, "recall", {"query": "harvest festival", "limit": 20}))["memories"]
    assert {row["id"] for row in found} == {shelf.good, shelf.good_chunk}


async def test_a_knowledge_base_query_leaves_them_out(shelf: Shelf) -> None:
    found = await post(shelf.user, f"/api/knowledge-bases/{shelf.base}/query", {"query": "harvest festival"})
    assert [row["chunkId"] for row in found["results"]] == [shelf.good_chunk]


async def test_wake_leaves_them_out(shelf: Shelf) -> None:
    wake = await post(shelf.user, "wake")
    assert {row["id"] for row in wake["recentMemories"]} == {shelf.good}
    assert [row["memoryId"] for row in wake["openGoals"]] == [shelf.good]
    assert "Festival 1" not in wake["briefing"]


async def test_triggers_leave_them_out(shelf: Shelf) -> None:
    found = (await post(shelf.user, "triggers", {"tools": ["Bash"]}))["memories"]
    assert {row["id"] for row in found} == {shelf.good, shelf.good_chunk}


async def test_a_checkpoint_of_the_last_used_leaves_them_out(shelf: Shelf) -> None:
    assert (await post(shelf.user, "checkpoint", {"label": "now"}))["memoryCount"] == 1


async def test_their_owner_still_sees_them(shelf: Shelf) -> None:
    assert (await memory(shelf.user, shelf.bad))["content"] == BAD
    assert (await post(shelf.user, "trace", {"memoryId": shelf.bad}))["memory"]["id"] == shelf.bad
    assert {row["id"] for row in await enumerate_chunks(shelf.user, shelf.base)} == {shelf.good_chunk, shelf.bad_chunk}


async def test_they_come_back_when_the_mark_is_cleared(services: Services, shelf: Shelf) -> None:
    await mark(services, shelf.user, shelf.bad, shelf.bad_chunk, blocked=False)
    found = (await post(shelf.user, "triggers", {"tools": ["Bash"]}))["memories"]
    assert {row["id"] for row in found} == {shelf.good, shelf.bad, shelf.good_chunk, shelf.bad_chunk}


async def test_clean_text_unblocks_and_other_edits_do_not(shelf: Shelf) -> None:
    await post(shelf.user, "update", {"memoryId": shelf.bad, "strength": 1})
    assert len((await post(shelf.user, "triggers", {"tools": ["Bash"]}))["memories"]) == 2
    await post(shelf.user, "update", {"memoryId": shelf.bad, "content": "The harvest festival is honest."})
    assert len((await post(shelf.user, "triggers", {"tools": ["Bash"]}))["memories"]) == 3


@pytest.mark.rule("8.7 removal")
async def test_emptying_removes_blocked_chunks_too(shelf: Shelf) -> None:
    reply = await post(shelf.user, f"/api/knowledge-bases/{shelf.base}/empty")
    assert (reply["deletedMemories"], reply["activeDeletedMemories"]) == (2, 2)
    row = await base_row(shelf.user, shelf.base)
    assert (row["chunkCount"], row["totalChars"]) == (0, 0)


@pytest.mark.parametrize("permanent", [False, True])
async def test_they_can_be_forgotten(shelf: Shelf, *, permanent: bool) -> None:
    reply = await post(shelf.user, "forget", {"memoryId": shelf.bad, "permanent": permanent})
    assert reply["success"] is True
