"""Contract 17.6: what read a text before its erasure does not write it back afterwards."""

import asyncio
from collections.abc import Coroutine
from typing import Any
from uuid import UUID

from memd.context import Services
from memd.db.session import WriteSession
from memd.domain.ids import decode
from memd.erasure.messages import store
from memd.graph.enrichment_store import lock_graph
from memd.lifecycle.snapshots import snapshot_quiet
from memd.memories import removal
from memd.memories.conflicts.detection import read_facts, record_facts
from memd.reflection.service import reflect
from tests.support.canary import tables_with
from tests.support.jobs import context_of, done, later
from tests.support.service import TestUser
from tests.support.talk import log
from tests.support.wire import capture, post, send

WHERE = {"channel": "slack", "sessionKey": "s1"}


async def waits_for(services: Services, session: WriteSession, work: Coroutine[Any, Any, object]) -> asyncio.Task[Any]:
    """Start the work and return when it waits for a lock, or is done."""
    await session.flush()
    task = asyncio.create_task(work)
    while not task.done():
        async with services.database.system() as other:
            if await other.value("SELECT count(*) FROM pg_locks WHERE NOT granted"):
                break
        await asyncio.sleep(0.01)
    return task


async def said(services: Services, user: TestUser, word: str) -> UUID:
    """A session with the word in its last message; the id of that."""
    await log(user, "We decided to use Postgres for the invoices because it is reliable.", **WHERE)
    secret = await log(
        user, f"We decided to use {word} for the invoices because it is reliable.", speaker=word, **WHERE
    )
    await done(services, user)
    return decode("msg", secret)


async def test_a_snapshot(services: Services, user: TestUser) -> None:
    secret = await said(services, user, "Ombrellath")
    context = await context_of(later(services, minutes=30), user)
    async with services.database.write(user.id) as session:
        await store.remove(session, [secret])
        task = await waits_for(services, session, snapshot_quiet(context))
    await task
    assert await tables_with(services, "Ombrellath") == {}
    await snapshot_quiet(context)
    assert (await tables_with(services, "reliable")).keys() >= {"snapshot"}


async def test_the_summary_of_wake(services: Services, user: TestUser) -> None:
    secret = await said(services, user, "Ferrundel")
    async with services.database.write(user.id) as session:
        await store.remove(session, [secret])
        task = await waits_for(services, session, send(user, "GET", "/api/mcp/wake", channel="slack"))
    await task
    assert await tables_with(services, "Ferrundel") == {}


async def test_a_reflection(services: Services, user: TestUser) -> None:
    secret = await capture(user, title="Grommelin", content="We decided to use Grommelin because it is reliable.")
    for number in range(3):
        await capture(user, title=f"Rule {number}", content=f"We decided that deploys are frozen on day {number}.")
    await done(services, user)
    context = await context_of(services, user)
    async with services.database.write(user.id) as session:
        await removal.remove(session, [decode("mem", secret)])
        task = await waits_for(services, session, reflect(context, 24))
    assert (await task).memory_ids == []
    async with services.database.read(user.id) as session:
        assert await session.value("SELECT count(*) FROM memory WHERE user_id = %(user)s", {"user": user.id}) == 3


async def test_facts_and_contradictions(services: Services, user: TestUser) -> None:
    texts = ("Quilverno lives in Brastolia.", "Quilverno moved to Rome.")
    first, second = [await capture(user, content=text) for text in texts]
    context = await context_of(services, user)
    facts = await read_facts({decode("mem", row): text for row, text in zip((first, second), texts, strict=True)})
    async with services.database.write(user.id) as session:
        lock_graph(session)
        await record_facts(session, context, facts)  # or the worker has noted them already
        noted = "SELECT count(*) FROM memory_conflict WHERE user_id = %(user)s"
        assert await session.value(noted, {"user": user.id}) == 1
        task = await waits_for(services, session, post(user, "forget", {"memoryId": first, "permanent": True}))
        assert not task.done()
    await task
    assert await tables_with(services, "Brastolia") == {}


async def test_a_decision_about_a_contradiction(services: Services, user: TestUser) -> None:
    first = await capture(user, content="Ana lives in Oslo.")
    await done(services, user)
    await capture(user, content="Ana moved to Rome.")
    await done(services, user)
    (conflict,) = (await send(user, "GET", "/api/conflicts"))["conflicts"]
    async with services.database.write(user.id) as session:
        await session.execute("SELECT FROM memory WHERE user_id = %(user)s FOR UPDATE", {"user": user.id})
        deciding = send(user, "POST", f"/api/conflicts/{conflict['id']}", {"decision": "supersede"}, status=404)
        task = await waits_for(services, session, deciding)
        await removal.remove(session, [decode("mem", first)])
    await task
