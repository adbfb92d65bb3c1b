"""A checkpoint keeps nothing of a memory that is deleted permanently while the checkpoint is made (contract 17.6)."""

import asyncio
from typing import Any

import pytest

from memd.context import Services
from memd.sessions import checkpoint_store as store
from tests.support.jobs import done
from tests.support.locks import waiting_for
from tests.support.service import TestUser
from tests.support.wire import capture, chunk, fill, make_base, post, send

SECRET = "The code word is heliotrope."


@pytest.mark.rule("17.6 forget permanent")
@pytest.mark.parametrize("named", [True, False])
async def test_what_is_deleted_while_a_checkpoint_is_made_is_not_in_it(
    services: Services, user: TestUser, named: bool
) -> None:
    gone, kept = await capture(user, content=SECRET), await capture(user)
    await done(services, user)
    wanted: dict[str, Any] = {"label": "L", **({"memoryIds": [gone, kept]} if named else {})}
    async with services.database.write(user.id) as session:
        await store.lock(session)
        pid: int = await session.value("SELECT pg_backend_pid()", {})
        made = asyncio.create_task(user.http.post("/api/mcp/checkpoint", json=wanted))
        await waiting_for(services, pid)
        await post(user, "forget", {"memoryId": gone, "permanent": True})
    reply = (await made).json()
    if named:
        assert reply == {"error": "Memory not found"}
        assert (await post(user, "checkpoint", {"mode": "list"}))["checkpoints"] == []
        return
    shown = (await send(user, "GET", f"/api/checkpoints/{reply['id']}"))["checkpoint"]
    assert [row["memoryId"] for row in shown["memories"]] == [kept]
    assert SECRET not in str(shown)


@pytest.mark.rule("8.7 removal")
async def test_a_chunk_that_goes_while_a_checkpoint_of_it_is_made_is_not_in_it(
    services: Services, user: TestUser
) -> None:
    base = await make_base(user)
    gone = (await fill(user, base, chunk(SECRET)))["memoryIds"][0]
    async with services.database.write(user.id) as session:
        await session.execute("LOCK TABLE checkpoint IN SHARE MODE")
        pid: int = await session.value("SELECT pg_backend_pid()", {})
        made = asyncio.create_task(user.http.post("/api/mcp/checkpoint", json={"label": "L", "memoryIds": [gone]}))
        maker = await waiting_for(services, pid)
        emptied = asyncio.create_task(post(user, f"/api/knowledge-bases/{base}/empty"))
        await waiting_for(services, maker)
    await emptied
    shown = await send(user, "GET", f"/api/checkpoints/{(await made).json()['id']}")
    assert SECRET not in str(shown)
