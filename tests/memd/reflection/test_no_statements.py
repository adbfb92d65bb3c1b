"""A reflection says nothing new: it contradicts nothing and proves nothing (contract 11.6, 17.5)."""

from dataclasses import replace

import pytest

from memd.context import Services
from memd.domain.ids import decode
from memd.graph.enrichment import enrich_all
from memd.lifecycle.consolidate import consolidate_and_promote
from memd.settings import SupersedeMode
from tests.memd.lifecycle.rows import aged
from tests.memd.lifecycle.test_growing_together import PROVEN, SENSORY
from tests.support.jobs import context_of, done
from tests.support.service import TestUser
from tests.support.wire import Json, capture, memory, post, send

SAID = ("Ana lives in Rome", "Ana moved to Oslo", "The printer is on floor 3")


async def reflected(services: Services, user: TestUser) -> list[str]:
    """The three memories; reflections were made of them, and the graph has read all."""
    ids = [await capture(user, title=text, content=text) for text in SAID]
    assert (await post(user, "reflect"))["stats"]["summaryWritten"] == 1
    await done(services, user)
    return ids


async def conflicts(user: TestUser) -> list[Json]:
    return (await send(user, "GET", "/api/conflicts"))["conflicts"]


@pytest.mark.rule("17.5 conflicts", "11.6 derived rows")
async def test_only_the_memories_themselves_contradict_each_other(services: Services, user: TestUser) -> None:
    rome, oslo, _ = await reflected(services, user)
    assert [(one["oldId"], one["newId"]) for one in await conflicts(user)] == [(rome, oslo)]


@pytest.mark.rule("11.2 originBoost")
async def test_recall_has_the_latest_then_the_older_one_then_the_summary(services: Services, user: TestUser) -> None:
    await reflected(services, user)
    rows = (await post(user, "recall", {"query": "Where does Ana live?"}))["memories"]
    assert [row["title"].split(":")[0] for row in rows[:3]] == [
        "Ana moved to Oslo",
        "Ana lives in Rome",
        "Reflection summary",
    ]


@pytest.mark.rule("17.3 text")
async def test_the_context_begins_with_the_current_fact(services: Services, user: TestUser) -> None:
    await reflected(services, user)
    text = (await post(user, "context", {"query": "Where does Ana live?"}))["text"]
    facts = [line for line in text.splitlines() if "residence" in line]
    assert ["Oslo" in line for line in facts] == [True, False]
    assert "Ana moved to Oslo (a newer memory says otherwise)" not in text


@pytest.mark.rule("17.5 profile")
async def test_a_summary_is_no_proof(services: Services, user: TestUser) -> None:
    rome, oslo, _ = await reflected(services, user)
    (ana,) = (await send(user, "GET", "/api/profile", subject="Ana"))["profiles"]
    assert [(fact["value"], fact["evidence"]) for fact in ana["facts"]] == [("Oslo", [oslo]), ("Rome", [rome])]


@pytest.mark.rule("17.5 conflicts")
async def test_an_inference_of_the_caller_is_a_statement(services: Services, user: TestUser) -> None:
    rome = await capture(user, content="Ana lives in Rome", source="inference")
    oslo = await capture(user, content="Ana moved to Oslo", source="inference")
    await done(services, user)
    assert [(one["oldId"], one["newId"]) for one in await conflicts(user)] == [(rome, oslo)]


@pytest.mark.rule("17.5 conflicts")
async def test_an_imported_reflection_is_none(services: Services, user: TestUser) -> None:
    await capture(user, content="Ana moved to Oslo")
    tags = ["reflection", "distilled"]
    await capture(user, title="Reflection summary", content="- Ana lives in Rome", source="inference", tags=tags)
    await done(services, user)
    assert await conflicts(user) == []


@pytest.mark.rule("17.5 conflicts")
async def test_who_supersedes_a_reflection_makes_a_statement(services: Services, user: TestUser) -> None:
    await reflected(services, user)
    (summary,) = [
        row["id"] for row in (await send(user, "GET", "/api/memories"))["memories"] if row["source"] == "inference"
    ]
    body = {"oldMemoryId": summary, "title": "Ana", "content": "Ana moved to Bern."}
    bern = (await post(user, "supersede", body))["newMemoryId"]
    await done(services, user)
    assert bern in {one["newId"] for one in await conflicts(user)}


@pytest.mark.rule("17.5 supersede.mode")
async def test_no_memory_is_superseded_by_a_reflection(services: Services, user: TestUser) -> None:
    _, oslo, _ = await reflected(services, user)
    auto = services.settings.model_copy(update={"supersede_mode": SupersedeMode.AUTO})
    context = replace(await context_of(services, user), services=replace(services, settings=auto))
    rows = (await send(user, "GET", "/api/memories"))["memories"]
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET graph_enriched = false WHERE user_id = %(user)s", {"user": user.id})
        await session.execute("DELETE FROM memory_conflict WHERE user_id = %(user)s", {"user": user.id})
    await enrich_all(context, [decode("mem", row["id"]) for row in rows])
    left = [row["content"] for row in (await send(user, "GET", "/api/memories"))["memories"] if "Ana" in row["content"]]
    assert left == ["Ana moved to Oslo"]
    assert not (await memory(user, oslo))["archived"]


@pytest.mark.rule("17.5 conflicts", "17.5 profile")
async def test_a_promoted_copy_is_no_newer_statement(services: Services, user: TestUser) -> None:
    rome = await aged(services, user, days=2, content="Ana lives in Rome", **PROVEN)
    oslo = await capture(user, content="Ana moved to Oslo")
    assert await consolidate_and_promote(await context_of(services, user)) == 1
    await done(services, user)
    assert [(one["oldId"], one["newId"]) for one in await conflicts(user)] == [(rome, oslo)]
    (ana,) = (await send(user, "GET", "/api/profile", subject="Ana"))["profiles"]
    assert [(fact["value"], fact["proofs"]) for fact in ana["facts"]] == [("Oslo", 1), ("Rome", 1)]


@pytest.mark.rule("17.5 conflicts", "17.5 profile")
async def test_a_consolidation_is_as_old_as_what_it_was_made_of(services: Services, user: TestUser) -> None:
    for number in range(2):
        content = f"Ana lives in Rome. She said so {number} times."
        await aged(services, user, days=2, degrees=number, content=content, **SENSORY)
    oslo = await aged(services, user, days=1, degrees=90, content="Ana moved to Oslo")
    assert await consolidate_and_promote(await context_of(services, user)) == 1
    await done(services, user)
    (conflict,) = await conflicts(user)
    assert conflict["newId"] == oslo
    (ana,) = (await send(user, "GET", "/api/profile", subject="Ana"))["profiles"]
    assert [(fact["value"], fact["proofs"]) for fact in ana["facts"]] == [("Oslo", 1), ("Rome", 1)]


@pytest.mark.rule("11.6 reflection rows")
async def test_where_something_is_deployed_is_no_open_loop(user: TestUser) -> None:
    for text in ("The deploy target is Frankfurt", "Greta waters the plants", "The printer is on floor 3"):
        await capture(user, content=text)
    stats = (await post(user, "reflect"))["stats"]
    assert (stats["openLoopsWritten"], stats["summaryWritten"]) == (0, 1)
