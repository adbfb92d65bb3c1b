"""Statements that are said again: merged, unless something else was said in between (contract 11.6 row, 17.5)."""

import pytest

from memd.context import Services
from memd.extraction import service
from memd.graph.enrichment import enrich_memories
from memd.jobs import enqueue
from tests.memd.extraction.test_extraction import extracted, turn
from tests.support.jobs import context_of, done
from tests.support.service import TestUser
from tests.support.wire import send

DAY_MS = 86_400_000


async def say(user: TestUser, services: Services, *texts: str, days_apart: int = 2, all_jobs_run: bool = True) -> None:
    """Each text is said in a turn of its own, the last one two days ago."""
    last = services.clock() - 2 * DAY_MS
    for index, text in enumerate(texts):
        timestamp = last - (len(texts) - 1 - index) * days_apart * DAY_MS
        await turn(user, f"t{timestamp}-{index}", text, timestamp=timestamp + index)
        await service.extract_turn(await context_of(services, user), f"t{timestamp}-{index}")
        await done(services, user)


async def unread(user: TestUser, services: Services) -> None:
    """The memories are as before the graph read them."""
    async with services.database.write(user.id) as session:
        for table in ("memory_conflict", "memory_fact"):
            await session.execute(f"DELETE FROM {table} WHERE user_id = %(user)s", {"user": user.id})
        await session.execute("UPDATE memory SET graph_enriched = false WHERE user_id = %(user)s", {"user": user.id})


async def best(user: TestUser, query: str) -> str:
    found = await send(user, "POST", "/api/mcp/recall", {"query": query})
    return found["memories"][0]["content"]


@pytest.mark.rule("11.6 row")
async def test_a_statement_said_again_is_one_memory(user: TestUser, services: Services) -> None:
    await say(user, services, "I live in Lisbon.", "I live in Lisbon.")
    assert len(await extracted(user)) == 1


@pytest.mark.rule("17.5 conflicts")
@pytest.mark.parametrize("days_apart", [2, 0])
async def test_what_was_said_last_is_current_even_if_it_was_said_before(
    user: TestUser, services: Services, days_apart: int
) -> None:
    await say(user, services, "I live in Lisbon.", "I live in Porto.", "I live in Lisbon.", days_apart=days_apart)
    assert "Lisbon" in await best(user, "Where do I live?")


async def test_what_was_said_last_is_current_even_if_the_graph_is_behind(user: TestUser, services: Services) -> None:
    # As when an import brings many talks: all are extracted before the graph reads the memories.
    await say(user, services, "I live in Lisbon.", "I live in Porto.")
    await unread(user, services)
    await say(user, services, "I live in Lisbon.")
    await enrich_memories(services, user.id, {"of": enqueue.MEMORIES})
    assert "Lisbon" in await best(user, "Where do I live?")


async def test_each_return_is_current_and_repeating_it_adds_nothing(user: TestUser, services: Services) -> None:
    places = ["Lisbon", "Porto", "Lisbon", "Porto", "Porto"]
    await say(user, services, *(f"I live in {place}." for place in places))
    assert "Porto" in await best(user, "Where do I live?")
    assert len(await extracted(user)) == 4
