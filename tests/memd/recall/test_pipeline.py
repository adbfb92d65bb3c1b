"""The steps of a recall one by one (contract 11.1): what each lane looks at, how deep, and what is decided inside it."""

from dataclasses import replace
from itertools import count
from math import exp
from typing import Any
from uuid import UUID

import pytest

from memctl.wire.recall import RecallRequest
from memd.context import Services
from memd.domain.ids import decode, new_id
from memd.domain.text.duplicates import content_hash
from memd.domain.text_analysis.language import Language
from memd.domain.types import ChunkKind, Tier
from memd.embed import service as embedding
from memd.memories import visibility
from memd.memories.insertion import insert_memories
from memd.memories.new import NewMemory
from memd.recall.service import recall
from tests.support.jobs import context_of
from tests.support.service import MakeUser, TestUser
from tests.support.talk import DAY, NOON, embed, log, talk
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send

ALIKE = "Every night at two the build machine packs the whole of the archive and sends it away, run number "


async def told(user: TestUser, query: str = "boiler", **fields: Any) -> Json:
    """The debug output of a recall."""
    body = {"query": query} | fields
    return (await send(user, "POST", "/api/mcp/recall", body, debugRecallOutput="true"))["debug"]


async def lanes(user: TestUser, **fields: Any) -> dict[str, list[str]]:
    return {row["id"]: row["lanes"] for row in (await told(user, **fields))["memories"]}


async def store_many(services: Services, user: TestUser, *contents: str, **fields: Any) -> list[UUID]:
    """Memories a second apart with one vector for all, past the checks of capture, which take their time."""
    vector = await services.batcher.embed_text(contents[0])
    rows = [
        NewMemory(
            id=new_id(),
            title="Note",
            content=content,
            content_hash=content_hash(content),
            recall_text=content,
            store="semantic",
            category="fact",
            created_at=NOON + 1000 * index,
            vector=vector,
            **fields,
        )
        for index, content in enumerate(contents)
    ]
    async with services.database.write(user.id) as session:
        await insert_memories(session, rows, model=services.model, default_language=Language.ENGLISH)
    return [row.id for row in rows]


@pytest.mark.rule("11.1.1")
async def test_the_query_is_embedded_once_for_memories_chunks_and_messages(
    make_user: MakeUser, services: Services
) -> None:
    user = await make_user(tier=Tier.PRO)
    await capture(user, content="The boiler is warm.")
    await fill(user, await make_base(user), chunk("The boiler of the handbook."))
    await talk(user, "The boiler of a message.")
    await embed(services, user)

    async def calls() -> int:
        return (await send(user, "GET", "/api/mcp/stats"))["usage"]["embeddings_used_today"]

    before = await calls()
    reply = await post(user, "recall", {"query": f"boiler of q{user.id.hex}"})
    counts = reply["diagnostics"]["candidateCounts"]
    assert (counts["vector"], counts["kb"], counts["messages"]) == (1, 1, 1)
    assert await calls() == before + 1


@pytest.mark.rule("11.1.3")
@pytest.mark.parametrize("field", ["title", "content", "tags"])
async def test_the_text_lane_reads_title_content_and_tags(user: TestUser, field: str) -> None:
    fields: Json = {field: ["walrus"] if field == "tags" else "A walrus"}
    found, other = await capture(user, **fields), await capture(user, content="Plums.")
    by_lane = await lanes(user, query="walruses")
    assert "text" in by_lane[found]
    assert "text" not in by_lane.get(other, [])


@pytest.mark.rule("11.1.4")
async def test_the_recent_lane_looks_at_the_newest_hundred_for_a_match(user: TestUser, services: Services) -> None:
    ids = await store_many(services, user, *(f"boiler {number}" for number in range(101)), "plums")
    debug = await told(user, limit=1)
    assert debug["candidates"]["recent"] == 99
    recent = {decode("mem", row["id"]) for row in debug["memories"] if "recent" in row["lanes"]}
    assert recent == set(ids[2:101])


@pytest.mark.rule("11.1.5")
@pytest.mark.parametrize("hidden", ["archived", "blocked", "config"])
async def test_what_never_comes_back_takes_no_place_in_any_lane(
    user: TestUser, services: Services, hidden: str
) -> None:
    (rare,) = await store_many(services, user, "Something about heating, the boiler perhaps.")
    busy = [f"boiler valve {number}" for number in range(101)]
    kind = ChunkKind.CONFIG if hidden == "config" else ChunkKind.CONTENT
    ids = await store_many(services, user, *busy, chunk_kind=kind)
    if hidden != "config":
        async with services.database.write(user.id) as session:
            await session.execute(f"UPDATE memory SET {hidden} = true WHERE id = ANY(%(ids)s)", {"ids": ids})
            await visibility.sync(session, ids)
    by_lane = await lanes(user, query="boiler valve", limit=1)
    assert {decode("mem", memory_id): found for memory_id, found in by_lane.items()} == {
        rare: ["vector", "text", "recent"]
    }


@pytest.mark.rule("11.1.11")
async def test_a_search_of_chunks_fetches_four_times_the_limit_at_least_twelve(
    make_user: MakeUser, services: Services
) -> None:
    user = await make_user(tier=Tier.FREE)
    await fill(user, await make_base(user), *(chunk(f"boiler {number}") for number in range(24)))
    await embedding.take_allowance(await context_of(services, user), 50)
    for limit, fetched in ((1, 12), (4, 16), (20, 24)):
        assert (await told(user, query=f"boiler q{user.id.hex}", limit=limit))["candidates"]["kb"] == fetched


@pytest.mark.rule("11.1 named set")
async def test_a_named_set_collapses_copies_but_puts_no_look_alike_aside(user: TestUser) -> None:
    first, second = await make_base(user), await make_base(user)
    await fill(user, first, chunk(f"{ALIKE}1"), chunk(f"{ALIKE}2"), chunk("Plums."))
    await fill(user, second, chunk(f"{ALIKE}1"))
    reply = await post(
        user, "recall", {"query": "build machine archive", "limit": 2, "knowledgeBaseIds": [first, second]}
    )
    assert sorted(row["content"] for row in reply["memories"]) == [f"{ALIKE}1", f"{ALIKE}2"]
    assert reply["diagnostics"]["suppressions"]["duplicate"] == 1
    assert reply["messageMatches"] == []


@pytest.mark.rule("11.2 clock")
async def test_the_clock_is_read_once(user: TestUser, services: Services) -> None:
    ids = [await capture(user, content=f"boiler {number}") for number in range(3)]
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET created_at = %(at)s", {"at": NOON})
    ticks = count(NOON + DAY, DAY)
    context = await context_of(replace(services, clock=lambda: next(ticks)), user)
    recalled = await recall(context, RecallRequest(query="boiler"))
    fresh = {row.candidate.id: row.signals.freshness_score for row in recalled.rows}
    days = (context.now - NOON) // DAY
    assert fresh == {decode("mem", memory_id): pytest.approx(exp(-0.12 * days)) for memory_id in ids}


@pytest.mark.rule("11.1.1", "11.7 lanes")
async def test_a_temporal_phrase_lifts_messages_and_no_memory(user: TestUser, services: Services) -> None:
    today = services.clock() // DAY * DAY
    old = await capture(user, content="The report of long ago.")
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET created_at = %(at)s", {"at": NOON})
    await log(user, "the report", timestamp=NOON)
    await log(user, "the report of the day", timestamp=today - 1)
    await embed(services, user)
    query = {"query": "which report came yesterday"}
    reply = await post(user, "recall", query)
    assert [row["content"] for row in reply["messageMatches"]] == ["the report of the day", "the report"]
    assert reply["temporalHint"] == {"fromMs": today - DAY, "toMs": today - 1, "phrase": "yesterday"}
    assert [row["id"] for row in reply["memories"]] == [old]
    given = await post(user, "recall", query | {"toMs": NOON})
    assert [row["content"] for row in given["messageMatches"]] == ["the report"]
