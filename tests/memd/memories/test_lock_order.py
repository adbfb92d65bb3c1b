"""Writers lock rows in one order, so that none waits for another one that waits for it.

Keys come before knowledge bases, these before memories, memories in the order of their ids, and the totals last. A test
holds a row, lets a writer wait for it, and looks whether what comes later in that order is still free.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from psycopg.errors import LockNotAvailable

from memd.context import Services
from memd.domain.ids import decode
from memd.lifecycle.association_store import mark_associated
from tests.memd.erasure.test_erased_meanwhile import waits_for
from tests.support.service import TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send

MEMORY, BASE, TOTALS = "memory", "knowledge_base", "totals"
TIMES, LOOKS = 6, 50


def _rows(user: TestUser, table: str, wire_id: str | None) -> tuple[str, Json]:
    """The statement that selects a row, and its values; the totals of a user are one row."""
    if wire_id is None:
        return f"SELECT FROM {table} WHERE user_id = %(user)s", {"user": user.id}
    params = {"user": user.id, "id": decode(wire_id.partition("_")[0], wire_id)}
    return f"SELECT FROM {table} WHERE user_id = %(user)s AND id = %(id)s", params


@asynccontextmanager
async def waiting(
    services: Services, user: TestUser, work: Coroutine[Any, Any, Any], table: str, wire_id: str
) -> AsyncGenerator[None]:
    """In the block the work waits for this row, which somebody else holds; it is done behind the block."""
    async with services.database.write(user.id) as session:
        statement, params = _rows(user, table, wire_id)
        await session.execute(f"{statement} FOR UPDATE", params)
        task = await waits_for(services, session, work)
        assert not task.done()
        yield
    await task


async def is_free(services: Services, user: TestUser, table: str, wire_id: str | None = None) -> bool:
    """Whether nobody keeps a row locked; background jobs have one for a moment."""
    statement, params = _rows(user, table, wire_id)
    for _ in range(LOOKS):
        try:
            async with services.database.write(user.id) as session:
                await session.execute(f"{statement} FOR UPDATE NOWAIT", params)
        except LockNotAvailable:
            await asyncio.sleep(0.1)
        else:
            return True
    return False


async def reflected(user: TestUser, **fields: str) -> tuple[str, str]:
    """A memory with these fields, and a reflection that was made of it and others."""
    first, *others = ("We keep the spare key in the shed.", "Greta counted the chairs.", "The shed is red now.")
    source = await capture(user, title=first, content=first, category="event", **fields)
    for text in others:
        await capture(user, title=text, content=text, category="event")
    return source, (await post(user, "reflect"))["memoryIds"][0]


async def test_memories_under_keys_are_locked_in_the_order_of_their_ids(services: Services, user: TestUser) -> None:
    older = await capture(user, title="Z", content="The older one.", key="z")
    newer = await capture(user, title="A", content="The newer one.", key="a")
    rows = [{"title": key, "content": f"Again {key}.", "key": key} for key in "az"]
    async with waiting(services, user, post(user, "capture-batch", {"memories": rows}), MEMORY, older):
        assert await is_free(services, user, MEMORY, newer)


async def test_memories_that_were_compared_are_locked_in_the_order_of_their_ids(
    services: Services, user: TestUser
) -> None:
    ids = [await capture(user, content=f"Note {number}.") for number in range(20)]

    async def mark() -> None:
        async with services.database.write(user.id) as session:
            await mark_associated(session, [decode("mem", one) for one in reversed(ids)], services.clock())

    async with waiting(services, user, mark(), MEMORY, ids[0]):
        assert all([await is_free(services, user, MEMORY, one) for one in ids[1:]])


async def test_undo_of_an_import_locks_the_knowledge_base_before_its_chunks(services: Services, user: TestUser) -> None:
    base = await make_base(user)
    (made,) = (await fill(user, base, chunk("A chunk to take back.")))["memoryIds"]
    async with waiting(services, user, post(user, "/api/undo"), BASE, base):
        assert await is_free(services, user, MEMORY, made)


async def test_undo_moves_totals_after_it_has_all_memories(services: Services, user: TestUser) -> None:
    _, reflection = await reflected(user)
    async with waiting(services, user, post(user, "/api/undo"), MEMORY, reflection):
        assert await is_free(services, user, TOTALS)


async def test_restore_moves_totals_after_it_has_all_memories(services: Services, user: TestUser) -> None:
    source, reflection = await reflected(user)
    await post(user, "forget", {"memoryId": source})
    restoring = send(user, "POST", f"/api/memories/{source}/restore", {})
    async with waiting(services, user, restoring, MEMORY, reflection):
        assert await is_free(services, user, TOTALS)


async def test_a_batch_moves_totals_after_it_has_all_memories(services: Services, user: TestUser) -> None:
    _, reflection = await reflected(user, key="shed")
    rows = [{"title": key, "content": f"Now {key}.", "key": key} for key in ("new", "shed")]
    async with waiting(services, user, post(user, "capture-batch", {"memories": rows}), MEMORY, reflection):
        assert await is_free(services, user, TOTALS)


@pytest.mark.rule("17.2 capture: namespace, key")
async def test_captures_of_a_key_wait_for_the_successor_of_its_memory(user: TestUser) -> None:
    for number in range(TIMES):
        old = await capture(user, title="City", content=f"Lives in {number}.", key=f"city{number}")
        new = {"oldMemoryId": old, "title": "City", "content": f"Lives elsewhere {number}."}
        again = [{"title": "City", "content": f"Lives in {number}.{n}", "key": f"city{number}"} for n in range(4)]
        await asyncio.gather(post(user, "supersede", new), *(post(user, "capture", row) for row in again))
