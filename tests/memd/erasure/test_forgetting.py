"""Contract 6.5, 17.6: permanent forgetting takes along what was derived from the row alone, and nothing else."""

from dataclasses import replace

import pytest

from memd.context import Services
from memd.db.session import Deferral
from memd.domain.ids import decode, encode
from memd.erasure.memories.service import remove
from memd.graph.enrichment import enrich_memories
from memd.graph.removal import lock
from memd.lifecycle.associate import associate
from tests.support.canary import tables_with
from tests.support.dict_rows import dict_rows
from tests.support.jobs import context_of, done, enriched
from tests.support.service import TestUser
from tests.support.wire import capture, memory, post

SECRET = "Quizzlethrum"
CONTENT = f"{SECRET} depends on Postgres, and Ann owns {SECRET} since the audit of May."


async def forget(user: TestUser, memory_id: str) -> None:
    reply = await post(user, "forget", {"memoryId": memory_id, "permanent": True})
    assert reply["action"] == "deleted"


@pytest.mark.rule("17.6 forget permanent")
async def test_nothing_derived_from_the_row_alone_is_left(services: Services, user: TestUser) -> None:
    other = await enriched(services, user, title="Billing", content="Billing depends on Postgres and Ann owns Billing.")
    secret = await enriched(
        services, user, title=f"{SECRET} facts", content=CONTENT, actionTriggers=[SECRET], tags=[SECRET]
    )
    await post(user, "recall", {"query": CONTENT})
    await services.background_tasks.drain()
    await associate(await context_of(services, user))
    await post(user, "checkpoint", {"label": "all", "memoryIds": [other, secret]})
    passages = [
        {"role": "user", "content": f"<recalled_context>{CONTENT}</recalled_context> And now?"},
        {"role": "assistant", "content": CONTENT},
        {"role": "user", "content": "Thanks."},
    ]
    await post(user, "snapshot", {"sessionKey": "s", "channel": "c", "messages": passages})
    async with services.database.write(user.id) as session:
        await session.execute(
            """
            INSERT INTO memory (user_id, id, title, content, store, category, source, strength, confidence, valence,
                                arousal, last_accessed_at, created_at, updated_at, content_hash, promoted_from,
                                source_memory_ids)
            SELECT user_id, gen_random_uuid(), title, content, 'semantic', category, 'inference', strength, confidence,
                   valence, arousal, 0, 0, 0, content_hash, id, ARRAY[id]
            FROM memory WHERE user_id = %(user)s AND id = %(id)s
            """,
            {"user": user.id, "id": decode("mem", secret)},
        )
    await done(services, user)
    found = await tables_with(services, SECRET)
    assert found.keys() >= {"memory", "memory_index", "graph_node", "trigger", "checkpoint", "snapshot"}
    await forget(user, secret)
    assert await tables_with(services, SECRET) == {}
    assert (await tables_with(services, str(decode("mem", secret)))).keys() <= {"checkpoint", "audit_entry"}
    listed = (await post(user, "checkpoint", {"mode": "list"}))["checkpoints"]
    assert [(row["memoryCount"], row["semanticSummary"]) for row in listed] == [(2, "Billing")]
    owners = (await post(user, "graph/who-owns", {"entity": "Billing"}))["owners"]
    assert [owner["label"] for owner in owners] == ["Ann"]
    assert (await memory(user, other))["title"] == "Billing"


async def test_a_node_keeps_the_spelling_of_the_memories_that_are_left(services: Services, user: TestUser) -> None:
    first = await enriched(services, user, title="One", content="FooBarDB depends on Postgres.")
    await enriched(services, user, title="Two", content="foobardb depends on Postgres.")
    await forget(user, first)
    assert await tables_with(services, "FooBarDB") != {}
    async with services.database.read(user.id) as session:
        rows = await dict_rows(
            session,
            "SELECT label, alias, source_memory_ids FROM graph_node WHERE user_id = %(user)s AND canonical_key LIKE '%%:foobardb'",
            {"user": user.id},
        )
    assert [(row["label"], row["alias"], len(row["source_memory_ids"])) for row in rows] == [("foobardb", [], 1)]


async def test_waiting_jobs_forget_the_row_and_keep_the_others(services: Services, user: TestUser) -> None:
    first, second, third = [decode("mem", await capture(user, content=f"{CONTENT} {number}")) for number in range(3)]
    await done(services, user)
    async with services.database.write(user.id) as session:
        for payload in (  # as older releases enqueued
            {"memory_ids": [str(first)]},
            {"memory_ids": [str(first), str(second), str(third)]},
            {"memory_id": str(first)},
        ):
            session.defer(Deferral("graph_enrich", payload))
        session.deferrals = [replace(deferral, delay_ms=3_600_000) for deferral in session.deferrals]
    await forget(user, encode("mem", first))
    assert (await tables_with(services, str(first))).keys() <= {"audit_entry"}
    async with services.database.system() as session:
        jobs = await dict_rows(
            session,
            "SELECT args->'memory_ids' AS ids FROM procrastinate_jobs WHERE args->>'user_id' = %(user)s",
            {"user": str(user.id)},
        )
    assert [job["ids"] for job in jobs] == [[str(second), str(third)]]


async def test_a_job_of_the_release_before_is_still_done(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, content=CONTENT)
    await done(services, user)
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET graph_enriched = false WHERE user_id = %(user)s", {"user": user.id})
    await enrich_memories(services, user.id, {"memory_id": str(decode("mem", memory_id))})
    async with services.database.read(user.id) as session:
        assert await session.value("SELECT graph_enriched FROM memory WHERE user_id = %(user)s", {"user": user.id})


async def test_texts_that_are_parts_of_each_other_leave_snapshots(services: Services, user: TestUser) -> None:
    texts = ["Brindlewick depends on Postgres", "Brindlewick depends on Postgres since the Marzipole audit"]
    ids = [decode("mem", await capture(user, content=text)) for text in texts]
    await done(services, user)
    passages = [{"role": "user", "content": f"<recalled>{text}</recalled> And now?"} for text in texts]
    await post(user, "snapshot", {"sessionKey": "s", "channel": "c", "messages": passages})
    async with services.database.write(user.id) as session:
        await lock(session)
        removed = await remove(session, dict.fromkeys(ids, False), services.clock())
    assert (removed["memory"], removed["snapshot"]) == (2, 1)
    assert await tables_with(services, "Marzipole") == await tables_with(services, "Brindlewick") == {}


@pytest.mark.rule("17.6 forget permanent")
async def test_what_an_edit_took_out_leaves_snapshots_too(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, content=CONTENT)
    passages = [{"role": "user", "content": text} for text in (CONTENT, f"Remember: {CONTENT}", "Something else.")]
    await post(user, "snapshot", {"sessionKey": "s", "channel": "c", "messages": passages})
    await post(user, "update", {"memoryId": memory_id, "content": "There was something here that had to go."})
    await forget(user, memory_id)
    await done(services, user)
    assert "snapshot" not in await tables_with(services, SECRET)
